// The changes since the last build, found by comparing snapshots, and its lost slugs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '#client'
import { etagOf } from '../api/api-response.ts'
import { utf8 } from '../api/bytes.ts'
import { changeKey, changesJson, rowBody, stepsMax } from '../api/changes.ts'
import { readPosts, readTerm } from '../api/include.ts'
import { type Version, versions } from '../api/request.ts'
import { type Post, termKinds } from '../api/resources.ts'
import type { Awaitable, BuildStep, Snapshot } from '../api/snapshot.ts'
import { snapshotAt } from '../api/targets.ts'
import { visibilityAt, visibleTerms, withPosts } from '../api/visibility.ts'
import { nearest } from '../content/source.ts'
import { type Diagnostic, diagnosticAt, fileStart } from '../diagnostics.ts'
import type { Workspace } from '../model/library.ts'
import type { ParsedPost } from '../model/posts.ts'
import {
  allRows,
  openBuild,
  type ServedRows,
  type ServedSite,
  type ServedWorkspace,
} from '../runtime/open-build.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import { createFileStorage } from './disk.ts'
import type { Output } from './output.ts'
import type { PlannedFile } from './plan.ts'

/**
 * Adds responses to `changes` without `since` to the output.
 *
 * @param build the build's id. It does not depend on these files, because each contains the id of a build
 * @param now milliseconds since 1970
 */
export async function addChanges(
  output: Output,
  planned: Iterable<PlannedFile>,
  build: string,
  steps: readonly BuildStep[],
  now: number,
): Promise<void> {
  for (const { request, paths } of planned) {
    const history = () => ({ workspace: request.workspace, build, scheduled: 0, steps })
    // Nothing has appeared since the build, so no space is read.
    const json = (await changesJson('', { history, spaces: new Map() }, now, request)) ?? ''
    const etag = await etagOf([json], { sums: async () => [] })
    await output.add({ bytes: () => utf8(json), etag, paths })
  }
}

/** How a build differs from the last one in its output folder. */
export interface Differences {
  /** The changes up to the build, newest first. */
  readonly steps: readonly BuildStep[]
  /** A warning for each lost slug. */
  readonly lost: readonly Diagnostic[]
  /** True if the last build cannot be read: the changes of earlier builds are lost. */
  readonly isLastDamaged: boolean
}

/**
 * Compares a build with the last one.
 *
 * @param out the output folder
 * @param build the new build's id
 * @param served the new build; undefined without a history
 * @param workspaces those whose slugs are compared
 * @param now milliseconds since 1970
 */
export async function compareWithLast(
  out: string,
  build: string,
  served: ServedSite | undefined,
  workspaces: readonly Workspace[],
  now: number,
): Promise<Differences> {
  const folder = join(out, functionFolder)
  const none = { steps: [], lost: [] }
  const isAsked = served !== undefined || workspaces.length > 0
  if (!isAsked || !existsSync(join(folder, rootName))) return { ...none, isLastDamaged: false }
  try {
    const last = await openBuild(createFileStorage(folder))
    const steps = served === undefined ? [] : await stepsOf(build, last, served, now)
    return { steps, lost: await lostSlugs(last, workspaces), isLastDamaged: false }
  } catch {
    return { ...none, isLastDamaged: true }
  }
}

/** Returns the steps up to a build. @throws if the last build is damaged */
async function stepsOf(
  build: string,
  last: ServedSite,
  served: ServedSite,
  now: number,
): Promise<readonly BuildStep[]> {
  const steps = await last.steps()
  if (last.build === build) return steps
  const shown = [...served.workspaces].flatMap(([id, after]) => {
    const before = last.workspaces.get(id)
    const differ = [before, after].some((each) => each?.isV1Private || each?.hidesTranslations)
    if (!differ) return [{ key: id, before, after, version: 'v1' as const }]
    return versions.map((version) => ({ key: `${version}/${id}`, before, after, version }))
  })
  const changes: Record<string, readonly Change[]> = {}
  for (const { key, before, after, version } of shown) {
    const old = await visibleIn(before, now, version)
    const next = await visibleIn(after, now, version, now)
    const found = await changesBetween(old, next, new Date(now).toISOString())
    if (found.length > 0) changes[key] = found
  }
  return [{ since: last.build, changes }, ...steps].slice(0, stepsMax)
}

/** A visible resource. `isLate` means that it was scheduled at its build. @default false */
interface Visible extends Omit<Change, 'type' | 'at'> {
  readonly isLate?: boolean
  /** Returns its dates, if it has them. */
  readonly dates: () => Awaitable<Partial<Pick<Post, 'publishedAt' | 'updatedAt'>> | undefined>
}

/**
 * Returns all resources that a version shows, by `changeKey`; none without a workspace, or if its v1 is private. After a
 * scheduled post has appeared, its terms and images, and other references to it, count only from the next build on.
 *
 * @param since time since which references and translations were as in the build, in milliseconds since 1970. @default
 *   the latest instant of the build
 */
