// Changes of posts between builds, and since the last build: scheduled posts that became visible.
import { etagOf, type Piece } from './api-response.ts'
import { ApiError } from './errors.ts'
import type { Change, Snapshot } from './snapshot.ts'
import { visibilityAt } from './visibility.ts'

/** Number of builds whose changes are stored. */
export const stepsMax = 20

/** The response body of a post in HTML, without other parameters. */
export function postBody(ordinal: number): Piece[] {
  const part = (name: 'head' | 'html' | 'tail'): Piece => ({ of: 'posts', part: name, ordinal })
  return ['{"post":', part('head'), ',"content":', part('html'), part('tail'), '}']
}

/**
 * Returns the JSON of the changes since a build.
 *
 * @param since id of a build; '' for all stored changes
 * @param now milliseconds since 1970
 * @throws ApiError 410 for a build that is not stored
 */
export async function changesJson(
  since: string,
  snapshot: Pick<
    Snapshot,
    'digest' | 'post' | 'history' | 'postCount' | 'publishedAt' | 'expiries'
  >,
  now: number,
): Promise<string> {
  const { workspace, build, scheduled, steps } = await snapshot.history()
  const end = since === build ? 0 : steps.findIndex((step) => step.since === since) + 1
  if (end === 0 && since !== '' && since !== build) {
    throw new ApiError(410, 'The changes since this build are no longer recorded.')
  }
  const laterSteps = since === '' ? steps : steps.slice(0, end)
  // By the time of each post's latest change, ascending.
  const found = new Map<string, Change>()
  const changes = laterSteps.flatMap((step) => step.changes[workspace] ?? [])
  for (const change of changes.reverse()) merge(change, found)
  // Posts that came out or expired since the last build, whichever build the client has.
  const { first } = visibilityAt(snapshot, now)
  const later: Change[] = []
  const add = async (type: Change['type'], ordinal: number, at: string) => {
    const { id, slug } = await snapshot.post(ordinal)
    later.push({ type, id, slug, etag: await etagOf(postBody(ordinal), snapshot), at })
  }
  for (let ordinal = scheduled - 1; ordinal >= first; ordinal--)
    await add('published', ordinal, (await snapshot.post(ordinal)).publishedAt)
  for (const [ordinal, at] of snapshot.expiries)
    if (at <= now) await add('removed', ordinal, new Date(at).toISOString())
  for (const change of later.sort((a, b) => (a.at < b.at ? -1 : 1))) {
    found.delete(change.id)
    found.set(change.id, change)
  }
  return JSON.stringify({ build, changes: [...found.values()].reverse() })
}

/** Merges a change into earlier ones, so that a client without them gets only the result. */
function merge(change: Change, found: Map<string, Change>): void {
  const before = found.get(change.id)
  const isRemoved = change.type === 'removed'
  found.delete(change.id)
  if (before?.type === 'published') {
    if (!isRemoved) found.set(change.id, { ...change, type: 'published', at: before.at })
  } else found.set(change.id, before && !isRemoved ? { ...change, type: 'updated' } : change)
}
