// Sections of an index file, looked up by name and checked for their type.
import { type SectionArrays, type SectionTable, viewSection } from './sections.ts'

/** Gives a section, a view. @throws RangeError when there is none of this name and type */
export type SectionReader = <Type extends keyof SectionArrays>(
  name: string,
  type: Type,
) => SectionArrays[Type]

/** A reader of the sections in a buffer. */
export function sectionReader(sections: Uint8Array, table: SectionTable): SectionReader {
  return <Type extends keyof SectionArrays>(name: string, type: Type) => {
    const entry = table[name]
    if (entry === undefined || entry.type !== type) {
      throw new RangeError(`section ${name} is not in the index as ${type}`)
    }
    return viewSection(sections, entry) as SectionArrays[Type]
  }
}
