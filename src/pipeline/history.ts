// Computes the changes since the last build from its index.
import { join } from 'node:path'
import { etagOf } from '../api/api-response.ts'
import { postBody, stepsMax } from '../api/changes.ts'
import type { BuildStep, Change } from '../api/history.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { visibilityAt } from '../api/visibility.ts'
import { createFileStorage } from '../hosts/file-storage.ts'
import { openBuild } from '../runtime/open-build.ts'
import type { ServedSite } from '../runtime/site.ts'
import { functionFolder } from '../snapshot/format.ts'

/** Opens the last build; null when this version can read none: history then starts again. */
export async function openPast(out: string): Promise<ServedSite | null> {
  try {
    const site = await openBuild(createFileStorage(join(out, functionFolder)))
    // Opens everything that is needed: a damaged index counts as missing.
    for (const workspace of site.workspaces.values()) await workspace.open()
    await site.steps()
    return site
  } catch {
    return null
  }
}

/**
 * The steps up to a build.
 *
 * @param built workspaces that were built
 * @param now the moment of the build, in milliseconds since 1970
 */
export async function stepsUpTo(
  build: string,
  past: ServedSite | null,
  built: readonly { readonly id: string; readonly snapshot: Snapshot }[],
  now: number,
): Promise<readonly BuildStep[]> {
  if (past === null) return []
  const steps = await past.steps()
  if (past.build === build) return steps
  const changes: Record<string, readonly Change[]> = {}
  for (const { id, snapshot: after } of built) {
    const before = past.workspaces.get(id)
    const found =
      before === undefined
        ? await publishedIn(after, now)
        : await changesBetween(
            { snapshot: await before.open(), scheduled: before.scheduled },
            after,
            now,
          )
    if (found.length > 0) changes[id] = found
  }
  return [{ since: past.build, changes }, ...steps].slice(0, stepsMax)
}

interface PastWorkspace {
  readonly snapshot: Snapshot
  /** The number of scheduled posts at that build. */
  readonly scheduled: number
}

/**
 * The changes of visible posts. Posts that became due in the meantime count as published, whether or not they
 * changed.
 */
async function changesBetween(
  before: PastWorkspace,
  after: Snapshot,
  now: number,
): Promise<readonly Change[]> {
  const { first } = visibilityAt(after, now)
  const known = new Set<number>()
  const changes: Change[] = []
  for (let post = first; post < after.postCount; post++) {
    const { id, slug, publishedAt, updatedAt } = await after.post(post)
    const old = await findById(before.snapshot, id)
    known.add(old)
    const etag = await etagOf(postBody(post), after)
    if (old < before.scheduled) {
      changes.push({ type: 'published', id, slug, etag, at: publishedAt })
    } else if ((await etagOf(postBody(old), before.snapshot)) !== etag) {
      const at = updatedAt > publishedAt ? updatedAt : publishedAt
      changes.push({ type: 'updated', id, slug, etag, at })
    }
  }
  return [...changes, ...(await removedFrom(before.snapshot, known, now))]
}

/** @param known ordinals of posts that are still visible */
async function removedFrom(
  snapshot: Snapshot,
  known: ReadonlySet<number>,
  now: number,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (let post = visibilityAt(snapshot, now).first; post < snapshot.postCount; post++) {
    if (known.has(post)) continue
    const { id, slug } = await snapshot.post(post)
    const etag = await etagOf(postBody(post), snapshot)
    changes.push({ type: 'removed', id, slug, etag, at: new Date(now).toISOString() })
  }
  return changes
}

/** All visible posts of a new workspace. */
async function publishedIn(after: Snapshot, now: number): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (let post = visibilityAt(after, now).first; post < after.postCount; post++) {
    const { id, slug, publishedAt: at } = await after.post(post)
    const etag = await etagOf(postBody(post), after)
    changes.push({ type: 'published', id, slug, etag, at })
  }
  return changes
}

/** The ordinal of the post with an id; another post's slug may be the same text. */
async function findById(snapshot: Snapshot, id: string): Promise<number> {
  const found = snapshot.findPost(id)
  return found >= 0 && (await snapshot.post(found)).id === id ? found : -1
}
