// Which posts' bytes lie together in a file, and what such a file is called.
import { hash } from 'node:crypto'
import type { Awaitable } from '../api/snapshot.ts'

/** A file of the function. */
export interface BundleFile<Bytes = Awaitable<Uint8Array>> {
  /** Below the output folder. */
  readonly path: string
  /** Makes them: not called for a file that is there already. */
  readonly bytes: () => Bytes
  /** Equal tags mean equal bytes. */
  readonly etag: string
}

/** The size of a chunk: at least, on average, and at most; in posts, where these have no other weight. */
export interface ChunkSizes {
  readonly min: number
  readonly mean: number
  readonly max: number
}

/** Posts whose records lie in one block. */
export const blockSizes: ChunkSizes = { min: 64, mean: 128, max: 384 }

/**
 * Posts in publication order, cut into chunks of neighbours. The end of a chunk follows from a hash of a post's id,
 * counted from the oldest post on (content-defined chunking): a new post, an edit or a removal changes the chunk that it
 * is in, and hardly ever one next to it.
 *
 * @param ids latest post first
 * @param weightOf a post, by its ordinal
 * @returns ordinals of each chunk, ascending; the chunk with the oldest posts first
 */
export function cutChunks(
  ids: readonly string[],
  { min, mean, max }: ChunkSizes,
  weightOf: (ordinal: number) => number = () => 1,
): readonly (readonly number[])[] {
  const chunks: number[][] = []
  let chunk: number[] = []
  let total = 0
  for (let ordinal = ids.length - 1; ordinal >= 0; ordinal--) {
    const weight = weightOf(ordinal)
    chunk.push(ordinal)
    total += weight
    const isEnd = total >= min && hashOf(ids[ordinal] ?? '') / 2 ** 32 < weight / (mean - min)
    if (!isEnd && total < max) continue
    chunks.push(chunk.reverse())
    chunk = []
    total = 0
  }
  return chunk.length === 0 ? chunks : [...chunks, chunk.reverse()]
}

function hashOf(id: string): number {
  return hash('sha256', id, 'buffer').readUInt32LE(0)
}

/** The name that its content gives a file: 32 hexadecimal digits of a SHA-256. */
export function contentHash(bytes: Uint8Array): string {
  return hash('sha256', bytes).slice(0, 32)
}
