// Writes the index of a workspace as sections, and reads it back as views, without an object per post.
import { type TermKind, termKinds } from '../api/resources.ts'
import type { FieldIndex } from './field-index.ts'
import type { IdentifierTable } from './identifiers.ts'
import type { PackedLists } from './packed-lists.ts'
import type { PostIndex, TermIndex } from './post-index.ts'
import { type SectionReader, sectionReader } from './section-reader.ts'
import type { SectionArray, SectionTable, SectionWriter } from './sections.ts'

/** Writes an index. @returns the entries to read it back */
export function writeIndex(index: PostIndex, writer: SectionWriter): SectionTable {
  const arrays: Record<string, SectionArray> = {
    publishedAt: index.publishedAt,
    updatedAt: index.updatedAt,
    'orders.updatedAt': index.orders.updatedAt,
    'orders.title': index.orders.title,
    featured: index.featured,
    ...named('posts', index.names.identifiers),
    'posts.slugs': index.names.slugs,
    'posts.ids': index.names.ids,
    ...(index.drafts.length === 0 ? {} : { drafts: index.drafts }),
  }
  for (const kind of termKinds) {
    const { identifiers, slugs, postings, created } = index.terms[kind]
    Object.assign(arrays, named(kind, identifiers), named(`${kind}.slugs`, slugs))
    arrays[`${kind}.offsets`] = postings.offsets
    arrays[`${kind}.postings`] = postings.ordinals
    arrays[`${kind}.created`] = created
  }
  for (const [name, { numbers, texts, postings }] of Object.entries(index.fields ?? {})) {
    Object.assign(arrays, named(`fields.${name}`, texts), {
      [`fields.${name}.numbers`]: numbers,
      [`fields.${name}.offsets`]: postings.offsets,
      [`fields.${name}.postings`]: postings.ordinals,
    })
  }
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, writer.add(array)]),
  )
}

/**
 * Reads an index.
 *
 * @param fields names of the indexed custom fields
 * @throws RangeError when a section is missing or exceeds the file
 *
 * Cost: O(posts) for the list of all ordinals; everything else takes constant time.
 */
export function readIndex(
  sections: Uint8Array,
  table: SectionTable,
  fields: readonly string[] = [],
): PostIndex {
  const reader = sectionReader(sections, table)
  const publishedAt = reader('publishedAt', 'f64')
  const [categories, tags, authors] = termKinds.map((kind) => readTerms(reader, kind)) as [
    TermIndex,
    TermIndex,
    TermIndex,
  ]
  return {
    publishedAt,
    updatedAt: reader('updatedAt', 'f64'),
    orders: { updatedAt: reader('orders.updatedAt', 'u32'), title: reader('orders.title', 'u32') },
    names: {
      identifiers: readIdentifiers(reader, 'posts'),
      slugs: reader('posts.slugs', 'u32'),
      ids: reader('posts.ids', 'u32'),
    },
    all: new Uint32Array(publishedAt.length).map((_, ordinal) => ordinal),
    featured: reader('featured', 'u32'),
    drafts: table['drafts'] === undefined ? new Uint32Array(0) : reader('drafts', 'u32'),
    terms: { categories, tags, authors },
    ...(fields.length === 0
      ? {}
      : { fields: Object.fromEntries(fields.map((name) => [name, readField(reader, name)])) }),
  }
}

function named(name: string, table: IdentifierTable): Record<string, SectionArray> {
  return {
    [`${name}.identifiers`]: table.bytes,
    [`${name}.identifierOffsets`]: table.offsets,
    [`${name}.identifierOrdinals`]: table.ordinals,
  }
}

function readIdentifiers(reader: SectionReader, name: string): IdentifierTable {
  return {
    bytes: reader(`${name}.identifiers`, 'u8'),
    offsets: reader(`${name}.identifierOffsets`, 'u32'),
    ordinals: reader(`${name}.identifierOrdinals`, 'u32'),
  }
}

function readField(reader: SectionReader, name: string): FieldIndex {
  return {
    numbers: reader(`fields.${name}.numbers`, 'f64'),
    texts: readIdentifiers(reader, `fields.${name}`),
    postings: {
      offsets: reader(`fields.${name}.offsets`, 'u32'),
      ordinals: reader(`fields.${name}.postings`, 'u32'),
    },
  }
}

function readTerms(reader: SectionReader, kind: TermKind): TermIndex {
  const postings: PackedLists = {
    offsets: reader(`${kind}.offsets`, 'u32'),
    ordinals: reader(`${kind}.postings`, 'u32'),
  }
  return {
    identifiers: readIdentifiers(reader, kind),
    slugs: readIdentifiers(reader, `${kind}.slugs`),
    postings,
    created: reader(`${kind}.created`, 'u32'),
  }
}
