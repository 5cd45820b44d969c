// Changes of posts between builds, and since the last one: scheduled posts that are visible by now.
import { type Chunk, etagOf } from './api-response.ts'
import { ApiError } from './errors.ts'
import type { Change } from './history.ts'
import type { Snapshot } from './snapshot.ts'

/** Builds whose changes are kept. */
export const stepsMax = 20

/** The body of a post in HTML, without other parameters. */
export function postBody(ordinal: number): Chunk[] {
  const part = (name: 'head' | 'html' | 'tail'): Chunk => ({ of: 'posts', part: name, ordinal })
  return ['{"post":', part('head'), ',"content":', part('html'), part('tail'), '}']
}

/**
 * The JSON of the changes since a build.
 *
 * @param since id of a build; '' for all that is kept
 * @param first ordinal of the latest published post
 * @throws ApiError 410 for a build that is not kept
 */
export async function changesJson(
  since: string,
  snapshot: Pick<Snapshot, 'digest' | 'post' | 'history'>,
  first: number,
): Promise<string> {
  const { workspace, build, scheduled, steps } = await snapshot.history()
  const end = since === build ? 0 : steps.findIndex((step) => step.since === since) + 1
  if (end === 0 && since !== '' && since !== build) {
    throw new ApiError(410, 'The changes since this build are not kept.')
  }
  const kept = since === '' ? steps : steps.slice(0, end)
  // In the order of the latest change of each post; the latest one last.
  const found = new Map<string, Change>()
  const changes = kept.flatMap((step) => step.changes[workspace] ?? [])
  for (const change of changes.reverse()) merge(change, found)
  // Scheduled when the build was made, whichever build the client knows.
  for (let ordinal = scheduled - 1; ordinal >= first; ordinal--) {
    const { id, slug, publishedAt: at } = await snapshot.post(ordinal)
    const etag = etagOf(postBody(ordinal), snapshot)
    found.delete(id)
    found.set(id, { type: 'published', id, slug, etag, at })
  }
  return JSON.stringify({ build, changes: [...found.values()].reverse() })
}

/** Adds a change to earlier ones, so that the result alone is reported to a client that knows none of them. */
function merge(change: Change, found: Map<string, Change>): void {
  const before = found.get(change.id)
  found.delete(change.id)
  const isNew = before?.type === 'published'
  if (isNew && change.type === 'removed') return
  const isSame = before === undefined || change.type === 'removed'
  found.set(
    change.id,
    isNew
      ? { ...change, type: 'published', at: before.at }
      : isSame
        ? change
        : { ...change, type: 'updated' },
  )
}
