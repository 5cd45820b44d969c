// How front matter of another tool is mapped: which key each field comes from, and how its value is put into shape.
import { type PostKeys, postKeyTable } from '../api/post-keys.ts'

/** The keys of a post that can be mapped: all but `fields`. */
export type MappedField<Table = PostKeys> = Exclude<keyof Table, 'fields'>

/** The keys of a post that can be mapped. */
export const mappedFields: readonly string[] = Object.keys(postKeyTable).filter(
  (name) => name !== 'fields',
)

/** The fields of a category, a tag or an author that can be mapped. */
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

/** Where a field comes from, and how its value is put into shape; steps are taken in this order. */
export interface FieldSource {
  /**
   * Keys to read, or paths such as `params.author`; the first that says something wins. The field's own name is
   * always tried last.
   */
  readonly from?: string | readonly string[]
  /** Cuts text into a list at this separator; `' '` at any white space. */
  readonly split?: string
  /** Takes one item of a list only. */
  readonly take?: 'first' | 'last'
  /** Makes a slug of text: `Open Source` becomes `open-source`. Categories, tags and authors keep it as their name. */
  readonly slugify?: boolean
  /** Also reads dates with a blank: `2024-05-06 07:08:09 +0200`. */
  readonly dates?: 'loose'
  /** Turns true into false and back, of the keys in `from` alone: `draft: { from: 'published', not: true }`. */
  readonly not?: boolean
  /** The value when no key says anything. */
  readonly default?: string
}

/** Where a slug comes from. */
export interface SlugSource extends FieldSource {
  /**
   * The source of a slug when no key states one: the file's name, or its whole path below `posts/`, with
   * `-` for `/` and without a last `index`.
   */
  readonly derive?: 'name' | 'path'
}

/**
 * How posts written for another tool are read.
 *
 * ```ts
 * { publishedAt: 'date', tags: ['tags', 'keywords'], category: { from: 'categories', take: 'first' } }
 * ```
 */
export type FrontMatterMapping = {
  readonly [field in Exclude<MappedField, 'slug'>]?: string | readonly string[] | FieldSource
} & {
  readonly slug?: string | readonly string[] | SlugSource
  /** Keys that are there for other tools: no warning is given for them. `true` for all. */
  readonly ignore?: readonly string[] | true
}

/** How the categories, tags or authors of another tool are read. */
export type TermMapping = {
  readonly [field in (typeof mappedTermFields)[number]]?: string | readonly string[] | FieldSource
} & Pick<FrontMatterMapping, 'ignore'>

/** How each kind is read: `{ posts: { … }, authors: { image: 'avatar' } }`. */
export interface KindMappings {
  readonly posts?: FrontMatterMapping | undefined
  readonly categories?: TermMapping | undefined
  readonly tags?: TermMapping | undefined
  readonly authors?: TermMapping | undefined
}

/** A mapping of every kind. */
export type Mappings = { readonly [kind in keyof KindMappings]-?: NonNullable<KindMappings[kind]> }

/** The mappings of all kinds; a flat one is that of posts. */
export function mappingsOf(given: FrontMatterMapping | KindMappings): Mappings {
  const {
    posts = {},
    categories = {},
    tags = {},
    authors = {},
  } = isByKind(given) ? given : { posts: given }
  return { posts, categories, tags, authors }
}

/**
 * True for a mapping by kind. Tags and authors are fields of a post too, so a mapping of these alone is told apart by
 * what is in it: keys of a term, not steps such as `from`.
 */
export function isByKind(given: object): given is KindMappings {
  if ('posts' in given) return true
  return ['categories', 'tags', 'authors'].some((kind) => {
    const value: unknown = Reflect.get(given, kind)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.keys(value).some((key) =>
      [...mappedTermFields, 'ignore'].some((it) => it === key),
    )
  })
}
