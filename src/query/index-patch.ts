// An index in which a few posts are others than they were: the lists of their terms are made anew, all else is taken
// as it was laid out. What comes of it is what comes of joining all posts.
// Knows nothing of files.
import {
  addOrdinal,
  type Bitmap,
  bitmapBytes,
  emptyBitmap,
  hasOrdinal,
  ordinalsIn,
  removeOrdinal,
} from './bitmaps.ts'
import {
  type ChangedTerm,
  changedTerms,
  type PostChange,
  type TermChanges,
} from './changed-terms.ts'
import { GrowingBytes } from './growing.ts'
import { findBytes } from './identifiers.ts'
import { type LaidOutIndex, storeIndex } from './index-builder.ts'
import type { KnownIndex } from './known-index.ts'
import { storeTerms } from './lexicon.ts'
import { addStored, ListEncoder } from './list-coding.ts'
import { type ListEdit, patchLists } from './patched-lists.ts'
import { hashOf } from './post-terms.ts'
import { unionTerm } from './query-parts.ts'
import { costOfRun, nearCost } from './union-costs.ts'

/** What is made of an index that is known. */
export interface IndexPatch {
  readonly postCount: number
  /** No post twice. */
  readonly changes: readonly PostChange[]
}

/**
 * The index as it is with other posts.
 *
 * @returns undefined where that takes joining all posts: lists would be coded otherwise, or other unions be ready
 *
 * Cost: O(terms) for what is said of each list, O(terms of the changed posts) lists.
 */
export function patchIndex(
  known: KnownIndex,
  { postCount, changes }: IndexPatch,
): LaidOutIndex | undefined {
  if (bitmapBytes(postCount) !== bitmapBytes(known.postCount)) return undefined
  const changed = changedTerms(changes)
  const lists = new ListPatcher(known)
  const terms = changed.terms.map((term) => editTerm(known, lists, term))
  const costs = costsOfParts(known, changed.terms, terms)
  if (costs === undefined) return undefined
  const unions = editUnions(known, lists, { costs, changes, runs: changed.runs })
  const { bytes, ...laidOut } = patchLists(known, [...terms, ...unions.edits])
  const lexicons = [0, 1, 2].map((kind) => patchLexicon(known, kind, changed.terms, terms))
  return storeIndex(lexicons, { bytes, ...laidOut }, unions.parts)
}

/** Reads known lists and writes others. */
class ListPatcher {
  readonly #known: KnownIndex
  readonly #view: DataView
  readonly #bytes = new GrowingBytes()
  readonly #encoder: ListEncoder

  constructor(known: KnownIndex) {
    const { buffer, byteOffset } = known.lists
    this.#known = known
    this.#view = new DataView(buffer, byteOffset)
    this.#encoder = new ListEncoder(bitmapBytes(known.postCount), this.#bytes)
  }

