// Writes terms files: a dictionary of the terms of some posts, and the lists of posts of each term.
//
//   part        posts │ terms │ term  size of list  gap gap …  │ term …
//
//   dictionary  layout │ posts │ pages │ size size … │ terms │ term  place │ term  place │ …
//   place       2 × size of the list, or 1 + 2 × post for a term of one post
//   page        list list list …               in the order of the terms; first those with a bit for each post
//   list        gap gap gap …, or a bit for each post if that is no longer; then its size in the dictionary is 0
import { ByteReader, ByteWriter, byteString, damaged, TermBytes, textOf } from './bytes.ts'
import { cutTerms } from './cut.ts'
import { fold } from './fold.ts'

/** The first byte of a dictionary; changes with the layout. */
export const layout = 1

/** Lists in pages: a page of 16 KiB takes no more. */
class PageWriter {
  readonly #pages: Uint8Array[] = []
  readonly #page = new ByteWriter()

  add(list: Uint8Array): void {
    this.#page.bytes(list)
    if (this.#page.length >= 16_384) this.#pages.push(this.#page.take())
  }

  pages(): readonly Uint8Array[] {
    return this.#page.length === 0 ? this.#pages : [...this.#pages, this.#page.take()]
  }
}

/**
 * The terms of adjacent posts, for `mergeTerms`.
 *
 * @param texts folded: `title NUL text`; oldest post first
 *
 * Cost: O(characters).
 */
export function partTerms(texts: readonly string[]): Uint8Array {
  const lists = new Map<string, number[]>()
  for (const [post, text] of texts.entries()) {
    cutTerms(text, (term) => {
      const list = lists.get(term)
      if (list?.at(-1) === post) return false
      if (list === undefined) lists.set(term, [post])
      else list.push(post)
      return true
    })
  }
  const out = new ByteWriter()
  out.varint(texts.length)
  out.varint(lists.size)
  const byTerm = Array.from(lists, ([term, list]) => [byteString(term), list] as const)
  byTerm.sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [term, list] of byTerm) {
    out.term(term)
    out.varint(list.length)
    writeGaps(list, out)
  }
  return out.take()
}

/** A terms file: the dictionary is needed whole, pages one by one. */
export interface TermsFile {
  readonly dictionary: Uint8Array
  readonly pages: readonly Uint8Array[]
}

/**
 * Merges the terms of adjacent parts.
 *
 * @param parts results of `partTerms`, oldest posts first
 * @throws RangeError if a part is damaged
 *
 * Cost: O(terms × parts + postings).
 */
export function mergeTerms(parts: readonly Uint8Array[]): TermsFile {
  let posts = 0
  const open = parts.map((bytes) => {
    const part = readPart(bytes, posts)
    posts += part.posts
    return part
  })
  const bitmapBytes = Math.ceil(posts / 8)
  const common = new PageWriter()
  const others = new PageWriter()
  const terms = new ByteWriter()
  const gaps = new ByteWriter()
  let count = 0
  for (let term = leastOf(open); term !== ''; term = leastOf(open)) {
    const list = takeList(open, term)
    const [first = 0] = list
    count += 1
    terms.term(term)
    if (list.length === 1) {
      terms.varint(first * 2 + 1)
      continue
    }
    writeGaps(list, gaps)
    const bytes = gaps.take()
    const isShort = bytes.length < bitmapBytes
    terms.varint(isShort ? bytes.length * 2 : 0)
    if (isShort) others.add(bytes)
    else common.add(bitmapOf(list, bitmapBytes))
  }
  const pages = [...common.pages(), ...others.pages()]

  const out = new ByteWriter()
  out.byte(layout)
  for (const number of [posts, pages.length, ...pages.map(({ length }) => length), count]) {
    out.varint(number)
  }
  out.bytes(terms.take())
  return { dictionary: out.take(), pages }
}

/**
 * Identifies everything besides the texts that terms depend on: the layout, the cut, and the fold with its version of
 * Unicode. Terms of different versions must not be merged.
 *
 * Cost: about as much as normalizing 10 kB.
 */
export function termsVersion(): string {
  const characters = probedBlocks.flatMap(([first, last]) =>
    Array.from({ length: last - first }, (_, at) => `${String.fromCodePoint(first + at)}\n`),
  )
  let hash = 0x811c9dc5
  for (const byte of partTerms([fold(characters.join('a'))])) {
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return `${layout}-${(hash >>> 0).toString(16).padStart(8, '0')}`
}

/** Blocks that gain letters with two cases, marks and compatibility forms. */
const probedBlocks: readonly (readonly [number, number])[] = [
  [0x80, 0x600],
  [0x870, 0x900],
  [0x1ab0, 0x1b00],
  [0x1c80, 0x1cc0],
  [0x1dc0, 0x2070],
  [0x2c00, 0x2c80],
  [0xa640, 0xa6a0],
  [0xa720, 0xa800],
  [0x10570, 0x105c0],
  [0x10780, 0x107c0],
  [0x10d40, 0x10d90],
  [0x16ea0, 0x16ee0],
  [0x1e900, 0x1e950],
]

/** A part that is being merged, at one of its terms. */
interface OpenPart {
  readonly posts: number
  /** The term; empty behind the last. */
  term: string
  /** Adds the posts of the term to a list, and goes to the next. */
  readonly take: (list: number[]) => void
}

function readPart(bytes: Uint8Array, firstPost: number): OpenPart {
  const reader = new ByteReader(bytes)
  const posts = reader.varint()
  const count = reader.varint(bytes.length)
  const lists: number[] = []
  const starts = new Uint32Array(count + 1)
  const read = new TermBytes(bytes.length * 2)
  reader.terms(count, read, (term) => {
    starts[term + 1] = read.length
    let post = firstPost - 1
    const length = reader.varint(posts)
    if (length === 0) throw damaged()
    lists.push(length)
    for (let at = 0; at < length; at++) {
      post += 1 + reader.varint(posts)
      if (post >= firstPost + posts) throw damaged()
      lists.push(post)
    }
  })
  if (reader.left > 0) throw damaged()
  const terms = textOf(read.bytes.subarray(0, read.length))
  let [number, at] = [0, 0]
  const termAt = () =>
    number < count ? terms.slice(starts[number], (starts[number + 1] ?? 0) - 1) : ''
  const part: OpenPart = {
    posts,
    term: termAt(),
    take(list) {
      const end = at + 1 + (lists[at] ?? 0)
      for (at += 1; at < end; at++) list.push(lists[at] ?? 0)
      number += 1
      part.term = termAt()
    },
  }
  return part
}

/** The first term of all parts; empty if there is none. */
function leastOf(parts: readonly OpenPart[]): string {
  let least = ''
  for (const { term } of parts) if (term !== '' && (least === '' || term < least)) least = term
  return least
}

function takeList(parts: readonly OpenPart[], term: string): readonly number[] {
  const list: number[] = []
  for (const part of parts) if (part.term === term) part.take(list)
  return list
}

function writeGaps(list: readonly number[], out: ByteWriter): void {
  let previous = -1
  for (const post of list) {
    out.varint(post - previous - 1)
    previous = post
  }
}

function bitmapOf(list: readonly number[], length: number): Uint8Array {
  const bitmap = new Uint8Array(length)
  for (const post of list) bitmap[post >> 3] = (bitmap[post >> 3] ?? 0) | (1 << (post & 7))
  return bitmap
}
