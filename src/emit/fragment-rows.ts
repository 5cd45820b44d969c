// Fixed-size rows of a chunk of posts: sizes and digests of fragments, and entity tags of single-post responses. An
// unchanged build needs nothing else of them.
import { digestBytes } from '../api/fragment.ts'
import type { Format } from '../api/request.ts'
import { digestOf } from '../cache/digested.ts'

/** Fragments around a body, in storage order. */
export const fragmentParts = ['head', 'tail', 'item'] as const

export type FragmentPart = (typeof fragmentParts)[number]

/**
 * One row per post:
 *
 * ```
 * end of head, tail, item   digest of head, tail, item
 * u32 each, little-endian   16 bytes each
 * ```
 */
export class FragmentRows {
  readonly bytes: Buffer

  /** @param given stored rows, or a number of empty rows */
  constructor(given: Uint8Array | number) {
    this.bytes =
      typeof given === 'number'
        ? Buffer.alloc(given * rowBytes)
        : Buffer.from(given.buffer, given.byteOffset, given.length)
  }

  get count(): number {
    return this.bytes.length / rowBytes
  }

  /** @param bytes of all parts, concatenated @param ends end offset of each part */
  fill(row: number, bytes: Uint8Array, ends: readonly number[]): void {
    const start = row * rowBytes
    ends.forEach((end, part) => {
      this.bytes.writeUInt32LE(end, start + 4 * part)
      const digest = digestOf(bytes.subarray(ends[part - 1] ?? 0, end))
      this.bytes.set(digest, start + digestsAt + digestBytes * part)
    })
  }

  /** Returns the range of a part in the concatenation. */
  range(row: number, part: FragmentPart): { readonly start: number; readonly end: number } {
    const place = fragmentParts.indexOf(part)
    const at = row * rowBytes + 4 * place
    const start = place === 0 ? 0 : this.bytes.readUInt32LE(at - 4)
    return { start, end: this.bytes.readUInt32LE(at) }
  }

  digest(row: number, part: FragmentPart): Uint8Array {
    const at = row * rowBytes + digestsAt + digestBytes * fragmentParts.indexOf(part)
    return this.bytes.subarray(at, at + digestBytes)
  }
}

const digestsAt = 4 * fragmentParts.length
const rowBytes = digestsAt + digestBytes * fragmentParts.length

/** Two entity tags per post, 16 bytes each: HTML and Markdown. */
export class TagRows {
  readonly bytes: Buffer

  /** @param given stored rows, or a number of empty rows */
  constructor(given: Uint8Array | number) {
    this.bytes =
      typeof given === 'number'
        ? Buffer.alloc(given * 2 * digestBytes)
        : Buffer.from(given.buffer, given.byteOffset, given.length)
  }

  /** Returns a tag with its quotes; undefined if it is not set. */
  find(row: number, format: Format): string | undefined {
    const at = tagAt(row, format)
    const tag = this.bytes.toString('hex', at, at + digestBytes)
    return /^0*$/.test(tag) ? undefined : `"${tag}"`
  }

  /** @param tag 128 bits, hexadecimal, with its quotes */
  set(row: number, format: Format, tag: string): void {
    this.bytes.write(tag.slice(1, -1), tagAt(row, format), 'hex')
  }
}

function tagAt(row: number, format: Format): number {
  return (2 * row + (format === 'html' ? 0 : 1)) * digestBytes
}
