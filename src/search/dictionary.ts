// Opens the dictionary of a terms file.
import { ByteReader, damaged, lineBreak, TermBytes, textOf } from './bytes.ts'
import { layout } from './terms.ts'

/** Terms by sections. */
export interface Sections {
  /** One character a byte of UTF-8; a line break before and after each term. */
  readonly text: string
  /** The place of each section in the text, and one behind the last. */
  readonly starts: Uint32Array
}

/** An opened dictionary. */
export interface Dictionary {
  readonly posts: number
  /** Terms with a bit for each post; sorted, a section each. Their lists are the first ones. */
  readonly common: Sections
  /** Other terms of several posts, likewise. */
  readonly others: Sections
  /** Terms of one post; a section for each post. */
  readonly rare: Sections
  /** The place of each list, all pages one after another, and one behind the last. */
  readonly lists: Uint32Array
  /** The first list of each page, and one behind the last. */
  readonly pages: Uint32Array
}

/** @throws RangeError if the dictionary is damaged */
export function readDictionary(bytes: Uint8Array): Dictionary {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== layout) throw damaged()
  const posts = reader.varint(postsMax)
  const pageSizes = Array.from({ length: reader.varint(bytes.length) }, () => reader.varint())
  const count = reader.varint(bytes.length)
  const terms = new TermBytes(bytes.length * 3)
  const ends = new Uint32Array(count + 1)
  const places = new Uint32Array(count)
  reader.terms(count, terms, (term) => {
    ends[term + 1] = terms.length
    places[term] = reader.varint(posts * 2)
  })
  if (reader.left > 0) throw damaged()

  // The section of each term in each of three texts; -1 where it has none.
  const [common, others, rare] = [0, 1, 2].map(() => new Int32Array(count).fill(-1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  const sizes: number[] = []
  let commonCount = 0
  for (const [term, place] of places.entries()) {
    if ((place & 1) === 1) rare[term] = place >> 1
    else if (place === 0) common[term] = commonCount++
    else others[term] = sizes.push(place >> 1) - 1
  }
  const lists = new Uint32Array(commonCount + sizes.length + 1)
  for (let list = 0; list < commonCount; list++) lists[list + 1] = (list + 1) * Math.ceil(posts / 8)
  for (const [at, size] of sizes.entries()) {
    lists[commonCount + at + 1] = (lists[commonCount + at] ?? 0) + size
  }
  return {
    posts,
    common: sectionsOf(terms, ends, common, commonCount),
    others: sectionsOf(terms, ends, others, sizes.length),
    rare: sectionsOf(terms, ends, rare, posts),
    lists,
    pages: pagesOf(lists, pageSizes),
  }
}

/** No terms file has more posts: damaged bytes need no more memory than this many. */
export const postsMax = 0xffffff

/** @param sectionOf the section of each term, or -1 */
function sectionsOf(
  terms: TermBytes,
  ends: Uint32Array,
  sectionOf: Int32Array,
  count: number,
): Sections {
  const starts = new Uint32Array(count + 1)
  for (const [term, section] of sectionOf.entries()) {
    const size = (ends[term + 1] ?? 0) - (ends[term] ?? 0)
    if (section !== -1) starts[section + 1] = (starts[section + 1] ?? 0) + size
  }
  starts[0] = 1
  for (let section = 0; section < count; section++) {
    starts[section + 1] = (starts[section + 1] ?? 0) + (starts[section] ?? 0)
  }
  const bytes = new Uint8Array(starts[count] ?? 0)
  bytes[0] = lineBreak
  const to = starts.slice()
  for (const [term, section] of sectionOf.entries()) {
    if (section === -1) continue
    const added = terms.bytes.subarray(ends[term], ends[term + 1])
    bytes.set(added, to[section])
    to[section] = (to[section] ?? 0) + added.length
  }
  return { text: textOf(bytes), starts }
}

/** Each page ends with a list. */
function pagesOf(lists: Uint32Array, pageSizes: readonly number[]): Uint32Array {
  const pages = new Uint32Array(pageSizes.length + 1)
  let [list, end] = [0, 0]
  for (const [page, size] of pageSizes.entries()) {
    end += size
    while (list < lists.length - 1 && (lists[list] ?? 0) < end) list += 1
    if (size === 0 || lists[list] !== end) throw damaged()
    pages[page + 1] = list
  }
  if (list !== lists.length - 1) throw damaged()
  return pages
}
