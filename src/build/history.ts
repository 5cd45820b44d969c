// The changes since the last build, found by its snapshot.
import { join } from 'node:path'
import { bodyBytes, etagOf } from '../api/api-response.ts'
import { postBody, stepsMax } from '../api/changes.ts'
import { filePath } from '../api/paths.ts'
import { defaultParameters, type Version } from '../api/request.ts'
import { respond } from '../api/respond.ts'
import type { BuildStep, Change, Snapshot } from '../api/snapshot.ts'
import { withTranslations } from '../api/targets.ts'
import { visibilityAt } from '../api/visibility.ts'
import { openBuild, type ServedSite } from '../runtime/open-build.ts'
import { functionFolder } from '../snapshot/format.ts'
import { createFileStorage, sha256 } from './disk.ts'
import type { OutputFile } from './output.ts'

/** A workspace of the new build. */
export interface BuiltWorkspace {
  readonly id: string
  readonly isV1Private: boolean
  readonly snapshot: Snapshot
  /** The number of scheduled posts at the moment of the build. */
  readonly scheduled: number
}

/**
 * The responses to `changes` without `since`, and the steps for the function: none without an earlier build.
 *
 * @param build the build's id. These files are not part of it, because each names it or an earlier one
 * @param out the output folder, with the last build in it
 * @param now milliseconds since 1970
 */
export async function changesUpTo(
  build: string,
  out: string,
  built: readonly BuiltWorkspace[],
  { versions, now }: { readonly versions: readonly Version[]; readonly now: number },
): Promise<{ readonly responses: readonly OutputFile[]; readonly steps: readonly BuildStep[] }> {
  const steps = await stepsUpTo(build, out, built, now)
  const responses: OutputFile[] = []
  for (const { id, isV1Private, snapshot: all, scheduled } of built) {
    const snapshot = withTranslations(all, now, isV1Private ? 'v2' : 'v1')
    const history = () => ({ workspace: id, build, scheduled, steps })
    const parameters = defaultParameters
    const request = { resource: 'changes', identifier: null, parameters, workspace: id } as const
    const paths = versions
      .filter((version) => version === 'v2' || !isV1Private)
      .flatMap((version) => filePath({ ...request, version }) ?? [])
    if (paths.length === 0) continue
    const { body } = await respond({ ...request, version: 'v2' }, { ...snapshot, history }, now)
    const etag = await etagOf(body, snapshot, sha256)
    responses.push({ bytes: () => bodyBytes(body, snapshot), etag, paths })
  }
  return { responses, steps }
}

/** The steps up to a build; without a readable build in the folder, history starts again. */
async function stepsUpTo(
  build: string,
  out: string,
  built: readonly BuiltWorkspace[],
  now: number,
): Promise<readonly BuildStep[]> {
  let past: ServedSite
  let steps: readonly BuildStep[]
  try {
    past = await openBuild(createFileStorage(join(out, functionFolder)))
    // Opens everything that is needed: a damaged index counts as missing.
    for (const workspace of past.workspaces.values()) await workspace.open()
    steps = await past.steps()
  } catch {
    return []
  }
  if (past.build === build) return steps
  const changes: Record<string, readonly Change[]> = {}
  for (const { id, isV1Private, snapshot } of built) {
    const before = past.workspaces.get(id)
    const current = (all: Snapshot) => withTranslations(all, now, isV1Private ? 'v2' : 'v1')
    const found = await changesBetween(
      before && { snapshot: current(await before.open()), scheduled: before.scheduled },
      current(snapshot),
      now,
    )
    if (found.length > 0) changes[id] = found
  }
  return [{ since: past.build, changes }, ...steps].slice(0, stepsMax)
}

/**
 * The changes of visible posts. Posts that became due in the meantime count as published, whether or not they changed.
 *
 * @param before undefined for a new workspace
 */
async function changesBetween(
  before: { readonly snapshot: Snapshot; readonly scheduled: number } | undefined,
  after: Snapshot,
  now: number,
): Promise<readonly Change[]> {
  const known = new Set<number>()
  const changes: Change[] = []
  for (let post = visibilityAt(after, now).first; post < after.postCount; post++) {
    const { id, slug, publishedAt, updatedAt } = await after.post(post)
    const old = before === undefined ? -1 : await findById(before.snapshot, id)
    known.add(old)
    const etag = await etagOf(postBody(post), after)
    if (before === undefined || old < before.scheduled) {
      changes.push({ type: 'published', id, slug, etag, at: publishedAt })
    } else if ((await etagOf(postBody(old), before.snapshot)) !== etag) {
      const at = updatedAt > publishedAt ? updatedAt : publishedAt
      changes.push({ type: 'updated', id, slug, etag, at })
    }
  }
  if (before === undefined) return changes
  const { snapshot } = before
  for (let post = visibilityAt(snapshot, now).first; post < snapshot.postCount; post++) {
    if (known.has(post)) continue
    const { id, slug } = await snapshot.post(post)
    const etag = await etagOf(postBody(post), snapshot)
    changes.push({ type: 'removed', id, slug, etag, at: new Date(now).toISOString() })
  }
  return changes
}

/** The ordinal of the post with an id; another post's slug may be the same text. */
async function findById(snapshot: Snapshot, id: string): Promise<number> {
  const found = snapshot.findPost(id)
  return found >= 0 && (await snapshot.post(found)).id === id ? found : -1
}
