// `quarry notify`: posts the changes of a build to webhooks, signed, after its deployment.
import { createHmac, createSecretKey, hash, type KeyObject, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Change } from '#client'
import { changeKey, changesJson } from '../api/changes.ts'
import { readPost, readTerm } from '../api/include.ts'
import type { TermKind } from '../api/resources.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { UseError } from '../diagnostics.ts'
import type { ServedSite, ServedWorkspace } from '../runtime/open-build.ts'
import { openBuild } from './open-build.ts'
import { exitCodes } from './report.ts'
import { type CommonFlags, readSettings } from './settings.ts'
import { plural, terminalOf } from './terminal.ts'

/** Flags of `quarry notify`. The deadline is the timeout of each attempt in milliseconds. */
type NotifyFlags = CommonFlags &
  Readonly<{ url: readonly string[]; since?: string; workspace?: string; deadline?: number }> &
  Readonly<{ format?: 'quarry' | 'marble' }>

/** Changes in a message, by workspace; workspaces without changes are omitted. */
interface Changes extends Readonly<Record<'build' | 'since', string>> {
  readonly workspaces: Readonly<Record<string, readonly Change[]>>
}

/** The build up to which all receivers accepted messages, and its changes, by workspace and `changeKey`. */
type Delivered = Readonly<{ build: string; changes: readonly string[] }>

/** A receiver. Its name has origin and position, because path and query may contain a token. */
type Target = Readonly<{ url: string; name: string }>

/** Runs `quarry notify`: posts the changes; exits with 1 if a receiver rejects them. */
export async function runNotify(flags: NotifyFlags): Promise<void> {
  const targets = flags.url.map(targetOf)
  const secret = readSecret(process.env['QUARRY_NOTIFY_SECRET'] ?? '')
  const settings = await readSettings(flags)
  if (!settings.changes)
    throw new UseError('The site records no changes. Add `changes: true` to the configuration.')
  // A URL may contain a token, so its hash is the name of the record.
  const name = `notify-${hash('sha256', JSON.stringify([flags.workspace ?? '', flags.url]))}.json`
  const record = join(settings.cache, name)
  const last = readDelivered(record)
  const { changes, messages } = await readMessages(resolve(settings.out), flags, last, secret)
  const terminal = terminalOf(process.env, process.stderr)
  if (flags.since === undefined && last !== null && last.build !== changes.since)
    process.stderr.write(
      `${terminal.yellow('warning:')} The changes from build ${last.build}, the last one sent, to build ${changes.since} are no longer recorded and were not sent.\n`,
    )
  const all = Object.entries(changes.workspaces).flatMap(([id, each]) =>
    each.map((change) => `${id} ${changeKey(change)}`),
  )
  if (all.length === 0) {
    process.stdout.write(`Nothing changed since build ${changes.since}. Nothing was sent.\n`)
    return
  }
  const problems = await Promise.all(
    targets.map(async (target) => {
      let problem: string | null = null
      for (const message of messages)
        problem ??= await deliver(target, message, flags.deadline ?? 10_000)
      const sent = `${plural(all.length, 'change')} of build ${changes.build}`
      if (problem === null) process.stdout.write(`Sent ${sent} to ${target.name}.\n`)
      else process.stderr.write(`${terminal.red('error:')} ${target.name} failed: ${problem}.\n`)
      return problem
    }),
  )
  if (problems.some((problem) => problem !== null)) process.exitCode = exitCodes.content
  else {
    const sent = [...(last?.build === changes.build ? last.changes : []), ...all]
    mkdirSync(settings.cache, { recursive: true })
    writeFileSync(record, JSON.stringify({ build: changes.build, changes: sent }))
  }
}

/** Returns the secret as an opaque object, which JSON and errors do not reveal. @throws UseError for a weak secret */
function readSecret(secret: string): KeyObject {
  const problem = secret === '' ? 'not set' : 'shorter than 16 characters'
  if (secret.length >= 16) return createSecretKey(secret, 'utf8')
  throw new UseError(`QUARRY_NOTIFY_SECRET is ${problem}. Create one with: openssl rand -hex 32`)
}

/** Reads the record of deliveries; null if it is missing or damaged. */
function readDelivered(path: string): Delivered | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** Returns the changes of public workspaces, or of the selected one, and the messages that are not sent yet. */
async function readMessages(
  out: string,
  { since, workspace, format }: NotifyFlags,
  last: Delivered | null,
  secret: KeyObject,
): Promise<{ readonly changes: Changes; readonly messages: readonly Message[] }> {
  const site = await openBuild(out)
  const { build, workspaces } = site
  if (workspace !== undefined && !workspaces.has(workspace))
    throw new UseError(`The build has no workspace ${workspace}.`)
  const kept = [build, ...(await site.steps()).map((step) => step.since)]
  const first = since ?? firstBuild(kept, last) ?? build
  const notified = new Set(since === undefined && last?.build === build ? last.changes : [])
  const found: [string, readonly Change[]][] = []
  for (const [id, served] of workspaces) {
    if (workspace === undefined ? served.isV1Private : id !== workspace) continue
    const changes = (await changesSince(first, served)).filter(
      (change) =>
        !notified.has(`${id} ${changeKey(change)}`) &&
        (format !== 'marble' || Object.hasOwn(marbleEvents, change.kind)),
    )
    if (changes.length > 0) found.push([id, changes])
  }
  const changes = { build, since: first, workspaces: Object.fromEntries(found) }
  const messages =
    format === 'marble' ? await marbleMessages(site, changes, secret) : [signed(changes, secret)]
  return { changes, messages }
}

