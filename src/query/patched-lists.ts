// Posting lists of which a few are others than they were: what did not change is copied as it lies.
// Knows nothing of what the lists are of, nor of how one is stored.
import { GrowingBytes, GrowingNumbers } from './growing.ts'
import type { KnownIndex } from './known-index.ts'
import { isCut, refMask, type StoredLists, sortedByNumber } from './stored-lists.ts'

/** A list that is new, another one, or gone. */
export interface ListEdit {
  /** The known list that it takes the place of, or before which a new one stands in the order of adding. */
  readonly at: number
  readonly isKnown: boolean
  /** How it is stored; null for one that is gone. */
  readonly list: EditedList | null
  /** Of what the list is of. */
  readonly hash: number
}

/** A list as it is stored: one ordinal, or bytes. */
export type EditedList = number | Uint8Array

type KnownLists = Pick<KnownIndex, 'lengths' | 'places' | 'lists' | 'cuts'>

/**
 * The lists as they are laid out when all are added anew.
 *
 * @param edits in the order of adding
 *
 * Cost: O(lists) for what is said of each, and a copy of their bytes.
 */
export function patchLists(
  known: KnownLists,
  edits: readonly ListEdit[],
): Omit<StoredLists, 'placed'> {
  const { bytes, cuts } = patchBytes(known, edits)
  if (bytes.length > refMask) throw new RangeError('the posting lists are larger than 1 GiB')
  const counts = countLengths(known.lengths, edits)
  const areaStarts = new GrowingNumbers()
  const areaLengths = new GrowingNumbers()
  /** By length: the area, from 1. */
  const areas = new Uint32Array(counts.length)
  let at = 0
  for (let length = 1; length < counts.length; length++) {
    const count = counts[length] ?? 0
    if (count === 0) continue
    areaStarts.push(at)
    areaLengths.push(length)
    areas[length] = areaLengths.length
    at += count * length
  }
  areaStarts.push(at)
  return {
    bytes,
    cuts,
    areaStarts: areaStarts.view().slice(),
    areaLengths: areaLengths.view().slice(),
    refs: patchRefs(known, edits, areas),
  }
}

/** Something that changes the bytes: so many are left out at a place, or some are put in before it. */
interface Splice {
  readonly at: number
  readonly without: number
  readonly list: Uint8Array
  readonly hash: number
}

const noBytes = new Uint8Array(0)

function patchBytes(
  { lengths, places, lists, cuts }: KnownLists,
  edits: readonly ListEdit[],
): Pick<StoredLists, 'bytes' | 'cuts'> {
  const splices = splicesOf({ lengths, places, lists }, edits)
  const bytes = new GrowingBytes()
  bytes.reserve(lists.length + splices.reduce((sum, { list }) => sum + list.length, 0))
  const cutPlaces: number[] = []
  let from = 0
  let cut = 0
  /** Copies what did not change, up to a place; where it may be cut is now elsewhere. */
  const copyTo = (to: number) => {
    for (; (cuts[cut] ?? to) < to; cut++) {
      cutPlaces.push(bytes.length + (cuts[cut] ?? 0) - from)
    }
    bytes.add(lists.subarray(from, to))
    from = to
  }
  for (const { at, without, list, hash } of splices) {
    if (at > from) copyTo(at)
    if (list.length > 0 && isCut(hash, list.length)) cutPlaces.push(bytes.length)
    bytes.add(list)
    if (without > 0) {
      if (cuts[cut] === at) cut += 1
      from = at + without
    }
  }
  copyTo(lists.length)
  return { bytes: bytes.view(), cuts: cutPlaces }
}

/** In the order of their places; what is put in at one place, in the order of its lengths and of adding. */
function splicesOf(
  { lengths, places, lists }: Omit<KnownLists, 'cuts'>,
  edits: readonly ListEdit[],
): readonly Splice[] {
  const order = sortedByNumber(lengths)
  const splices: Splice[] = []
  for (const { at, isKnown, list, hash } of edits) {
    const without = isKnown ? (lengths[at] ?? 0) : 0
    if (without > 0) splices.push({ at: places[at] ?? 0, without, list: noBytes, hash })
    if (!(list instanceof Uint8Array)) continue
    const next = order[placeIn(order, lengths, list.length, at)]
    const place = next === undefined ? lists.length : (places[next] ?? 0)
    splices.push({ at: place, without: 0, list, hash })
  }
  // Sorting keeps the order of those that are equal.
  return splices.sort(
    (a, b) => a.at - b.at || a.without - b.without || a.list.length - b.list.length,
  )
}

/** How many lists lie before one of a length that is added before another. */
function placeIn(order: Uint32Array, lengths: Uint32Array, length: number, added: number): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const list = order[middle] ?? 0
    const difference = (lengths[list] ?? 0) - length || list - added
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** By length, how many lists there are. */
function countLengths(lengths: Uint32Array, edits: readonly ListEdit[]): Uint32Array {
  let most = 0
  for (let list = 0; list < lengths.length; list++) most = Math.max(most, lengths[list] ?? 0)
  for (const { list } of edits) if (list instanceof Uint8Array) most = Math.max(most, list.length)
  const counts = new Uint32Array(most + 1)
  const count = (length: number, by: number) => {
    counts[length] = (counts[length] ?? 0) + by
  }
  for (let list = 0; list < lengths.length; list++) count(lengths[list] ?? 0, 1)
  for (const { at, isKnown, list } of edits) {
    if (isKnown) count(lengths[at] ?? 0, -1)
    if (list !== null) count(lengthOf(list), 1)
  }
  return counts
}

function lengthOf(list: EditedList): number {
  return typeof list === 'number' ? 0 : list.length
}

/** As `readRefs` reads them. @param areas by length, from 1 */
function patchRefs(
  { lengths, places }: Omit<KnownLists, 'cuts'>,
  edits: readonly ListEdit[],
  areas: Uint32Array,
): Uint8Array {
  const refs = new GrowingBytes()
  refs.reserve(lengths.length * 3)
  const add = (length: number, ordinal: number) => {
    refs.addVarint(areas[length] ?? 0)
    if (length === 0) refs.addVarint(ordinal)
  }
  let next = 0
  for (let list = 0; list <= lengths.length; list++) {
    let isLeftOut = false
    for (let edit = edits[next]; edit?.at === list; edit = edits[++next]) {
      isLeftOut ||= edit.isKnown
      if (edit.list !== null) add(lengthOf(edit.list), Number(edit.list))
    }
    if (!isLeftOut && list < lengths.length) add(lengths[list] ?? 0, places[list] ?? 0)
  }
  return refs.view().slice()
}
