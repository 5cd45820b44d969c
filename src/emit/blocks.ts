// Which posts' bytes lie together in a file, and what such a file is called.
// Knows nothing of what the bytes are.
import { hash } from 'node:crypto'
import { bundleFolder } from '../api/bundle.ts'
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

/** Posts that a block of neighbours holds: as few, on average, and as many at most. */
const neighboursMin = 64
const neighboursMean = 128
const neighboursMax = 384

/**
 * Posts in publication order, cut into blocks of neighbours, so that a page or a whole list reads few of them.
 * Where a block ends is said by a hash of the post's id, counted from the oldest post on (content-defined
 * chunking): a new post, an edit or a removal changes the block that it is in, and hardly ever one beside it.
 *
 * @param ids latest post first
 * @returns ordinals of each block, ascending; the block with the oldest posts first
 */
export function neighbourBlocks(ids: readonly string[]): readonly (readonly number[])[] {
  const blocks: number[][] = []
  let block: number[] = []
  for (let ordinal = ids.length - 1; ordinal >= 0; ordinal--) {
    block.push(ordinal)
    const mayEnd = block.length >= neighboursMin
    if (!mayEnd || (block.length < neighboursMax && !endsBlock(ids[ordinal] ?? ''))) continue
    blocks.push(block.reverse())
    block = []
  }
  return block.length === 0 ? blocks : [...blocks, block.reverse()]
}

function endsBlock(id: string): boolean {
  return hashOf(id) % (neighboursMean - neighboursMin) === 0
}

function hashOf(id: string): number {
  return hash('sha256', id, 'buffer').readUInt32LE(0)
}

/** The power of two that is not below a number; 1 at least. */
export function powerOfTwo(number: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(number)))
}

/**
 * A file whose name says its content, so that no index ever finds another build's bytes.
 *
 * @param bytes makes them: now for the name, and again for whoever wants them
 */
export function contentNamed(
  folder: string,
  bytes: () => Uint8Array,
): BundleFile<Uint8Array> & { readonly name: string } {
  return namedBy(contentHash(bytes()), folder, bytes)
}

/** The same, where it is known what the file is called for its content. */
export function namedBy(
  etag: string,
  folder: string,
  bytes: () => Uint8Array,
): BundleFile<Uint8Array> & { readonly name: string } {
  const name = `${folder}/${etag}.bin`
  return { name, path: `${bundleFolder}/${name}`, bytes, etag }
}

/** What a file is called for its content: 32 hexadecimal digits of a SHA-256. */
export function contentHash(bytes: Uint8Array): string {
  return hash('sha256', bytes).slice(0, 32)
}
