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
import { allRows, openBuild, type ServedSite, type ServedWorkspace } from '../runtime/open-build.ts'
import { functionFolder } from '../snapshot/format.ts'
import { createFileStorage, sha256 } from './disk.ts'
import type { OutputFile } from './output.ts'
import { changesPaths } from './plan.ts'
import type { Space } from './snapshots.ts'

/** Posts, items or singletons at the moment of a build. */
interface BuiltRows {
  /** The kind in changes. */
  readonly kind: string
  readonly snapshot: Snapshot
  /** The number of scheduled rows at that moment. */
  readonly scheduled: number
}

/** The rows of a workspace. */
interface BuiltWorkspace {
  readonly all: readonly BuiltRows[]
  /** Time since which references and translations were as in the build, in milliseconds since 1970. */
  readonly namedSince: number
}

/**
 * Returns the responses to `changes` without `since`.
 *
 * @param build the build's id. It does not depend on these files, because each contains the id of a build
 * @param now milliseconds since 1970
 */
export async function changesResponses(
  build: string,
  steps: readonly BuildStep[],
  spaces: readonly Space[],
  { versions, now }: { readonly versions: readonly Version[]; readonly now: number },
): Promise<readonly OutputFile[]> {
  const responses: OutputFile[] = []
  for (const { workspace, snapshot, scheduled } of spaces) {
    const history = () => ({ workspace: workspace.id, build, scheduled, steps })
    const paths = changesPaths(workspace, versions)
    if (paths.length === 0) continue
    // Nothing has appeared since the build, so no space is read.
    const json = (await changesJson('', { history }, now)) ?? ''
    const etag = await etagOf([json], snapshot, sha256)
    responses.push({ bytes: () => utf8(json), etag, paths })
  }
  return responses
}

/**
 * Returns the steps up to a build. Without a readable build in the folder, the history starts again.
 *
 * @param out the output folder, with the last build in it
 * @param now milliseconds since 1970
 */
export async function stepsUpTo(
  build: string,
  out: string,
  spaces: readonly Space[],
  now: number,
): Promise<readonly BuildStep[]> {
  let past: ServedSite
  let steps: readonly BuildStep[]
  const pastRows = new Map<string, BuiltWorkspace>()
  try {
    past = await openBuild(createFileStorage(join(out, functionFolder)))
    // Opens everything that is needed: a damaged index counts as missing.
    for (const [id, workspace] of past.workspaces) pastRows.set(id, await rowsOf(workspace))
    steps = await past.steps()
  } catch {
    return []
  }
  if (past.build === build) return steps
  const changes: Record<string, readonly Change[]> = {}
  for (const space of spaces) {
    const { id, isV1Private } = space.workspace
    const version = isV1Private ? 'v2' : 'v1'
    const current = { all: [space, ...space.collections], namedSince: now }
    const found = changesBetween(
      await visibleIn(pastRows.get(id) ?? { all: [], namedSince: now }, now, version),
      await visibleIn(current, now, version),
      new Date(now).toISOString(),
    )
    if (found.length > 0) changes[id] = found
  }
  return [{ since: past.build, changes }, ...steps].slice(0, stepsMax)
}

async function rowsOf(workspace: ServedWorkspace): Promise<BuiltWorkspace> {
  const { collections = new Map(), singletons } = workspace
  const found: BuiltRows[] = [{ ...workspace, kind: 'posts', snapshot: await workspace.open() }]
  for (const [name, rows] of collections)
    found.push({ ...rows, kind: `collections/${name}`, snapshot: await rows.open() })
  if (singletons !== undefined)
    found.push({ ...singletons, kind: 'singletons', snapshot: await singletons.open() })
  const namedSince = Math.max(...allRows(workspace).map(({ instants: [last = 0] }) => last))
  return { all: found, namedSince }
}

/** A visible resource. A date is '' if there is none. `isLate` means that it was scheduled at its build. */
type Visible = Omit<Change, 'type' | 'at'> &
  Readonly<{ publishedAt: string; updatedAt: string; isLate: boolean }>

/**
 * Returns all visible resources by `changeKey`. After a scheduled post has appeared, its terms and images, and other
 * references to it, count only from the next build on.
 */
async function visibleIn(
  { all: rows, namedSince }: BuiltWorkspace,
  now: number,
  version: Version,
): Promise<Map<string, Visible>> {
  const found = new Map<string, Visible>()
  const add = (visible: Visible) => found.set(changeKey(visible), visible)
  const undated = { publishedAt: '', updatedAt: '', isLate: false }
  for (const { kind, snapshot: all, scheduled } of rows) {
    const snapshot = snapshotAt(all, namedSince, version)
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
