// Sections of an index file, looked up by name and checked for their type.
// Knows nothing of what they hold.
import { type SectionArray, type SectionTable, viewSection } from './sections.ts'

/** Sections by name and type. */
export class SectionReader {
  readonly #sections: Uint8Array
  readonly #table: SectionTable

  constructor(sections: Uint8Array, table: SectionTable) {
    this.#sections = sections
    this.#table = table
  }

  u8(name: string): Uint8Array {
    const array = this.#view(name)
    if (array instanceof Uint8Array) return array
    throw new RangeError(`section ${name} does not hold bytes`)
  }

  u32(name: string): Uint32Array {
    const array = this.#view(name)
    if (array instanceof Uint32Array) return array
    throw new RangeError(`section ${name} does not hold 32-bit numbers`)
  }

  f64(name: string): Float64Array {
    const array = this.#view(name)
    if (array instanceof Float64Array) return array
    throw new RangeError(`section ${name} does not hold 64-bit numbers`)
  }

  #view(name: string): SectionArray {
    const entry = this.#table[name]
    if (entry === undefined) throw new RangeError(`section ${name} is missing`)
    return viewSection(this.#sections, entry)
  }
}
