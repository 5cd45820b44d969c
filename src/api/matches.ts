// The matches of a search text in a post, as the last key of the post.
import type { Chunk } from './api-response.ts'
import { whenAllReady } from './awaitable.ts'
import type { Awaitable, PostSelection, Snapshot } from './snapshot.ts'

/**
 * A post with its matches; as it is where the request has no text.
 *
 * @param chunks the post; the last one closes it
 *
 * Cost: O(characters of the post), which is read whole.
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
