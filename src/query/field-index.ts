// The index of a custom field: its values and the posts of each.
import type { FieldFilter, IndexedField } from '../api/field-parameters.ts'
import type { FieldValue } from '../api/resources.ts'
import { partitionPoint } from '../api/visibility.ts'
import { addOrdinal, emptyBitmap, ordinalsIn } from './bitmaps.ts'
import { findIdentifier, type IdentifierTable, identifierTable } from './identifiers.ts'
import type { NamedList } from './list-bitmaps.ts'
import { listAt, type PackedLists, packLists } from './packed-lists.ts'

/** An index of one field; its values are numbered. */
export interface FieldIndex {
  /** Numbers, or dates in milliseconds since 1970, ascending, by value number. */
  readonly numbers: Float64Array
  /** Value numbers of texts and booleans. */
  readonly texts: IdentifierTable
  /** The posts of each value, by value number. */
  readonly postings: PackedLists
}

/** @param values of each post */
export function indexField(
  type: IndexedField['type'],
  values: Iterable<FieldValue | undefined>,
): FieldIndex {
  const posts = new Map<string | number, number[]>()
  let post = 0
  for (const value of values) {
    for (const key of new Set(keysOf(type, value))) {
      const list = posts.get(key) ?? []
      posts.set(key, list)
      list.push(post)
    }
    post += 1
  }
  const isNumeric = type === 'number' || type === 'date'
  const keys = [...posts.keys()].sort((a, b) => (a < b ? -1 : 1))
  const texts = isNumeric ? [] : keys.map((key, at): [string, number] => [String(key), at])
  return {
    numbers: Float64Array.from(isNumeric ? keys.map(Number) : []),
    texts: identifierTable(new Map(texts)),
    postings: packLists(keys.map((key) => posts.get(key) ?? [])),
  }
}

function keysOf(
  type: IndexedField['type'],
  value: FieldValue | undefined,
): readonly (string | number)[] {
  if (value === null || value === undefined) return []
  if (type === 'date') return [Date.parse(String(value))]
  if (typeof value === 'number') return [value]
  return typeof value === 'object' ? value : [String(value)]
}

/** Returns the lists of posts that a filter includes, or those that it excludes; an unknown value has no list. */
export function fieldLists(
  { numbers, texts, postings }: FieldIndex,
  { name, operator, values }: FieldFilter,
  universe: number,
): readonly NamedList[] {
  const placeOf = (isBefore: (value: number) => boolean) =>
    partitionPoint(numbers.length, (at) => isBefore(numbers[at] ?? 0))
  const [bound] = values
  if (operator === 'gte' || operator === 'lte') {
    const limit = Number(bound)
    const [from, to] =
      operator === 'gte'
        ? [placeOf((value) => value < limit), numbers.length]
        : [0, placeOf((value) => value <= limit)]
    const bits = emptyBitmap(universe)
    const { offsets, ordinals } = postings
    for (const post of ordinals.subarray(offsets[from], offsets[to])) addOrdinal(bits, post)
    return [{ name: null, posts: ordinalsIn(bits) }]
  }
  return values.flatMap((value) => {
    const place =
      typeof value === 'string' ? findIdentifier(texts, value) : placeOf((each) => each < value)
    const isThere = typeof value === 'string' ? place !== -1 : numbers[place] === value
    return isThere ? { name: `fields.${name} ${place}`, posts: listAt(postings, place) } : []
  })
}
