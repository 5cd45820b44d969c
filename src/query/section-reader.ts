// Sections of an index file, looked up by name and checked for their type.
// Knows nothing of what they hold.
import { type SectionArray, type SectionEntry, type SectionTable, viewSection } from './sections.ts'

/** Sections by name and type. */
export class SectionReader {
  readonly #sections: Uint8Array
  readonly #table: SectionTable

  constructor(sections: Uint8Array, table: SectionTable) {
    this.#sections = sections
    this.#table = table
  }

  u8(name: string): Uint8Array {
    return this.#view(name, 'u8') as Uint8Array
  }

  u32(name: string): Uint32Array {
    return this.#view(name, 'u32') as Uint32Array
  }

  f64(name: string): Float64Array {
    return this.#view(name, 'f64') as Float64Array
  }

  #view(name: string, type: SectionEntry['type']): SectionArray {
    const entry = this.#table[name]
    if (entry === undefined || entry.type !== type)
      throw new RangeError(`section ${name} is not in the index as ${type}`)
    return viewSection(this.#sections, entry)
  }
}
