// Writes terms files: a dictionary of the terms of some posts, and the lists of posts of each term.
//
//   part        posts │ terms │ term  size of list  gap gap …  │ term …
//
//   dictionary  layout │ posts │ terms │ term  place │ term  place │ …
//   place       2 × size of the list, or 1 + 2 × post for a term of one post, or 0 for a bit for each post
//   page        list list list …               in the order of the terms; first those with a bit for each post
//   list        gap gap gap …, or a bit for each post if that is no longer; of a letter, it follows its place
import { ByteReader, ByteWriter, byteString, damaged, textOf } from './bytes.ts'
import { cutTerms } from './cut.ts'
import { layout, placesOf, postsMax } from './dictionary.ts'

/**
 * The terms of adjacent posts, for `mergeTerms`. Cost: O(characters).
 *
 * @param texts folded: `title NUL text`; oldest post first
 */
export function partTerms(texts: readonly string[]): Uint8Array {
  const lists = new Map<string, number[]>()
  // Most terms are Latin letters: most of them are known without a look-up.
  const lastPosts = new Int32Array(128).fill(-1)
  for (const [post, text] of texts.entries()) {
    cutTerms(text, (term) => {
      const code = term.length === 1 ? term.charCodeAt(0) : 128
      if (lastPosts[code] === post) return false
      lastPosts[code] = post
      const list = lists.get(term)
      if (list === undefined) lists.set(term, [post])
      else if (list[list.length - 1] === post) return false
      else list.push(post)
      return true
    })
  }
  // By their bytes, like all terms files. Most are ASCII, and the same as bytes.
  const others = new Map<string, string>()
  const sorted = Array.from(lists.keys(), (term) => {
    const bytes = byteString(term)
    if (bytes !== term) others.set(bytes, term)
    return bytes
  }).sort()
  const out = new ByteWriter()
  out.varint(texts.length)
  out.varint(sorted.length)
  for (const [at, term] of sorted.entries()) {
    const list = lists.get(others.get(term) ?? term) ?? []
    out.term(term, sorted[at - 1] ?? '')
    out.varint(list.length)
    writeGaps(list, out)
  }
  return out.view().slice()
}

/**
 * Merges the terms of adjacent parts into a terms file: the dictionary is needed whole, pages one by one.
 *
 * @param parts results of `partTerms`, oldest posts first
 * @throws RangeError if a part is damaged
 */
export function mergeTerms(parts: readonly Uint8Array[]): {
  readonly dictionary: Uint8Array
  readonly pages: readonly Uint8Array[]
} {
  const open: OpenPart[] = []
  let posts = 0
  for (const bytes of parts) posts += open[open.push(readPart(bytes, posts)) - 1]?.posts ?? 0
  const bitmapBytes = Math.ceil(posts / 8)
  const terms = new ByteWriter()
  const common = new ByteWriter()
  const others = new ByteWriter()
  const sizes: number[] = []
  let [count, previous] = [0, '']
  for (let next = takeLeast(open); next.term !== ''; next = takeLeast(open)) {
    const { term, list } = next
    count += 1
    terms.term(term, previous)
    previous = term
    if (list.length === 1) {
      terms.varint((list[0] ?? 0) * 2 + 1)
      continue
    }
    const size = writeShort(list, bitmapBytes, others)
    terms.varint(size * 2)
    if (size > 0) sizes.push(size)
    // Every search for a part of a word looks at its letters.
    else writeBitmap(list, bitmapBytes, term.length === 1 ? terms : common)
  }
  const out = new ByteWriter()
  for (const number of [layout, posts, count]) out.varint(number)
  out.bytes(terms.view())
  const { lists, pages } = placesOf(common.length / bitmapBytes, bitmapBytes, sizes)
  common.bytes(others.view())
  return {
    dictionary: out.view().slice(),
    pages: pages
      .slice(1)
      .map((end, page) => common.view().slice(lists[pages[page] ?? 0], lists[end])),
  }
}

/** A part at one of its terms. */
interface OpenPart {
  readonly posts: number
  /** Sorted; an empty one behind the last. */
  readonly terms: readonly string[]
  /** The length of each list and its posts. */
  readonly lists: readonly number[]
  term: number
  list: number
}

function readPart(bytes: Uint8Array, firstPost: number): OpenPart {
  const reader = new ByteReader(bytes)
  const posts = reader.varint(postsMax)
  const lists: number[] = []
  const terms = new ByteWriter()
  reader.terms(reader.varint(bytes.length), (term, length) => {
    terms.line(term, length)
    let post = firstPost - 1
    lists.push(reader.varint(posts))
    for (let left = lists[lists.length - 1] ?? 0; left > 0; left--) {
      post += 1 + reader.varint(posts)
      if (post >= firstPost + posts) throw damaged()
      lists.push(post)
    }
  })
  if (reader.left > 0) throw damaged()
  return { posts, terms: textOf(terms.view()).split('\n'), lists, term: 0, list: 0 }
}

/** Takes the first term of all parts, empty if there is none, and its posts. */
function takeLeast(open: readonly OpenPart[]): { term: string; list: readonly number[] } {
  let least = ''
  let parts: OpenPart[] = []
  for (const part of open) {
    const term = part.terms[part.term] ?? ''
    if (term === '') continue
    if (term === least) parts.push(part)
    else if (least === '' || term < least) {
      least = term
      parts = [part]
    }
  }
  const list: number[] = []
  for (const part of parts) {
    const end = part.list + 1 + (part.lists[part.list] ?? 0)
    for (let at = part.list + 1; at < end; at++) list.push(part.lists[at] ?? 0)
    part.list = end
    part.term += 1
  }
  return { term: least, list }
}

function writeGaps(list: readonly number[], out: ByteWriter): void {
  let previous = -1
  for (const post of list) {
    out.varint(post - previous - 1)
    previous = post
  }
}

/** Writes a list as gaps if they take fewer than `limit` bytes. Returns the size, or 0. */
function writeShort(list: readonly number[], limit: number, out: ByteWriter): number {
  const start = out.length
  writeGaps(list, out)
  const size = out.length - start
  if (size < limit) return size
  out.length = start
  return 0
}

function writeBitmap(list: readonly number[], size: number, out: ByteWriter): void {
  const bitmap = new Uint8Array(size)
  for (const post of list) bitmap[post >> 3] = (bitmap[post >> 3] ?? 0) | (1 << (post & 7))
  out.bytes(bitmap)
}
