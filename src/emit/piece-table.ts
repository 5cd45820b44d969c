// What is known of posts' pieces without their bytes: sizes and digests of what stands around a body, and the entity
// tags of the answers that are one post. Kept from build to build, and found again by what the pieces are made of.
// Knows nothing of posts.
import { digestBytes } from '../api/piece.ts'
import type { Format } from '../api/request.ts'

/** The parts that stand around a body, in the order in which they lie in a frame. */
export const frameParts = ['head', 'tail', 'item'] as const

export type FramePart = (typeof frameParts)[number]

/** What is known of the parts of a frame, in their order. */
export interface PieceRow {
  /** Stands for all that they are made of; of no length where the row is not to be found. */
  readonly input: Uint8Array
  /** Where each ends in the frame; none is empty. */
  readonly ends: readonly number[]
  readonly digests: readonly Uint8Array[]
}

/**
 * Rows of one length, one a post, of digests but for the ends of the parts in the frame:
 *
 * ```
 * input   head, tail, item: end   digest       html, markdown: body   tag
 * 16      u32 little-endian ×3    16 ×3                        16     16, twice
 * ```
 * A body of zeros stands for no tag, ends of 0 for a row that says nothing.
 */
export class PieceTable {
  readonly #rows: Buffer
  /** Rows are asked for in the order in which they lie, but for what has changed. */
  #next = 0
  #byInput: Map<string, number> | undefined

  /** @param rows how many, or those of a table that was kept; of another length they are none */
  constructor(rows: number | Uint8Array) {
    if (typeof rows === 'number') this.#rows = Buffer.alloc(rows * rowBytes)
    else {
      const { buffer, byteOffset, length } = rows
      this.#rows = Buffer.from(buffer, byteOffset, length % rowBytes === 0 ? length : 0)
    }
  }

  get count(): number {
    return this.#rows.length / rowBytes
  }

  /** All rows, to be kept. */
  get bytes(): Uint8Array {
    return this.#rows
  }

  /** Whether sizes and digests are there. */
  isFilled(row: number): boolean {
    return this.#rows.readUInt32LE(row * rowBytes + digestBytes) !== 0
  }

  /** The filled row of an input; undefined where there is none. */
  find(input: Uint8Array): number | undefined {
    const row = this.#isOf(this.#next, input) ? this.#next : this.#rowsByInput().get(nameOf(input))
    if (row !== undefined) this.#next = row + 1
    return row
  }

  fill(row: number, { input, ends, digests }: PieceRow): void {
    const at = row * rowBytes
    this.#rows.set(input, at)
    for (const [part, end] of ends.entries()) {
      this.#rows.writeUInt32LE(end, at + digestBytes + 4 * part)
    }
    for (const [part, digest] of digests.entries()) {
      this.#rows.set(digest, at + digestsAt + digestBytes * part)
    }
  }

  /** Takes over a row of another table. */
  copy(row: number, from: PieceTable, fromRow: number): void {
    const start = fromRow * rowBytes
    from.#rows.copy(this.#rows, row * rowBytes, start, start + rowBytes)
  }

  /** Where a part lies in its frame. */
  range(row: number, part: FramePart): { readonly start: number; readonly end: number } {
    const place = frameParts.indexOf(part)
    const at = row * rowBytes + digestBytes + 4 * place
    const start = place === 0 ? 0 : this.#rows.readUInt32LE(at - 4)
    return { start, end: this.#rows.readUInt32LE(at) }
  }

  digest(row: number, part: FramePart): Uint8Array {
    const at = row * rowBytes + digestsAt + digestBytes * frameParts.indexOf(part)
    return this.#rows.subarray(at, at + digestBytes)
  }

  /** The entity tag that was set with this digest of a body; undefined for none. */
  tagOf(row: number, format: Format, body: Uint8Array): string | undefined {
    const at = this.#tagAt(row, format)
    if (this.#rows.compare(body, 0, digestBytes, at, at + digestBytes) !== 0) return undefined
    return `"${this.#rows.toString('hex', at + digestBytes, at + 2 * digestBytes)}"`
  }

  /** @param tag 128 bits, hexadecimal, with its quotes */
  setTag(row: number, format: Format, body: Uint8Array, tag: string): void {
    const at = this.#tagAt(row, format)
    this.#rows.set(body, at)
    this.#rows.write(tag.slice(1, -1), at + digestBytes, 'hex')
  }

  #tagAt(row: number, format: Format): number {
    return row * rowBytes + tagsAt + (format === 'html' ? 0 : 2 * digestBytes)
  }

  #isOf(row: number, input: Uint8Array): boolean {
    const at = row * rowBytes
    return (
      row < this.count &&
      this.#rows.compare(input, 0, digestBytes, at, at + digestBytes) === 0 &&
      this.isFilled(row)
    )
  }

  #rowsByInput(): ReadonlyMap<string, number> {
    if (this.#byInput !== undefined) return this.#byInput
    const rows = new Map<string, number>()
    for (let row = 0; row < this.count; row++) {
      const at = row * rowBytes
      if (this.isFilled(row)) rows.set(this.#rows.toString('latin1', at, at + digestBytes), row)
    }
    this.#byInput = rows
    return rows
  }
}

const digestsAt = digestBytes + 4 * frameParts.length
const tagsAt = digestsAt + digestBytes * frameParts.length
const rowBytes = tagsAt + 4 * digestBytes

function nameOf(input: Uint8Array): string {
  return Buffer.from(input.buffer, input.byteOffset, digestBytes).toString('latin1')
}
