// Looking at the texts of posts for what the index cannot say for certain.
// Knows nothing of terms: bytes are looked for in bytes.
import type { Steps } from './steps.ts'
import { check, type TextIndex, type TextReader, textRoom } from './text-index.ts'

/**
 * Those of some posts whose text has the needle in it.
 *
 * @returns ordinals in no order
 *
 * @throws Error when a text is not the one that was built; each is compared when it is first looked at
 *
 * Cost: O(bytes of those texts); about a megabyte of them in memory at a time.
 */
export function* verify(
  index: TextIndex,
  reader: TextReader,
  posts: Uint32Array,
  needle: string,
): Steps<readonly number[]> {
  const finder = new ByteFinder(new TextEncoder().encode(needle))
  const found: number[] = []
  // As large as the largest batch, and the same for all of them.
  let room = new Uint8Array(0)
  for (const { ranges, bytes } of batchesOf(index, posts)) {
    if (room.length < bytes) room = new Uint8Array(bytes)
    let used = 0
    const texts = yield ranges.map(({ block, start, end }) => {
      const from = used
      used += end - start
      return reader.text(block, start, room.subarray(from, used))
    })
    for (const [at, range] of ranges.entries()) {
      found.push(...matching(index, reader.checked, range, texts[at] ?? room, finder))
    }
  }
  return found
}

/** Posts of a range whose text has the needle in it. */
function matching(
  { textOffsets, textSizes, textChecks }: TextIndex,
  checked: Uint8Array,
  { start, posts }: TextRange,
  bytes: Uint8Array,
  finder: ByteFinder,
): readonly number[] {
  return posts.filter((post) => {
    const from = (textOffsets[post] ?? 0) - start
    const to = from + (textSizes[post] ?? 0)
    if (checked[post] !== 1) check(bytes.subarray(from, to), textChecks[post])
    checked[post] = 1
    return finder.isIn(bytes, from, to)
  })
}

/** Texts that are read in one go. */
interface TextRange {
  readonly block: number
  readonly start: number
  end: number
  readonly posts: number[]
}

/** A gap that is rather read than jumped over, and the most bytes in one go and at a time. */
const gapMax = 8 * 1024
const rangeBytesMax = 256 * 1024
const batchBytes = 1024 * 1024

interface Batch {
  readonly ranges: readonly TextRange[]
  readonly bytes: number
}

function* batchesOf(index: TextIndex, posts: Uint32Array): Generator<Batch> {
  let ranges: TextRange[] = []
  let bytes = 0
  for (const range of rangesOf(index, posts)) {
    if (bytes > 0 && bytes + range.end - range.start > batchBytes) {
      yield { ranges, bytes }
      ranges = []
      bytes = 0
    }
    ranges.push(range)
    bytes += range.end - range.start
  }
  if (bytes > 0) yield { ranges, bytes }
}

function* rangesOf(
  { textBlocks, textOffsets, textSizes }: TextIndex,
  posts: Uint32Array,
): Generator<TextRange> {
  const ordered = posts
    .slice()
    .sort(
      (a, b) =>
        (textBlocks[a] ?? 0) - (textBlocks[b] ?? 0) ||
        (textOffsets[a] ?? 0) - (textOffsets[b] ?? 0),
    )
  let range: TextRange | undefined
  for (const post of ordered) {
    const block = textBlocks[post] ?? 0
    const start = textOffsets[post] ?? 0
    const end = start + textRoom(textSizes[post] ?? 0)
    const isNear =
      range?.block === block && start - range.end <= gapMax && end - range.start <= rangeBytesMax
    if (range !== undefined && isNear) {
      range.end = end
      range.posts.push(post)
    } else {
      if (range !== undefined) yield range
      range = { block, start, end, posts: [post] }
    }
  }
  if (range !== undefined) yield range
}

/** Finds a needle in bytes. */
class ByteFinder {
  readonly #needle: Uint8Array
  /** How far the needle can move on when its end meets a byte; at least 1, at most 255. */
  readonly #skips: Uint8Array
  #borders: Uint32Array | undefined

  constructor(needle: Uint8Array) {
    this.#needle = needle
    const last = needle.length - 1
    this.#skips = new Uint8Array(256).fill(Math.min(needle.length, 255))
    needle.subarray(0, last).forEach((byte, at) => {
      this.#skips[byte] = Math.min(last - at, 255)
    })
  }

  /**
   * By the needle's end (Horspool, 1980): most bytes are never looked at. Where texts repeat themselves as the
   * needle does, that may look at each byte again and again: then the rest is done without going back.
   */
  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    const needle = this.#needle
    const skips = this.#skips
    const last = needle.length - 1
    const lastByte = needle[last]
    let steps = 0
    for (let at = start + last; at < end; ) {
      const byte = bytes[at] ?? 0
      if (byte === lastByte) {
        let matched = 1
        while (matched <= last && bytes[at - matched] === needle[last - matched]) matched += 1
        if (matched > last) return true
        steps += matched
        if (steps > (end - start) * 2) return this.#isInRepeated(bytes, at - last, end)
      }
      at += skips[byte] ?? 1
    }
    return false
  }

  /** Each byte once (Knuth, Morris & Pratt, 1977). */
  #isInRepeated(bytes: Uint8Array, start: number, end: number): boolean {
    const needle = this.#needle
    this.#borders ??= bordersOf(needle)
    let matched = 0
    for (let at = start; at < end; at++) {
      while (matched > 0 && bytes[at] !== needle[matched]) matched = this.#borders[matched - 1] ?? 0
      if (bytes[at] === needle[matched]) matched += 1
      if (matched === needle.length) return true
    }
    return false
  }
}

/** For each beginning of a needle, the length of the longest shorter beginning that it ends with. */
function bordersOf(needle: Uint8Array): Uint32Array {
  const borders = new Uint32Array(needle.length)
  let border = 0
  for (let at = 1; at < needle.length; at++) {
    while (border > 0 && needle[at] !== needle[border]) border = borders[border - 1] ?? 0
    if (needle[at] === needle[border]) border += 1
    borders[at] = border
  }
  return borders
}
