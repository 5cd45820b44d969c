// Writes terms files: a dictionary of the terms of some posts, and the lists of posts of each term.
//
//   part        posts, numbers (u32) │ size of list  post post …  size … (u16) │ terms, one a line
//
//   dictionary  layout │ posts │ terms │ term  place │ term  place │ …
//   place       2 × size of the list, or 1 + 2 × post for a term of one post, or 0 for a bit for each post
//   page        list list list …               in the order of the terms; first those with a bit for each post
//   list        gap gap gap …, or a bit for each post if that is no longer; of a letter, it follows its place
import { ByteWriter, textOf } from './bytes.ts'
import { cutTerms } from './cut.ts'
import { layout, placesOf } from './dictionary.ts'

/**
 * The terms of adjacent posts, for `mergeTerms`. Cost: O(characters).
 *
 * @param texts folded: `title NUL text`; oldest post first; at most 65,535
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
  const numbers: number[] = []
  for (const list of lists.values()) {
    numbers.push(list.length)
    for (const post of list) numbers.push(post)
  }
  const head = Uint32Array.of(texts.length, numbers.length)
  const terms = utf8.encode(Array.from(lists.keys()).join('\n'))
  const out = new ByteWriter()
  out.bytes(new Uint8Array(head.buffer))
  out.bytes(new Uint8Array(Uint16Array.from(numbers).buffer))
  out.bytes(terms)
  return out.view().slice()
}

const utf8 = new TextEncoder()

/**
 * Merges the terms of adjacent parts into a terms file: the dictionary is needed whole, pages one by one.
 *
 * @param parts results of `partTerms`, oldest posts first
 */
export function mergeTerms(parts: readonly Uint8Array[]): {
  readonly dictionary: Uint8Array
  readonly pages: readonly Uint8Array[]
} {
  const { posts, listOf } = joinParts(parts)
  const bitmapBytes = Math.ceil(posts / 8)
  const terms = new ByteWriter()
  const common = new ByteWriter()
  const others = new ByteWriter()
  const sizes: number[] = []
  let previous = ''
  for (const [term, list] of listOf) {
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
  for (const number of [layout, posts, listOf.length]) out.varint(number)
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

/** The posts of each term of all parts. Terms have one character a byte, and are sorted like all terms files. */
function joinParts(parts: readonly Uint8Array[]): {
  readonly posts: number
  readonly listOf: readonly (readonly [term: string, posts: readonly number[]])[]
} {
  const lists = new Map<string, number[]>()
  let first = 0
  for (const part of parts) {
    const [posts = 0, count = 0] = new Uint32Array(copyOf(part.subarray(0, 8)))
    const numbers = new Uint16Array(copyOf(part.subarray(8, 8 + 2 * count)))
    const terms = textOf(part.subarray(8 + 2 * count))
    let at = 0
    for (const term of terms === '' ? [] : terms.split('\n')) {
      let list = lists.get(term)
      if (list === undefined) {
        list = []
        lists.set(term, list)
      }
      const end = at + 1 + (numbers[at] ?? 0)
      for (at += 1; at < end; at++) list.push(first + (numbers[at] ?? 0))
    }
    first += posts
  }
  // The sort of strings alone is five times as fast as one of pairs.
  const sorted = Array.from(lists.keys()).sort()
  return { posts: first, listOf: sorted.map((term) => [term, lists.get(term) ?? []] as const) }
}

/** Aligned, as arrays of longer numbers must be. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
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