/** Returns the build from which changes are sent. @param kept builds whose changes are recorded, latest first */
function firstBuild(kept: readonly string[], last: Delivered | null): string | undefined {
  if (last === null) return kept[1]
  return kept.includes(last.build) ? last.build : kept.at(-1)
}

async function changesSince(since: string, served: ServedWorkspace): Promise<readonly Change[]> {
  const version = served.isV1Private ? 'v2' : 'v1'
  const changes = await changesJson(since, await served.open(), Date.now(), { version })
  if (changes !== null) return JSON.parse(changes).changes
  throw new UseError(`The changes since build ${since} are not recorded in this output folder.`)
}

/** @throws UseError, without the URL, if it is not an HTTP URL, or has credentials, which `fetch` rejects */
function targetOf(text: string, index: number): Target {
  const place = `--url ${index + 1}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new UseError(`${place} must be an http or https URL without a user name or password.`)
  return { url: url.href, name: `${url.origin} (${place})` }
}

/** A message with its headers. */
type Message = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>

/** Returns one signed message for all changes. */
function signed(changes: Changes, secret: KeyObject): Message {
  const delivery = randomUUID()
  const body = JSON.stringify({ delivery, ...changes })
  const headers = {
    'content-type': 'application/json',
    'x-quarry-delivery': delivery,
    'x-quarry-signature': signatureOf(body, secret),
  }
  return { body, headers }
}

/** Returns an HMAC-SHA-256 over the bytes of a body. */
function signatureOf(body: string, secret: KeyObject): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** The vendor's names of events for published resources, by kind. */
const marbleEvents: Readonly<Record<string, string>> = {
  posts: 'post.published',
  categories: 'category.created',
  tags: 'tag.created',
  authors: 'author.created',
  media: 'media.uploaded',
}

/** Returns a message per change (https://docs.marblecms.com/features/webhooks). Events keep their id. */
async function marbleMessages(
  site: ServedSite,
  changes: Changes,
  secret: KeyObject,
): Promise<readonly Message[]> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const messages: Message[] = []
  for (const [workspace, each] of Object.entries(changes.workspaces)) {
    const snapshot = await site.workspaces.get(workspace)?.open()
    for (const change of each) {
      const { type, kind, at: createdAt } = change
      const [resource, event] = marbleEvents[kind]?.split('.') ?? []
      if (snapshot === undefined || resource === undefined) continue
      const name = `${resource}.${{ published: event, updated: type, removed: 'deleted' }[type]}`
      const id = `evt_${hash('sha256', JSON.stringify([workspace, change])).slice(0, 24)}`
      const body = JSON.stringify({
        ...{ id, type: name, createdAt, workspaceId: workspace },
        ...{ resource: { type: resource, id: change.id }, actor: null },
        data: await marbleData(change, snapshot),
      })
      const headers = {
        ...{ 'content-type': 'application/json', 'x-marble-event': name },
        ...{ 'x-marble-event-id': id, 'x-marble-delivery-id': randomUUID() },
        ...{ 'x-marble-timestamp': timestamp, 'x-marble-signature': signatureOf(body, secret) },
      }
      messages.push({ body, headers })
    }
  }
  return messages
}

/** Returns a resource in the vendor's form. Of a removed resource, only id and slug are known. */
async function marbleData({ type, kind, id, slug }: Change, snapshot: Snapshot): Promise<object> {
  if (type === 'removed') return { id, slug }
  // Changed keys are not recorded.
  const changes = type === 'updated' ? { changes: [] } : {}
  if (kind === 'media')
    return { ...(await snapshot.assets()).media.find((media) => media.id === id), ...changes }
  if (kind !== 'posts') {
    const term = kind as TermKind
    const { fields, ...own } = await readTerm(term, snapshot.findTerm(term, id), snapshot)
    const email = kind === 'authors' ? { email: null } : {}
    return { ...own, ...email, createdAt: null, updatedAt: null, ...changes }
  }
  const post = await readPost(snapshot.findPost(id), snapshot)
  const { title, description, coverImage, featured, publishedAt, updatedAt } = post
  return {
    ...{ id, title, slug, description, coverImage, status: 'published', featured },
    ...{ categoryId: post.category.id, primaryAuthorId: post.authors[0]?.id ?? null },
    ...{ publishedAt, createdAt: publishedAt, updatedAt, ...changes },
  }
}

/** Sends at most three times, without redirects to other hosts. @returns the last problem; null on success */
async function deliver(target: Target, message: Message, deadline: number): Promise<string | null> {
  for (let number = 1; ; number++) {
    const signal = AbortSignal.timeout(deadline)
    const init = { method: 'POST', ...message, redirect: 'manual', signal } as const
    const problem = await fetch(target.url, init)
      .then(async ({ ok, status, body }) => {
        await body?.cancel()
        if (ok) return null
        return status < 400 ? `status ${status}, a redirect` : `status ${status}`
      })
      .catch((error) =>
        signal.aborted ? `no response within ${deadline / 1000} s` : reasonOf(error),
      )
    // Another attempt would not change other statuses below 500.
    if (problem === null || /^status (?!408|429)[1-4]/.test(problem)) return problem
    if (number === 3) return `${problem}, after 3 attempts`
    await pause((deadline / 10) * 3 ** (number - 1))
  }
}

/** Returns the error code in the cause of a `fetch` error, which contains no part of the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return 'the connection failed'
}
