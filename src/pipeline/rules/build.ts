// Rules: a whole build, and the manifests that builds wrote. Where content, settings and version are the same, so is
// every file.
import type { Settings } from '../../config.ts'
import type { Diagnostic } from '../../diagnostics.ts'
import type { Manifest } from '../../emit/manifest.ts'
import type { Parts, StoredRule } from '../../memo/memo.ts'
import { isWithin, type Period } from './period.ts'

/** All that a build is made of, but for the moment and the version. */
export interface BuildInput {
  readonly settings: Pick<
    Settings,
    | 'precompute'
    | 'limitAll'
    | 'changes'
    | 'frontMatter'
    | 'baseUrl'
    | 'links'
    | 'markdown'
    | 'ignoredWarnings'
  >
  /** As in `ToolId`. */
  readonly renderer: string
  /** The build has drafts. */
  readonly drafts?: boolean | undefined
  /** The fingerprint of a scan that could read everything. */
  readonly fingerprint: string
}

/** An earlier build. */
export interface StoredBuild {
  /** SHA-256 of its manifest, hexadecimal. */
  readonly manifest: string
  /** Warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the same posts were scheduled then as are at a moment, in milliseconds since 1970. */
  isTrueAt(now: number): boolean
}

export const wholeBuild: StoredRule<BuildInput, StoredBuild> = {
  name: 'build',
  keyOf: (input) =>
    JSON.stringify([input.fingerprint, settingsOf(input), input.settings.ignoredWarnings]),
  valueOf: (record) => {
    const { period, ...stored }: BuildRecord = JSON.parse(record.text('build'))
    return { ...stored, isTrueAt: (now) => isWithin(now, period) }
  },
}

/** The stored part of a build. */
export function buildParts(
  build: Omit<BuildRecord, 'period'>,
  { validFrom, validUntil }: Pick<Manifest, 'validFrom' | 'validUntil'>,
): Parts {
  const period = {
    validFrom: validFrom === null ? null : Date.parse(validFrom),
    validUntil: validUntil === null ? null : Date.parse(validUntil),
  }
  const record: BuildRecord = { ...build, period }
  return { build: Buffer.from(JSON.stringify(record)) }
}

interface BuildRecord extends Omit<StoredBuild, 'isTrueAt'> {
  readonly period: Period
}

/** Manifests that builds of this version wrote, by their SHA-256: what is in them can be believed. */
export const writtenManifest: StoredRule<string, string> = {
  name: 'manifest',
  keyOf: (sha256) => sha256,
  valueOf: (record) => record.text('settings'),
}

/** The stored part of a manifest: the settings that it was written with. */
export function manifestParts(input: Omit<BuildInput, 'fingerprint'>): Parts {
  return { settings: Buffer.from(settingsOf(input)) }
}

/** Equal where two builds of the same content write the same files. */
export function settingsOf({
  renderer,
  settings,
  drafts,
}: Omit<BuildInput, 'fingerprint'>): string {
  const { precompute, limitAll, changes, frontMatter, baseUrl, links, markdown } = settings
  const used = { precompute, limitAll, changes, frontMatter, baseUrl, links, markdown }
  return JSON.stringify([renderer, used, drafts === true])
}
