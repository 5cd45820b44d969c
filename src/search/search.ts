// Searches the posts of a terms file, and finds the matches in a text.
import {
  byteString,
  type Dictionary,
  type DictionaryJson,
  damagedError,
  lineBreak,
  openDictionary,
  type Sections,
} from './dictionary.ts'
import { type Condition, fold, foldWithOffsets, planQuery } from './fold.ts'

/** Reads the data that a search needs besides the dictionary. The caller verifies and caches it. */
export interface TermsReader {
  /** @param numbers ascending */
  pages(numbers: readonly number[]): Promise<readonly Uint8Array[]>
  /** Returns the posts whose folded texts contain a query. @param posts ascending @returns ascending */
  containing(query: string, posts: Uint32Array): Promise<Uint32Array>
}

/** The search of a terms file. */
export interface TermsSearch {
  /**
   * Returns the posts whose title or text contains a query.
   *
   * @param query folded; every post contains an empty query
   * @param among reports whether a post may be returned; the texts of other posts are not read
   * @returns ordinals, ascending
   * @throws RangeError if a page is damaged
   */
  search(query: string, among?: (post: number) => boolean): Promise<Uint32Array>
}

/**
 * Opens a terms file. Cost: O(dictionary). A search costs one pass over the terms, and the postings of matching terms.
 *
 * @param dictionary verified by the caller
 */
export function openTerms(dictionary: DictionaryJson, read: TermsReader): TermsSearch {
  const terms = openDictionary(dictionary)
  return {
    async search(query, among = () => true) {
      const { conditions, isExact } = planQuery(query)
      let posts = allOf(terms.posts)
      for (const condition of conditions) {
        if (posts.every((bits) => bits === 0)) break
        const found = await withTerm(terms, condition, posts, read)
        for (let at = 0; at < found.length; at++) found[at] = (found[at] ?? 0) & (posts[at] ?? 0)
        posts = found
      }
      const found = ordinalsOf(posts, among)
      return isExact || found.length === 0 ? found : read.containing(query, found)
    },
  }
}

/**
 * Returns the posts that meet a condition, as a bit for each post. Common terms come first; others are read only until
 * no wanted post is left, so a text in many terms costs no more than a text in few.
 *
 * @param wanted posts that the result must be right for
 */
async function withTerm(
  terms: Dictionary,
  { text, at }: Condition,
  wanted: Uint8Array,
  read: TermsReader,
): Promise<Uint8Array> {
  const needle = byteString(text)
  const letter = terms.letters.get(needle)
  if (letter !== undefined) return letter.slice()
  const found = new Uint8Array(wanted.length)
  const isDone = () => found.every((bits, index) => ((wanted[index] ?? 0) & ~bits) === 0)
  const addLists = async (sections: Sections, firstList: number): Promise<boolean> => {
    const numbers =
      at === 'whole' ? sectionOf(sections, needle) : sectionsWith(sections, needle, at)
    await addPages(terms, found, numbers, firstList, read)
    // Each term occurs only once.
    return at === 'whole' ? numbers.length > 0 : isDone()
  }
  if (await addLists(terms.common, 0)) return found
  if (await addLists(terms.others, terms.common.starts.length - 1)) return found
  for (const post of sectionsWith(terms.rare, needle, at)) {
    found[post >> 3] = (found[post >> 3] ?? 0) | (1 << (post & 7))
  }
  return found
}

/** Returns the section of a term, if any, by binary search. @param sections one for each term, sorted */
function sectionOf({ text, starts }: Sections, needle: string): readonly number[] {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    const term = text.slice(starts[middle], (starts[middle + 1] ?? 0) - 1)
    if (term === needle) return [middle]
    if (term < needle) low = middle + 1
    else high = middle
  }
  return []
}

/** Returns the sections with a term that meets a condition: ascending, unique. */
function sectionsWith({ text, starts }: Sections, needle: string, at: Condition['at']): number[] {
  const isStart = at === 'start' || at === 'whole'
  const sought = at === 'end' || at === 'whole' ? `${needle}\n` : needle
  const found: number[] = []
  let section = 0
  for (let place = text.indexOf(sought); place !== -1; ) {
    if (isStart && place > 0 && text.charCodeAt(place - 1) !== lineBreak) {
      place = text.indexOf(sought, place + 1)
      continue
    }
    while ((starts[section + 1] ?? place + 1) <= place) section += 1
    found.push(section)
    place = text.indexOf(sought, starts[section + 1])
  }
  return found
}

/** Adds the posts of lists to a set. @param numbers relative to `firstList`, ascending */
async function addPages(
  { pages }: Dictionary,
  set: Uint8Array,
  numbers: readonly number[],
  firstList: number,
  read: TermsReader,
): Promise<void> {
  const wanted: { readonly page: number; readonly start: number; readonly lists: number[] }[] = []
  let [at, start] = [0, -firstList]
  for (const [page, count] of pages.entries()) {
    const [from, end] = [at, start + count]
    while ((numbers[at] ?? end) < end) at += 1
    if (at > from) wanted.push({ page, start, lists: numbers.slice(from, at) })
    start = end
  }
  if (wanted.length === 0) return
  const found = await read.pages(wanted.map(({ page }) => page))
  for (const [at, bytes] of found.entries()) {
    const { lists = [], start = 0 } = wanted[at] ?? {}
    addLists(set, bytes, lists, start)
  }
}

