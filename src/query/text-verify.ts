// Verifies candidates against the texts of posts, where the index is not exact.
import { utf8 } from '../api/bytes.ts'
import {
  addOrdinal,
  type Bitmap,
  emptyBitmap,
  hasOrdinal,
  ordinalsIn,
  removeOrdinal,
} from './bitmaps.ts'
import type { SearchableBytes } from './byte-search.ts'
import { check } from './checksum.ts'
import type { Steps } from './steps.ts'
import { type TextIndex, type TextRange, type TextReader, textRoom } from './text-index.ts'

/**
 * Removes the candidates whose text does not contain the query.
 *
 * @throws Error when a text differs from the one that was built; each is verified on its first read
 *
 * Cost: O(bytes of those texts), with `reader.batchBytes` in memory at a time.
 */
export function* verify(
  index: TextIndex,
  reader: TextReader,
  posts: Bitmap,
  query: string,
): Steps<void> {
  const bytes = utf8(query)
  const { postCount, postTexts } = index
  const candidates = ordinalsIn(posts)
  const open = emptyBitmap(postCount)
  for (const post of candidates) addOrdinal(open, postTexts[post] ?? 0)
  for (const ranges of batchesOf(index, ordinalsIn(open), reader.batchBytes)) {
    const [texts] = (yield [reader.texts(ranges)]) as [SearchableBytes]
    const find = texts.finder(bytes)
    for (const range of ranges) look(index, reader.checked, open, range, texts, find)
  }
  for (const post of candidates) {
    if (!hasOrdinal(open, postTexts[post] ?? 0)) removeOrdinal(posts, post)
  }
}

/** Verifies the candidate texts of a range, and removes those without a match. */
function look(
  { textOffsets, textSizes, textChecks }: TextIndex,
  checked: Uint8Array,
  open: Bitmap,
  { at, start, first, end, block }: TextRange,
  texts: SearchableBytes,
  find: (start: number, end: number) => number,
): void {
  for (let text = first; text < end; text++) {
    if (!hasOrdinal(open, text)) continue
    const from = at + (textOffsets[text] ?? 0) - start
    const to = from + (textSizes[text] ?? 0)
    if (checked[text] !== 1) {
      check(texts.checksum(from, to), textChecks[text], `Block ${block} of the texts`)
    }
    checked[text] = 1
    if (find(from, to) === -1) removeOrdinal(open, text)
  }
}

/** The largest gap that is read rather than skipped. */
const gapMax = 8 * 1024

type Growing<T> = { -readonly [Name in keyof T]: T[Name] }

/** Groups ranges that fit into the buffer together; a batch may be empty. */
function* batchesOf(
  index: TextIndex,
  texts: Uint32Array,
  batchBytes: number,
): Generator<readonly TextRange[]> {
  let ranges: Growing<TextRange>[] = []
  let used = 0
  let block = 0
  for (const text of texts) {
    while (text >= (index.blockTexts[block + 1] ?? text + 1)) block += 1
    const start = index.textOffsets[text] ?? 0
    const size = textRoom(index.textSizes[text] ?? 0)
    const range = ranges.at(-1)
    const more = range?.block === block ? start + size - range.start - range.size : batchBytes + 1
    if (range !== undefined && more - size <= gapMax && used + more <= batchBytes) {
      range.size += more
      range.end = text + 1
      used += more
      continue
    }
    if (used + size > batchBytes) {
      yield ranges
      ranges = []
      used = 0
    }
    ranges.push({ block, start, size, at: used, first: text, end: text + 1 })
    used += size
  }
  yield ranges
}
