// The slugs and ids of posts in one table.
import { addOrdinal, type Bitmap, emptyBitmap, hasOrdinal } from './bitmaps.ts'
import { type IdentifierTable, identifierAt, identifierTable } from './identifiers.ts'

/** The names of posts; the bitmaps mark which names are slugs and which are ids, by their index in the table. */
export interface PostNames {
  readonly identifiers: IdentifierTable
  readonly slugs: Bitmap
  readonly ids: Bitmap
}

/** Builds the table for posts in publication order. */
export function postNames(
  posts: Iterable<{ readonly slug: string; readonly id: string }>,
): PostNames {
  // Ordinals, shifted by two bits for the kind of the name.
  const marked = new Map<string, number>()
  let ordinal = 0
  for (const { slug, id } of posts) {
    marked.set(slug, ordinal * 4 + isSlug + (slug === id ? isId : 0))
    if (slug !== id) marked.set(id, ordinal * 4 + isId)
    ordinal += 1
  }
  const { bytes, offsets, ordinals } = identifierTable(marked)
  const slugs = emptyBitmap(ordinals.length)
  const ids = emptyBitmap(ordinals.length)
  for (const [number, mark] of ordinals.entries()) {
    if ((mark & isSlug) !== 0) addOrdinal(slugs, number)
    if ((mark & isId) !== 0) addOrdinal(ids, number)
  }
  return {
    identifiers: { bytes, offsets, ordinals: ordinals.map((mark) => mark >>> 2) },
    slugs,
    ids,
  }
}

const isSlug = 1
const isId = 2

/**
 * Finds posts by slug or by id.
 *
 * @returns ascending and unique; unknown names are ignored
 */
export function findPosts(
  { identifiers, slugs, ids }: PostNames,
  kind: 'slugs' | 'ids',
  wanted: readonly string[],
): Uint32Array {
  const kinds = kind === 'slugs' ? slugs : ids
  const found = wanted.flatMap((name) => {
    const number = identifierAt(identifiers, name)
    return number >= 0 && hasOrdinal(kinds, number) ? (identifiers.ordinals[number] ?? []) : []
  })
  return Uint32Array.from(new Set(found)).sort()
}