/** Adds the posts of lists of a page. @param first the number of its first list */
function addLists(
  set: Uint8Array,
  page: Uint8Array,
  numbers: readonly number[],
  first: number,
): void {
  let [at, list] = [0, first]
  for (const number of numbers) {
    for (; list <= number; list++) {
      const start = at + 2
      at = start + (page[at] ?? 0) + (page[at + 1] ?? 0) * 256
      if (at > page.length) throw damagedError()
      if (list === number) addList(set, page, start, at)
    }
  }
}

/** Adds the posts of a list to a set. Runs once for each matching term: O(postings), no objects. */
function addList(set: Uint8Array, bytes: Uint8Array, start: number, end: number): void {
  if (end - start === set.length) {
    for (let at = 0; at < set.length; at++) set[at] = (set[at] ?? 0) | (bytes[start + at] ?? 0)
    return
  }
  let [post, gap, shift] = [-1, 0, 0]
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    gap |= (byte & 127) << shift
    shift += 7
    if (byte > 127) continue
    post += gap + 1
    if (post < 0 || post >= set.length * 8 || shift > 28) throw damagedError()
    set[post >> 3] = (set[post >> 3] ?? 0) | (1 << (post & 7))
    gap = 0
    shift = 0
  }
  if (shift > 0) throw damagedError()
}

function allOf(posts: number): Uint8Array {
  const set = new Uint8Array(Math.ceil(posts / 8)).fill(255)
  if (posts % 8 > 0) set[set.length - 1] = (1 << (posts % 8)) - 1
  return set
}

function ordinalsOf(set: Uint8Array, among: (post: number) => boolean): Uint32Array {
  const posts: number[] = []
  for (const [at, byte] of set.entries()) {
    for (let bits = byte; bits !== 0; bits &= bits - 1) {
      const post = at * 8 + 31 - Math.clz32(bits & -bits)
      if (among(post)) posts.push(post)
    }
  }
  return Uint32Array.from(posts)
}

/** An excerpt with matches. */
export interface Match {
  readonly field: 'title' | 'content'
  /** Visible text, at most 160 code points. */
  readonly text: string
  /** Occurrences of the query: half-open, in UTF-16 code units; ascending, not adjacent. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

type Range = Match['ranges'][number]

/**
 * Returns excerpts with matches, at most three, title first.
 *
 * @param queries texts to find, normalized, not empty
 * @param text the visible text of the body
 */
export function matchesIn(
  queries: readonly string[],
  title: string,
  text: string,
): readonly Match[] {
  const found = [...snippets('title', title, queries), ...snippets('content', text, queries)]
  return found.slice(0, matchesMax)
}

const matchesMax = 3
const snippetMax = 160

function snippets(
  field: Match['field'],
  text: string,
  queries: readonly string[],
): readonly Match[] {
  const found: Match[] = []
  const folded = fold(text)
  const ranges = queries.some((query) => folded.includes(query)) ? rangesOf(queries, text) : []
  let from = 0
  for (let at = 0; at < ranges.length && found.length < matchesMax; ) {
    const [start, end] = windowAround(text, ranges[at] ?? [0, 0], from)
    const inside: Range[] = []
    for (let range = ranges[at]; range !== undefined && range[0] < end; range = ranges[++at]) {
      // The first match may exceed the window; a later match that does not fit begins the next window.
      if (range[1] > end && inside.length > 0) break
      inside.push([range[0] - start, Math.min(range[1], end) - start])
    }
    from = Math.min(end, ranges[at]?.[0] ?? end)
    found.push({ field, text: text.slice(start, from), ranges: inside })
  }
  return found
}

/** Returns the ranges of queries in a text; disjoint. */
function rangesOf(queries: readonly string[], text: string): readonly Range[] {
  const { folded, starts, ends } = foldWithOffsets(text)
  const found: [number, number][] = []
  for (const query of queries) {
    for (let at = folded.indexOf(query); at !== -1; at = folded.indexOf(query, at + query.length))
      found.push([starts[at] ?? 0, ends[at + query.length - 1] ?? 0])
  }
  const ranges: [number, number][] = []
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    // One character may end a match and begin the next one: ﬀ contains f twice.
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return ranges
}

/** Returns a window of text that is centred on a range. @param from the earliest start */
function windowAround(text: string, [start, end]: Range, from: number): Range {
  const room = snippetMax - codePoints(text, start, end)
  if (room <= 0) return [start, forward(text, start, snippetMax)]
  const half = backward(text, start, room >> 1, from)
  const last = forward(text, end, room - codePoints(text, half, start))
  return [backward(text, start, room - codePoints(text, end, last), from), last]
}

function codePoints(text: string, start: number, end: number): number {
  return [...text.slice(start, end)].length
}

function forward(text: string, at: number, count: number): number {
  return at + [...text.slice(at, at + 2 * count)].slice(0, count).join('').length
}

function backward(text: string, at: number, count: number, from: number): number {
  const before = [...text.slice(Math.max(from, at - 2 * count), at)]
  return at - before.slice(Math.max(0, before.length - count)).join('').length
}
