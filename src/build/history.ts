// The changes since the last build, and its lost slugs, found by comparing snapshots.
import { join } from 'node:path'
import { etagOf } from '../api/api-response.ts'
import { utf8 } from '../api/bytes.ts'
import { changeKey, changesJson, rowBody, stepsMax } from '../api/changes.ts'
import { readPosts, readTerm } from '../api/include.ts'
import type { Version } from '../api/request.ts'
import { type Post, termKinds } from '../api/resources.ts'
import type { BuildStep, Change, Snapshot } from '../api/snapshot.ts'
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
import { functionFolder } from '../snapshot/format.ts'
import { createFileStorage, sha256 } from './disk.ts'
import type { Output } from './output.ts'
import { changesPaths } from './plan.ts'

/**
 * Adds the responses to `changes` without `since` to the output.
 *
 * @param build the build's id. It does not depend on these files, because each contains the id of a build
 * @param now milliseconds since 1970
 */
export async function addChanges(
  output: Output,
  build: string,
  steps: readonly BuildStep[],
  { workspaces }: ServedSite,
  { versions, now }: { readonly versions: readonly Version[]; readonly now: number },
): Promise<void> {
  for (const [id, workspace] of workspaces) {
    const { scheduled } = workspace
    const history = () => ({ workspace: id, build, scheduled, steps })
    const paths = changesPaths(id, workspace, versions)
    if (paths.length === 0) continue
    // Nothing has appeared since the build, so no space is read.
    const json = (await changesJson('', { history, spaces: new Map() }, now)) ?? ''
    const etag = await etagOf([json], await workspace.open(), sha256)
    await output.add({ bytes: () => utf8(json), etag, paths })
  }
}

/** The changes of a build. */
interface History {
  /** The steps up to the build. */
  readonly steps: readonly BuildStep[]
  /** Warnings about slugs that are gone. */
  readonly lost: readonly Diagnostic[]
}

/**
 * Compares a build with the last one. Without a readable build in the folder, the history starts again.
 *
 * @param build the new build's id
 * @param out the output folder, with the last build in it
 * @param served the workspaces of the new build
 * @param now milliseconds since 1970
 */
export async function historyOf(
  build: string,
  out: string,
  workspaces: readonly Workspace[],
  served: ServedSite,
  now: number,
): Promise<History> {
  let past: ServedSite
  let steps: readonly BuildStep[]
  try {
    past = await openBuild(createFileStorage(join(out, functionFolder)))
    // Opens everything that is needed: a damaged index counts as missing.
    for (const rows of [...past.workspaces.values()].flatMap(allRows)) await rows.open()
    steps = await past.steps()
  } catch {
    return { steps: [], lost: [] }
  }
  if (past.build === build) return { steps, lost: [] }
  const changes: Record<string, readonly Change[]> = {}
  const lost: Diagnostic[] = []
  for (const workspace of workspaces) {
    const { id, isV1Private, collections } = workspace
    const visibleOf = async ({ workspaces }: ServedSite, namedSince?: number) => {
      const own = workspaces.get(id)
      const version = isV1Private ? 'v2' : 'v1'
      return own === undefined ? new Map() : visibleIn(own, now, version, namedSince)
    }
    const before = await visibleOf(past)
    const after = await visibleOf(served, now)
    const found = changesBetween(before, after, new Date(now).toISOString())
    if (found.length > 0) changes[id] = found
    for (const each of [workspace, ...collections]) lost.push(...lostSlugs(each, before.values()))
  }
  return { steps: [{ since: past.build, changes }, ...steps].slice(0, stepsMax), lost }
}

/** A visible resource. A date is '' if there is none. `isLate` means that it was scheduled at its build. */
type Visible = Omit<Change, 'type' | 'at'> &
  Readonly<{ publishedAt: string; updatedAt: string; isLate: boolean }>

/**
 * Returns all visible resources by `changeKey`. After a scheduled post has appeared, its terms and images, and other
 * references to it, count only from the next build on.
 *
 * @param namedSince time since which references and translations were as in the build, in milliseconds since 1970
 */
