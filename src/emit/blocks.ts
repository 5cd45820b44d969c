// Which posts' bytes lie together in a file, and what such a file is called.
// Knows nothing of what the bytes are.
import { createHash } from 'node:crypto'
import { bundleFolder } from '../api/bundle.ts'

/** A file of the function. */
export interface BundleFile {
  /** Below the output folder. */
  readonly path: string
  /** Makes them: not called for a file that is there already. */
  readonly bytes: () => Uint8Array
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
    const hash = createHash('sha256').update(id).digest().readUInt32LE(0)
    blocks[hash % count]?.push({ id, ordinal })
  })
  return blocks.map((block) =>
    block.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ ordinal }) => ordinal),
  )
}

/** The power of two that is not below a number; 1 at least. */
export function powerOfTwo(number: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(number)))
}

/** A file whose name says its content, so that no index ever finds another build's bytes. */
export function contentNamed(
  folder: string,
  bytes: Uint8Array,
): BundleFile & { readonly name: string } {
  const etag = contentHash(bytes)
  const name = `${folder}/${etag}.bin`
  return { name, path: `${bundleFolder}/${name}`, bytes: () => bytes, etag }
}

/** What a file is called for its content: 32 hexadecimal digits of a SHA-256. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}
