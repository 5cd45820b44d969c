// Named typed arrays in one buffer, written by a build and viewed without a copy by a function.

/** The element types of sections. */
export interface SectionArrays {
  readonly u8: Uint8Array
  readonly u16: Uint16Array
  readonly u32: Uint32Array
  readonly f64: Float64Array
}

/** A section of any type. */
export type SectionArray = SectionArrays[keyof SectionArrays]

/** The location and element type of a section. */
export interface SectionEntry {
  readonly type: keyof SectionArrays
  /** Offset in the buffer in bytes, a multiple of 8. */
  readonly offset: number
  /** In elements. */
  readonly length: number
}

/** Sections by name. */
export type SectionTable = Readonly<Record<string, SectionEntry>>

/** Concatenates sections, in the order of calls. */
export class SectionWriter {
  readonly #parts: { readonly offset: number; readonly bytes: Uint8Array }[] = []
  #size = 0

  /** Appends a section. */
  add(array: SectionArray): SectionEntry {
    const offset = this.#size
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    this.#parts.push({ offset, bytes })
    this.#size = align(offset + bytes.length)
    return { type: typeOf(array), offset, length: array.length }
  }

  /** Returns all sections, padded with zeros. */
  finish(): Uint8Array {
    const joined = new Uint8Array(this.#size)
    for (const { offset, bytes } of this.#parts) joined.set(bytes, offset)
    return joined
  }
}

/**
 * Views a section in the buffer, without a copy.
 *
 * @param bytes the result of `finish`, at an address that is a multiple of 8
 * @throws RangeError when the section exceeds the buffer
 */
export function viewSection(bytes: Uint8Array, entry: SectionEntry): SectionArray {
  const array = arrays[entry.type]
  if (entry.offset + entry.length * array.BYTES_PER_ELEMENT > bytes.length) {
    throw new RangeError('a section is not in the index')
  }
  return new array(bytes.buffer as ArrayBuffer, bytes.byteOffset + entry.offset, entry.length)
}

const arrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const

/** Rounds up to a multiple of 8, the alignment of every element type. */
export function align(offset: number): number {
  return (offset + 7) & ~7
}

function typeOf(array: SectionArray): SectionEntry['type'] {
  if (array instanceof Uint8Array) return 'u8'
  if (array instanceof Uint16Array) return 'u16'
  return array instanceof Uint32Array ? 'u32' : 'f64'
}
