// The mapping of another tool's front matter: the source key of each field, and the conversion of its value.
import { type PostKeys, postKeyTable } from '../api/post-keys.ts'

/** Keys of a post that can be mapped: all but `fields`. */
export type MappedField<Table = PostKeys> = Exclude<keyof Table, 'fields'>

/** Keys of a post that can be mapped. */
export const mappedFields: readonly string[] = Object.keys(postKeyTable).filter(
  (name) => name !== 'fields',
)

/** Fields of a category, a tag or an author that can be mapped. */
export const mappedTermFields = [
  'name',
  'slug',
  'id',
  'description',
  'image',
  'role',
  'bio',
  'url',
  'socials',
] as const

/** Source and conversion of a field. Steps apply in the order below. */
export interface FieldSource {
  /**
   * Keys to read, or paths such as `params.author`; the first one with a value is used. The field's own name is tried
   * last.
   */
  readonly from?: string | readonly string[]
  /** Splits text into a list at this separator; `' '` splits at any white space. */
  readonly split?: string
  /** Takes one item of a list. */
  readonly take?: 'first' | 'last'
  /**
   * Converts text to a slug: `Open Source` becomes `open-source`. Categories, tags and authors keep the text as their
   * name.
   */
  readonly slugify?: boolean
  /** Also accepts dates with spaces: `2024-05-06 07:08:09 +0200`. */
  readonly dates?: 'loose'
  /** Negates a boolean, of the keys in `from` only: `draft: { from: 'published', not: true }`. */
  readonly not?: boolean
  /** Value if no key has one. */
  readonly default?: string
}

/** Source of a slug. */
export interface SlugSource extends FieldSource {
  /**
   * Source of a slug that no key states: the file's name, or its whole path below `posts/`, with `-` for `/` and
   * without a trailing `index`.
   */
  readonly derive?: 'name' | 'path'
}

/**
 * Mapping of posts written for another tool.
 *
 * ```ts
 * { publishedAt: 'date', tags: ['tags', 'keywords'], category: { from: 'categories', take: 'first' } }
 * ```
 */
export type FrontMatterMapping = {
  readonly [field in Exclude<MappedField, 'slug'>]?: string | readonly string[] | FieldSource
} & {
  readonly slug?: string | readonly string[] | SlugSource
  /** Keys of other tools that cause no warning; `true` for all. */
  readonly ignore?: readonly string[] | true
}

/** Mapping of another tool's categories, tags or authors. */
export type TermMapping = {
  readonly [field in (typeof mappedTermFields)[number]]?: string | readonly string[] | FieldSource
} & Pick<FrontMatterMapping, 'ignore'>

/** Mappings by kind: `{ posts: { … }, authors: { image: 'avatar' } }`. */
export interface KindMappings {
  readonly posts?: FrontMatterMapping | undefined
  readonly categories?: TermMapping | undefined
  readonly tags?: TermMapping | undefined
  readonly authors?: TermMapping | undefined
  /** By the name of the collection: built-in keys and fields. */
  readonly collections?: Readonly<Record<string, ItemMapping>> | undefined
}

/** Mapping of the items of a collection. */
export type ItemMapping = Readonly<Record<string, string | readonly string[] | FieldSource | true>>

/** Mappings of every kind. */
export type Mappings = { readonly [kind in keyof KindMappings]-?: NonNullable<KindMappings[kind]> }

/** Returns the mappings of all kinds. A flat mapping is that of posts. */
export function mappingsOf(given: FrontMatterMapping | KindMappings): Mappings {
  const {
    posts = {},
    categories = {},
    tags = {},
    authors = {},
    collections = {},
  } = isByKind(given) ? given : { posts: given }
  return { posts, categories, tags, authors, collections }
}

/**
 * Reports whether a mapping is by kind. A post has the fields tags and authors too, so a mapping of only these is
 * decided by its content: keys of a term, not steps such as `from`.
 */
export function isByKind(given: object): given is KindMappings {
  if ('posts' in given || 'collections' in given) return true
  return ['categories', 'tags', 'authors'].some((kind) => {
    const value: unknown = Reflect.get(given, kind)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.keys(value).some((key) =>
      [...mappedTermFields, 'ignore'].some((it) => it === key),
    )
  })
}
