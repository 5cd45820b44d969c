// Rules: whole builds, and the manifests that builds wrote. Equal content, settings and version produce equal files.
import type { Settings } from '../../config.ts'
import type { Diagnostic } from '../../diagnostics.ts'
import type { Manifest } from '../../emit/manifest.ts'
import type { Parts, StoredRule } from '../../memo/memo.ts'
import { isWithin, type Period } from './period.ts'

/** Everything that a build depends on, except the moment and the version. */
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
  /** True for a build with drafts. */
  readonly drafts?: boolean | undefined
  /** The fingerprint of a scan without read errors. */
  readonly fingerprint: string
}

/** An earlier build. */
export interface StoredBuild {
  /** SHA-256 of its manifest, hexadecimal. */
  readonly manifest: string
  /** Warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Reports whether the same posts are scheduled at `now` (milliseconds since 1970) as at the build. */
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

/** Manifests that builds of this version wrote, by SHA-256: their contents can be trusted. */
export const writtenManifest: StoredRule<string, string> = {
  name: 'manifest',
  keyOf: (sha256) => sha256,
  valueOf: (record) => record.text('settings'),
}

/** The stored part of a manifest: the settings at its build. */
export function manifestParts(input: Omit<BuildInput, 'fingerprint'>): Parts {
  return { settings: Buffer.from(settingsOf(input)) }
}

/** Equal for builds that write equal files from equal content. */
export function settingsOf({
  renderer,
  settings,
  drafts,
}: Omit<BuildInput, 'fingerprint'>): string {
  const { precompute, limitAll, changes, frontMatter, baseUrl, links, markdown } = settings
  const used = { precompute, limitAll, changes, frontMatter, baseUrl, links, markdown }
  return JSON.stringify([renderer, used, drafts === true])
}
