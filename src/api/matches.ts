// Matches of a search text in a post: the last key of the post.
import type { Chunk } from './api-response.ts'
import { whenAllReady } from './awaitable.ts'
import type { Awaitable, PostSelection, Snapshot } from './snapshot.ts'

/**
 * Adds its matches to a post; returns the post unchanged if the request has no search text.
 *
 * @param chunks the post; the last chunk closes it
 *
 * Cost: O(characters of the post), all of which are read.
 */
export function withMatches(
  ordinal: number,
  chunks: readonly Chunk[],
  selection: PostSelection,
  snapshot: Pick<Snapshot, 'read'>,
): Awaitable<readonly Chunk[]> {
  const parts = (['head', 'html', 'tail'] as const).map((part) =>
    snapshot.read({ of: 'posts', part, ordinal }),
  )
  return whenAllReady(parts, (read) => {
    const [head = '', html = '', tail = ''] = read.map((bytes) => new TextDecoder().decode(bytes))
    const matches = selection.matchesIn(JSON.parse(`${head}}`).title, JSON.parse(html))
    if (matches === null) return chunks
    const last = chunks.at(-1)
    const closing = typeof last === 'string' ? last : tail
    return [...chunks.slice(0, -1), `${closing.slice(0, -1)},"matches":${JSON.stringify(matches)}}`]
  })
}
