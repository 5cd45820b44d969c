// `quarry notify`: posts the changes of a build to webhooks, after its deployment.
import { hash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { changesJson } from '../api/changes.ts'
import { ApiError } from '../api/errors.ts'
import type { Change } from '../api/history.ts'
import { visibilityAt } from '../api/visibility.ts'
import { makeFolders } from '../cache/make-folders.ts'
import { UseError } from '../config.ts'
import type { ServedSite, ServedWorkspace } from '../runtime/site.ts'
import { exitCodes } from './failures.ts'
import { openBuild } from './open-build.ts'
import { type CommonFlags, readSecret, readSettings } from './options.ts'
import { plural } from './report.ts'
import { terminalOf } from './terminal.ts'
import { deliver, signMessage, webhookTargets } from './webhook.ts'

/** The flags of `quarry notify`. */
export interface NotifyFlags extends CommonFlags {
  readonly url: readonly string[]
  /** Id of a build. */
  readonly since?: string
  /** Id of a workspace. */
  readonly workspace?: string
  /** Timeout of each attempt in milliseconds. @default 10 000 */
  readonly deadline?: number
}

/** Changes in a message. */
interface Changes {
  readonly build: string
  readonly since: string
  /** By workspace; workspaces without changes are omitted. */
  readonly workspaces: Readonly<Record<string, readonly Change[]>>
}

/** Posts the changes; exits with 1 if a target rejects them. */
export async function runNotify(flags: NotifyFlags): Promise<void> {
  const targets = webhookTargets(flags.url)
  const secret = readSecret('QUARRY_NOTIFY_SECRET')
  if (secret === undefined) {
    throw new UseError('QUARRY_NOTIFY_SECRET is not set. Make one with: openssl rand -hex 32')
  }
  const settings = await readSettings(flags)
  if (!settings.changes) {
    throw new UseError('The site keeps no changes. Add `changes: true` to the configuration.')
  }
  const record = deliveryRecord(settings.cache, flags)
  const changes = await readChanges(resolve(settings.out), flags, record.last)
  const terminal = terminalOf(process.env, process.stderr)
  const lost = lostSince(changes, flags, record.last)
  if (lost !== null) {
    const text = `The changes between build ${lost}, the last one that was sent, and build ${changes.since} are not kept: no message names them.`
    process.stderr.write(`${terminal.yellow('warning:')} ${text}\n`)
  }
  const count = Object.values(changes.workspaces).flat().length
  if (count === 0) {
    process.stdout.write(`Nothing changed since build ${changes.since}. Nothing was sent.\n`)
    return
  }
  const delivery = randomUUID()
  const message = signMessage(JSON.stringify({ delivery, ...changes }), delivery, secret)
  const report = async (target: (typeof targets)[number]) => {
    const problem = await deliver(target, message, flags.deadline ?? 10_000)
    if (problem === null) {
      const text = `${plural(count, 'change')} of build ${changes.build}`
      process.stdout.write(`Posted ${text} to ${target.name}.\n`)
    } else {
      process.stderr.write(`${terminal.red('error:')} ${target.name} failed: ${problem}.\n`)
      process.exitCode = exitCodes.content
    }
  }
  await Promise.all(targets.map(report))
  if (process.exitCode === undefined) record.add(changes)
}

/** Messages that all receivers accepted. */
interface Delivered {
  /** Build of the last message. */
  readonly build: string
  /** Posts in its messages, as `postKey`. */
  readonly posts: readonly string[]
}

/** The record of messages to these receivers; not stored if the cache is disabled. */
function deliveryRecord(
  cache: string | null,
  { url, workspace = '' }: NotifyFlags,
): { readonly last: Delivered | null; add(changes: Changes): void } {
  if (cache === null) return { last: null, add: () => {} }
  // A URL may contain a token, so the file is named by its hash.
  const path = join(cache, `notified-${hash('sha256', JSON.stringify([workspace, url]))}.json`)
  const last = readDelivered(path)
  const add = ({ build, workspaces }: Changes) => {
    const named = Object.entries(workspaces).flatMap(([id, changes]) =>
      changes.map((change) => postKey(id, change)),
    )
    const posts = [...(last?.build === build ? last.posts : []), ...named]
    makeFolders(cache)
    writeFileSync(path, JSON.stringify({ build, posts }))
  }
  return { last, add }
}

/** @returns null if the file is missing or damaged */
function readDelivered(path: string): Delivered | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

function postKey(workspace: string, { id }: Change): string {
  return `${workspace} ${id}`
}

/**
 * Returns the current response to `GET …/changes`.
 *
 * @param last the last messages: posts that became due after their build are named once
 * @throws UseError for an unknown build or workspace
 */
async function readChanges(
  out: string,
  { since, workspace }: NotifyFlags,
  last: Delivered | null,
): Promise<Changes> {
  const live = await openBuild(out, {})
  try {
    const site = live.current()
    const steps = (await site.steps()).map((step) => step.since)
    const first = since ?? firstBuild([site.build, ...steps], last)
    const notified = new Set(since === undefined && last?.build === site.build ? last.posts : [])
    const found: [string, readonly Change[]][] = []
    for (const [id, served] of chosenWorkspaces(site, workspace)) {
      const all = await changesSince(first, served)
      const changes = all.filter((change) => !notified.has(postKey(id, change)))
      if (changes.length > 0) found.push([id, changes])
    }
    return { build: site.build, since: first, workspaces: Object.fromEntries(found) }
  } finally {
    live.close()
  }
}

/**
 * Returns the build from which changes are sent.
 *
 * @param kept builds whose changes are stored, latest first
 */
function firstBuild(kept: readonly [string, ...string[]], last: Delivered | null): string {
  const [latest, before = latest] = kept
  if (last === null) return before
  return kept.includes(last.build) ? last.build : (kept.at(-1) ?? latest)
}

/** Returns the last build that was sent, if some changes since then are lost; null otherwise. */
function lostSince(
  changes: Changes,
  { since }: NotifyFlags,
  last: Delivered | null,
): string | null {
  return since !== undefined || last === null || last.build === changes.since ? null : last.build
}

/** Returns the workspaces with a public v1, or the selected workspace. */
function chosenWorkspaces(
  { workspaces }: ServedSite,
  named: string | undefined,
): readonly (readonly [string, ServedWorkspace])[] {
  if (named === undefined) return [...workspaces].filter(([, { isV1Private }]) => !isV1Private)
  const found = workspaces.get(named)
  if (found === undefined) throw new UseError(`The build has no workspace ${named}.`)
  return [[named, found]]
}

async function changesSince(since: string, served: ServedWorkspace): Promise<readonly Change[]> {
  const snapshot = await served.open()
  const { first } = visibilityAt(snapshot, Date.now())
  try {
    return JSON.parse(await changesJson(since, snapshot, first)).changes
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new UseError(`The changes since build ${since} are not kept in this output folder.`)
  }
}