async function visibleIn(
  workspace: ServedWorkspace,
  now: number,
  version: Version,
  namedSince = Math.max(...allRows(workspace).map(({ instants: [last = 0] }) => last)),
): Promise<ReadonlyMap<string, Visible>> {
  const found = new Map<string, Visible>()
  const add = (visible: Visible) => found.set(changeKey(visible), visible)
  const undated = { publishedAt: '', updatedAt: '', isLate: false }
  const { collections = new Map<string, ServedRows>(), singletons } = workspace
  const all: [kind: string, ServedRows][] = [['posts', workspace]]
  for (const [name, rows] of collections) all.push([`collections/${name}`, rows])
  if (singletons !== undefined) all.push(['singletons', singletons])
  for (const [kind, { scheduled, open }] of all) {
    const snapshot = snapshotAt(await open(), namedSince, version)
    const { first } = visibilityAt(snapshot, now)
    const rows = Array.from({ length: snapshot.postCount - first }, (_, at) => first + at)
    for (const [at, post] of (await readPosts(rows, snapshot)).entries()) {
      // A singleton has only a name.
      const row: Partial<Post> & { readonly name?: string } = post
      const { name = '', id = name, slug = name, publishedAt = '', updatedAt = '' } = row
      const isLate = first + at < scheduled
      const etag = await etagOf(rowBody(kind, first + at, snapshot), snapshot, sha256)
      add({ kind, id, slug, etag, publishedAt, updatedAt, isLate })
    }
    if (kind === 'posts')
      for (const each of await termsAndMedia(snapshot, scheduled)) add({ ...undated, ...each })
  }
  return found
}

/** @param first ordinal of the latest published post */
async function termsAndMedia(snapshot: Snapshot, first: number) {
  const found: (Omit<Change, 'type' | 'at'> & { readonly publishedAt?: string })[] = []
  const view = withPosts(snapshot, (post) => post >= first)
  for (const kind of termKinds) {
    for (const ordinal of visibleTerms(kind, view)) {
      const { id, slug } = await readTerm(kind, ordinal, snapshot)
      const etag = await etagOf([{ of: kind, part: 'resource', ordinal }, '}'], snapshot)
      found.push({ kind, id, slug, etag })
    }
  }
  const since = first < snapshot.postCount ? snapshot.publishedAt(first) : Number.NEGATIVE_INFINITY
  for (const media of (await snapshot.assets()).media) {
    const { id, createdAt: publishedAt } = media
    const etag = await etagOf([JSON.stringify({ media })], snapshot)
    if (Date.parse(publishedAt) <= since)
      found.push({ kind: 'media', id, slug: id, etag, publishedAt })
  }
  return found
}

/** The changes of visible resources. Resources that appeared between the builds count as published. */
function changesBetween(
  before: ReadonlyMap<string, Visible>,
  after: ReadonlyMap<string, Visible>,
  now: string,
): readonly Change[] {
  const changes: Change[] = []
  const add = (type: Change['type'], { kind, id, slug, etag }: Visible, at: string) =>
    changes.push({ type, kind, id, slug, etag, at: at || now })
  for (const [key, visible] of after) {
    const { publishedAt, updatedAt } = visible
    const old = before.get(key)
    if (old === undefined || old.isLate) add('published', visible, publishedAt)
    else if (old.etag !== visible.etag)
      add('updated', visible, updatedAt > publishedAt ? updatedAt : publishedAt)
  }
  for (const [key, visible] of before) if (!after.has(key)) add('removed', visible, now)
  return changes
}

/** Returns one warning for each slug of the last build that is no longer a slug or an alias of a post or draft. */
function lostSlugs(
  { id, collection, posts, drafts }: Workspace,
  before: Iterable<Visible>,
): readonly Diagnostic[] {
  const kind = collection === null ? 'posts' : `collections/${collection.name}`
  const own = [...before].filter((each) => each.kind === kind && !each.isLate)
  const slugs = new Set(own.map(({ slug }) => slug))
  const known = new Set([
    ...posts.flatMap(({ post, aliases }) => [post.slug, post.id, ...aliases]),
    ...drafts.map(({ post }) => post.slug),
  ])
  const fresh = posts.filter(({ post }) => !slugs.has(post.slug))
  const names = fresh.map(({ post }) => post.slug)
  const gone = [...slugs].filter((slug) => !known.has(slug))
  return gone.map((slug) => {
    const renamed = names.length === 1 ? names[0] : nearest(slug, names)
    const likely = fresh.find(({ post }) => post.slug === renamed)
    return lostSlug(id, collection, slug, likely)
  })
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
