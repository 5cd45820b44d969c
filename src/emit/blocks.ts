// Content-defined chunking of posts.
import { hash } from 'node:crypto'

/** Minimum, mean and maximum size of a chunk, in posts unless posts have weights. */
export interface ChunkSizes {
  readonly min: number
  readonly mean: number
  readonly max: number
}

/**
 * Splits posts in publication order into chunks. A hash of a post's id decides where a chunk ends, counted from the
 * oldest post (content-defined chunking). A new, edited or removed post changes its own chunk and rarely a neighbouring
 * one.
 *
 * @param ids latest post first
 * @param weightOf weight of a post, by ordinal
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