async function visibleIn(
  workspace: ServedWorkspace | undefined,
  now: number,
  version: Version,
  since?: number,
): Promise<ReadonlyMap<string, Visible>> {
  const found = new Map<string, Visible>()
  if (workspace === undefined || (version === 'v1' && workspace.isV1Private)) return found
  const lasts = allRows(workspace).map(({ instants: [last = 0] }) => last)
  const add = (visible: Visible) => found.set(changeKey(visible), visible)
  const { collections = new Map<string, ServedRows>(), singletons } = workspace
  const all: [kind: string, ServedRows][] = [['posts', workspace]]
  for (const [name, rows] of collections) all.push([`collections/${name}`, rows])
  if (singletons !== undefined) all.push(['singletons', singletons])
  for (const [kind, { scheduled, open }] of all) {
    const { ids, slugs, ...opened } = await open()
    const snapshot = snapshotAt(opened, since ?? Math.max(...lasts), version)
    for (let row = visibilityAt(snapshot, now).first; row < snapshot.postCount; row++) {
      const [id = '', slug = ''] = [ids[row], slugs[row]]
      const etag = await etagOf(rowBody(kind, row, snapshot), snapshot)
      const dates = async () => (await readPosts([row], snapshot))[0]
      add({ kind, id, slug, etag, isLate: row < scheduled, dates })
    }
    if (kind === 'posts') for (const each of await termsAndMedia(snapshot, scheduled)) add(each)
  }
  return found
}

/** @param first ordinal of the latest published post */
async function termsAndMedia(snapshot: Snapshot, first: number): Promise<readonly Visible[]> {
  const found: Visible[] = []
  const view = withPosts(snapshot, (post) => post >= first)
  for (const kind of termKinds) {
    for (const ordinal of visibleTerms(kind, view)) {
      const { id, slug } = await readTerm(kind, ordinal, snapshot)
      const body = [{ of: kind, part: 'resource', ordinal }, '}'] as const
      const etag = await etagOf(body, snapshot)
      found.push({ kind, id, slug, etag, dates: () => ({}) })
    }
  }
  const since = first < snapshot.postCount ? snapshot.publishedAt(first) : Number.NEGATIVE_INFINITY
  for (const media of (await snapshot.assets()).media) {
    const { id, createdAt: publishedAt } = media
    const etag = await etagOf([JSON.stringify({ media })], snapshot)
    if (Date.parse(publishedAt) <= since)
      found.push({ kind: 'media', id, slug: id, etag, dates: () => ({ publishedAt }) })
  }
  return found
}

/** The changes of visible resources. Resources that appeared between the builds count as published. */
async function changesBetween(
  before: ReadonlyMap<string, Visible>,
  after: ReadonlyMap<string, Visible>,
  now: string,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  const add = (type: Change['type'], { kind, id, slug, etag }: Visible, at: string) =>
    changes.push({ type, kind, id, slug, etag, at: at || now })
  for (const [key, visible] of after) {
    const old = before.get(key)
    const isNew = old === undefined || old.isLate
    if (!isNew && old.etag === visible.etag) continue
    const { publishedAt = '', updatedAt = '' } = (await visible.dates()) ?? {}
    if (isNew) add('published', visible, publishedAt)
    else add('updated', visible, updatedAt > publishedAt ? updatedAt : publishedAt)
  }
  for (const [key, visible] of before) if (!after.has(key)) add('removed', visible, now)
  return changes
}

/** Returns a warning for each slug of the last build that is no longer a slug or an alias of a post or draft. */
async function lostSlugs(
  last: ServedSite,
  workspaces: readonly Workspace[],
): Promise<readonly Diagnostic[]> {
  const lost: Diagnostic[] = []
  const all = workspaces.flatMap((each) => [each, ...each.collections])
  for (const { id, collection, posts, drafts } of all) {
    const own = last.workspaces.get(id)
    const rows = collection === null ? own : own?.collections?.get(collection.name)
    const slugs = new Set((await rows?.open())?.slugs.slice(rows?.scheduled))
    const known = new Set([
      ...posts.flatMap(({ post, aliases }) => [post.slug, post.id, ...aliases]),
      ...drafts.map(({ post }) => post.slug),
    ])
    const fresh = posts.filter(({ post }) => !slugs.has(post.slug))
    const names = fresh.map(({ post }) => post.slug)
    for (const slug of slugs) {
      if (known.has(slug)) continue
      const renamed = names.length === 1 ? names[0] : nearest(slug, names)
      const likely = fresh.find(({ post }) => post.slug === renamed)
      lost.push(lostSlug(id, collection, slug, likely))
    }
  }
  return lost
}

/** @param likely the post that most likely had the slug */
function lostSlug(
  workspace: string,
  collection: Workspace['collection'],
  slug: string,
  likely: ParsedPost | undefined,
): Diagnostic {
  const line = `aliases: [${[...(likely?.aliases ?? []), slug].join(', ')}]`
  const kind = collection === null ? 'post' : 'item'
  const one = collection === null ? 'a post' : `an item of ${collection.name}:`
  const which = likely === undefined ? `the ${kind} has another slug` : `this is the ${kind}`
  return diagnosticAt(likely?.body.file ?? workspace, fileStart, {
    code: 'lost-slug',
    severity: 'warning',
    message: `The last build had ${one} "${slug}", and no ${kind} has this slug or alias now.`,
    hint: `Links to it are broken. If ${which}, add \`${line}\` to it.`,
  })
}
