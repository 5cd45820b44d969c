// The changes since the last build, found by comparing snapshots.
import { join } from 'node:path'
import { etagOf } from '../api/api-response.ts'
import { utf8 } from '../api/bytes.ts'
import { changeKey, changesJson, rowChange, stepsMax } from '../api/changes.ts'
import { readPost, readTerm } from '../api/include.ts'
import type { Version } from '../api/request.ts'
import { termKinds } from '../api/resources.ts'
import type { BuildStep, Change, Snapshot } from '../api/snapshot.ts'
import { snapshotAt } from '../api/targets.ts'
import { visibilityAt, visibleTerms, withPosts } from '../api/visibility.ts'
import {
  allRows,
  openBuild,
  type ServedRows,
  type ServedSite,
  type ServedWorkspace,
} from '../runtime/open-build.ts'
import { functionFolder } from '../snapshot/format.ts'
import { createFileStorage, sha256 } from './disk.ts'
import type { OutputFile } from './output.ts'
import { changesPaths } from './plan.ts'

/**
 * Returns the responses to `changes` without `since`.
 *
 * @param build the build's id. It does not depend on these files, because each contains the id of a build
 * @param now milliseconds since 1970
 */
export async function changesResponses(
  build: string,
  steps: readonly BuildStep[],
  { workspaces }: ServedSite,
  { versions, now }: { readonly versions: readonly Version[]; readonly now: number },
): Promise<readonly OutputFile[]> {
  const responses: OutputFile[] = []
  for (const [id, workspace] of workspaces) {
    const { scheduled } = workspace
    const history = () => ({ workspace: id, build, scheduled, steps })
    const paths = changesPaths(id, workspace, versions)
    if (paths.length === 0) continue
    // Nothing has appeared since the build, so no space is read.
    const json = (await changesJson('', { history }, now)) ?? ''
    const etag = await etagOf([json], await workspace.open(), sha256)
    responses.push({ bytes: () => utf8(json), etag, paths })
  }
  return responses
}

/**
 * Returns the steps up to a build. Without a readable build in the folder, the history starts again.
 *
 * @param out the output folder, with the last build in it
 * @param served the workspaces of the new build
 * @param now milliseconds since 1970
 */
export async function stepsUpTo(
  build: string,
  out: string,
  served: ServedSite,
  now: number,
): Promise<readonly BuildStep[]> {
  let past: ServedSite
  let steps: readonly BuildStep[]
  try {
    past = await openBuild(createFileStorage(join(out, functionFolder)))
    // Opens everything that is needed: a damaged index counts as missing.
    for (const rows of [...past.workspaces.values()].flatMap(allRows)) await rows.open()
    steps = await past.steps()
  } catch {
    return []
  }
  if (past.build === build) return steps
  const changes: Record<string, readonly Change[]> = {}
  for (const [id, workspace] of served.workspaces) {
    const version = workspace.isV1Private ? 'v2' : 'v1'
    const before = past.workspaces.get(id)
    const found = changesBetween(
      before === undefined ? new Map() : await visibleIn(before, now, version),
      await visibleIn(workspace, now, version),
      new Date(now).toISOString(),
    )
    if (found.length > 0) changes[id] = found
  }
  return [{ since: past.build, changes }, ...steps].slice(0, stepsMax)
}

/** A visible resource. A date is '' if there is none. `isLate` means that it was scheduled at its build. */
type Visible = Omit<Change, 'type' | 'at'> &
  Readonly<{ publishedAt: string; updatedAt: string; isLate: boolean }>

/**
 * Returns all visible resources by `changeKey`. After a scheduled post has appeared, its terms and images, and other
 * references to it, count only from the next build on.
 */
async function visibleIn(
  workspace: ServedWorkspace,
  now: number,
  version: Version,
): Promise<ReadonlyMap<string, Visible>> {
  const found = new Map<string, Visible>()
  const add = (visible: Visible) => found.set(changeKey(visible), visible)
  const undated = { publishedAt: '', updatedAt: '', isLate: false }
  const { collections = new Map<string, ServedRows>(), singletons } = workspace
  const all: [kind: string, ServedRows][] = [['posts', workspace]]
  for (const [name, rows] of collections) all.push([`collections/${name}`, rows])
  if (singletons !== undefined) all.push(['singletons', singletons])
  // Since then, references and translations are as in the build.
  const since = Math.max(...all.map(([, { instants }]) => instants[0] ?? 0))
  for (const [kind, { scheduled, open }] of all) {
    const snapshot = snapshotAt(await open(), since, version)
    for (let row = visibilityAt(snapshot, now).first; row < snapshot.postCount; row++) {
      const { publishedAt, updatedAt } = await readPost(row, snapshot)
      const isLate = row < scheduled
      add({ ...(await rowChange(kind, row, snapshot)), publishedAt, updatedAt, isLate })
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
