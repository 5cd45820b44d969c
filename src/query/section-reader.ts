// Reads sections of an index file by name, with a type check.
import { type SectionArrays, type SectionTable, viewSection } from './sections.ts'

/** Returns a section as a view. @throws RangeError when no section has this name and type */
export type SectionReader = <Type extends keyof SectionArrays>(
  name: string,
  type: Type,
) => SectionArrays[Type]

/** Returns a reader of the sections in a buffer. */
export function sectionReader(sections: Uint8Array, table: SectionTable): SectionReader {
  return <Type extends keyof SectionArrays>(name: string, type: Type) => {
    const entry = table[name]
    if (entry === undefined || entry.type !== type) {
      throw new RangeError(`section ${name} is not in the index as ${type}`)
    }
    return viewSection(sections, entry) as SectionArrays[Type]
  }
}
