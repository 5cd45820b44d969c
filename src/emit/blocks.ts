// Which posts' bytes lie together in a file, and what such a file is called.
// Knows nothing of what the bytes are.
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

/**
 * Which posts lie together: by a hash of their id, so that a new post moves no other one.
 *
 * @param count of blocks, a power of two
 * @returns ordinals of each block in the order of their ids; blocks may be empty
 */
export function assignBlocks(
  ids: readonly string[],
  count: number,
): readonly (readonly number[])[] {
  const blocks: { readonly id: string; readonly ordinal: number }[][] = Array.from(
    { length: ids.length === 0 ? 0 : count },
    () => [],
  )
  ids.forEach((id, ordinal) => {
    blocks[hashOf(id) % count]?.push({ id, ordinal })
  })
  return blocks.map((block) =>
    block.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ ordinal }) => ordinal),
  )
}

/** How many posts a chunk holds: at least, on average, and at most. */
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
 * @returns ordinals of each chunk, ascending; the chunk with the oldest posts first
 */
export function cutChunks(
  ids: readonly string[],
  { min, mean, max }: ChunkSizes,
): readonly (readonly number[])[] {
  const chunks: number[][] = []
  let chunk: number[] = []
  for (let ordinal = ids.length - 1; ordinal >= 0; ordinal--) {
    chunk.push(ordinal)
    const isEnd = chunk.length >= min && hashOf(ids[ordinal] ?? '') % (mean - min) === 0
    if (!isEnd && chunk.length < max) continue
    chunks.push(chunk.reverse())
    chunk = []
  }
  return chunk.length === 0 ? chunks : [...chunks, chunk.reverse()]
}

function hashOf(id: string): number {
  return hash('sha256', id, 'buffer').readUInt32LE(0)
}

/** The power of two that is not below a number; 1 at least. */
export function powerOfTwo(number: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(number)))
}

/** What a file is called for its content: 32 hexadecimal digits of a SHA-256. */
export function contentHash(bytes: Uint8Array): string {
  return hash('sha256', bytes).slice(0, 32)
}