  /** The posts of a known list; none for -1. */
  read(list: number): Bitmap {
    const bits = emptyBitmap(this.#known.postCount)
    const length = this.#known.lengths[list]
    const place = this.#known.places[list] ?? 0
    if (length === 0) addOrdinal(bits, place)
    else if (length !== undefined) addStored(bits, this.#view, place, length)
    return bits
  }

  /** A list as it is stored; null for an empty one. */
  write(bits: Bitmap): ListEdit['list'] {
    const posts = ordinalsIn(bits)
    if (posts.length < 2) return posts[0] ?? null
    const start = this.#bytes.length
    this.#encoder.add(posts, 0, posts.length)
    return this.#bytes.array.slice(start, this.#bytes.length)
  }
}

function editTerm(known: KnownIndex, lists: ListPatcher, term: ChangedTerm): ListEdit {
  const { kind, text, hash, added, removed } = term
  const [first, end] = rangeOf(known, kind)
  const found = findBytes(text, known.texts, known.starts.subarray(first, end + 1), 1)
  const at = first + (found < 0 ? -1 - found : found)
  const bits = lists.read(found < 0 ? -1 : at)
  for (const post of removed) removeOrdinal(bits, post)
  for (const post of added) addOrdinal(bits, post)
  return { at, isKnown: found >= 0, list: lists.write(bits), hash }
}

/** The first term of a lexicon, and the one behind its last. */
function rangeOf({ counts }: KnownIndex, kind: number): readonly [first: number, end: number] {
  const first = counts.subarray(0, kind).reduce((sum, count) => sum + count, 0)
  return [first, first + (counts[kind] ?? 0)]
}

/** A run whose list costs another number of bytes by now. */
interface RunCost {
  /** `NUL run NUL`. */
  readonly text: string
  readonly more: number
}

/** @returns what each part costs by now; undefined where one might cost enough of which that is not known */
function costsOfParts(
  { parts, lengths, unionCost }: KnownIndex,
  terms: readonly ChangedTerm[],
  edits: readonly ListEdit[],
): readonly number[] | undefined {
  const runs: RunCost[] = []
  for (const [index, { kind, text }] of terms.entries()) {
    const { at, isKnown, list } = edits[index] ?? noEdit
    const before = isKnown ? costOfRun(lengths[at] ?? 0) : 0
    const after = list === null ? 0 : costOfRun(typeof list === 'number' ? 0 : list.length)
    if (kind > 1 || before === after) continue
    runs.push({ text: `\0${decoder.decode(text)}\0`, more: after - before })
  }
  if (mostOfLetters(runs) >= unionCost - nearCost(unionCost)) return undefined
  const costs = parts.map(({ part, cost }) =>
    runs.reduce((sum, { text, more }) => sum + more * occurrences(text, part), cost),
  )
  const isReady = (cost: number) => cost >= unionCost
  const areKnown = parts.every(({ cost }, at) => isReady(cost) || !isReady(costs[at] ?? 0))
  return areKnown ? costs : undefined
}

const noEdit: ListEdit = { at: 0, isKnown: false, list: null, hash: 0 }

/** The most that any letter's runs cost more: no part costs as much more, as it has a letter. */
function mostOfLetters(runs: readonly RunCost[]): number {
  const sums = new Map<string, number>()
  for (const { text, more } of runs) {
    if (more <= 0) continue
    for (const letter of text.slice(1, -1).split('')) {
      sums.set(letter, (sums.get(letter) ?? 0) + more)
    }
  }
  return Math.max(0, ...sums.values())
}

/** How many times a part begins in a text. */
function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count += 1
  return count
}

interface UnionChanges extends Pick<TermChanges, 'runs'> {
  /** Of each known part, by now. */
  readonly costs: readonly number[]
  readonly changes: readonly PostChange[]
}

/** @returns with the parts that are ready by now, in the order of their lists */
function editUnions(
  known: KnownIndex,
  lists: ListPatcher,
  { costs, changes, runs }: UnionChanges,
): { readonly edits: readonly ListEdit[]; readonly parts: readonly string[] } {
  const edits: ListEdit[] = []
  const parts: string[] = []
  let next = known.hashes.length
  for (const [index, { part, cost }] of known.parts.entries()) {
    if (cost < known.unionCost) continue
    const at = next++
    const term = unionTerm(part)
    const name = encoder.encode(term)
    const edit = { at, isKnown: true, hash: hashOf(name, 0, name.length) }
    if ((costs[index] ?? 0) < known.unionCost) {
      edits.push({ ...edit, list: null })
      continue
    }
    parts.push(term)
    const bits = lists.read(at)
    if (correctUnion(bits, part, { changes, runs }))
      edits.push({ ...edit, list: lists.write(bits) })
  }
  return { edits, parts }
}

/** Puts the changed posts in that have a part, and takes out those that have it not. @returns false for none */
function correctUnion(
  bits: Bitmap,
  part: string,
  { changes, runs }: Omit<UnionChanges, 'costs'>,
): boolean {
  let isChanged = false
  for (const [change, { post }] of changes.entries()) {
    const has = (runs[change] ?? '').includes(part)
    if (has === hasOrdinal(bits, post)) continue
    isChanged = true
    if (has) addOrdinal(bits, post)
    else removeOrdinal(bits, post)
  }
  return isChanged
}

/** The lexicon as it is stored; as it was where no term came or went. */
function patchLexicon(
  known: KnownIndex,
  kind: number,
  terms: readonly ChangedTerm[],
  edits: readonly ListEdit[],
): Uint8Array {
  const [first, end] = rangeOf(known, kind)
  const { starts, texts } = known
  const bytes = new GrowingBytes()
  let count = end - first
  let from = starts[first] ?? 0
  for (const [index, { at, isKnown, list }] of edits.entries()) {
    const term = terms[index]
    if (term?.kind !== kind || isKnown === (list !== null)) continue
    const to = starts[at] ?? 0
    bytes.add(texts.subarray(from, to))
    from = isKnown ? (starts[at + 1] ?? to) : to
    count += isKnown ? -1 : 1
    if (isKnown) continue
    bytes.add(term.text)
    bytes.addByte(0)
  }
  const stored = known.lexicons[kind]
  if (bytes.length === 0 && from === starts[first] && stored !== undefined) return stored
  bytes.add(texts.subarray(from, starts[end]))
  return storeTerms({ count, bytes: bytes.view() })
}

const encoder = new TextEncoder()
// A mark of byte order is a character as any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
