// Resources and their JSON, with keys in the order of the specification's tables. The client has their types.
import type { Author, CustomFields, FieldValue, PostSummary, Term } from '#client'

export type { Author, CustomFields, Derived, FieldValue, Social, Term } from '#client'

/** Kinds of resources, as in paths and envelopes. */
export type ResourceKind = 'posts' | 'categories' | 'tags' | 'authors'

/** Every kind, in a fixed order. */
export const resourceKinds: readonly ResourceKind[] = ['posts', 'categories', 'tags', 'authors']

/** The name of one resource of a kind, of an item or of a singleton: the key of its envelope. */
export const singular = {
  posts: 'post',
  categories: 'category',
  tags: 'tag',
  authors: 'author',
  items: 'item',
  singletons: 'singleton',
} as const

/** Kinds of resources that have posts. */
export type TermKind = Exclude<ResourceKind, 'posts'>

/** Every term kind, in a fixed order. */
export const termKinds: readonly TermKind[] = ['categories', 'tags', 'authors']

/** Any JSON value. */
export type Json = FieldValue

/** Values computed from the body of a post, in response order. */
export const derivedNames = [
  'excerpt',
  'wordCount',
  'readingTime',
  'toc',
  'images',
  'cover',
] as const

/** The name of a computed value. */
export type DerivedName = (typeof derivedNames)[number]

/** A post without its body. `fields` are absent if the workspace defines none. */
export type Post = PostSummary & { readonly fields?: CustomFields }

/** Keys of a post in a response, in the order of the specification, then `fields` and `derived`. */
export const postKeys: readonly string[] = [
  ...['id', 'slug', 'title', 'content', 'featured', 'coverImage', 'description', 'publishedAt'],
  ...['updatedAt', 'attribution', 'authors', 'category', 'tags', 'fields', 'derived'],
]

/** Keys of a post that is listed under an author, a category or a tag. */
export const postItemKeys = [
  'id',
  'title',
  'slug',
  'description',
  'coverImage',
  'publishedAt',
] as const

/** Keys of an item of a collection. */
export const itemKeys: readonly string[] = [
  ...['id', 'slug', 'title', 'content', 'publishedAt', 'updatedAt', 'fields'],
]

/** Keys at the end of a post or an item in a workspace with a language. */
export const languageKeys = ['locale', 'translations'] as const

/** Kinds of rows, which differ in their JSON: posts, items of a collection, and singletons. */
export type RowKind = 'posts' | 'items' | 'singletons'

/** Returns a post's JSON up to its title, and the rest, which begins with a comma. The content comes between them. */
export function postJson(
  post: Post,
  kind: RowKind = 'posts',
): { readonly head: string; readonly tail: string } {
  const { id, slug, title } = post
  const head = kind === 'singletons' ? { name: slug } : { id, slug, title }
  return { head: openObject(head), tail: `,${JSON.stringify(pick(post, tailKeys[kind])).slice(1)}` }
}

const isInTail = (name: string) => !['id', 'slug', 'title', 'content'].includes(name)

const tailKeys: Readonly<Record<RowKind, readonly string[]>> = {
  posts: postKeys.filter(isInTail),
  items: itemKeys.filter(isInTail),
  singletons: ['fields'],
}

/** Returns the JSON of a post or item that is listed with another resource: a whole object. */
export function postItemJson(post: Post, kind: RowKind = 'posts'): string {
  return JSON.stringify(kind === 'posts' ? pick(post, postItemKeys) : summaryOf(post))
}

/** The summary of a resource that a field refers to: id, slug, and title or name. */
export function summaryOf(
  of: Pick<Post, 'id' | 'slug' | 'title'> | Pick<Term, 'id' | 'slug' | 'name'>,
): Readonly<Record<string, string>> {
  const { id, slug } = of
  return 'title' in of ? { id, slug, title: of.title } : { id, slug, name: of.name }
}

/** Returns the JSON of a category or tag, without its count and closing brace. */
export function termJson(term: Term): string {
  return openObject(pick(term, [...termKeys, 'fields']))
}

/** Returns the JSON of an author as a separate resource, without its closing brace. */
export function authorJson(author: Author): string {
  return openObject(
    pick(author, ['id', 'name', 'image', 'slug', 'bio', 'role', 'socials', 'fields']),
  )
}

const termKeys = ['id', 'name', 'slug', 'description']

/** Keys of the resources and links that a key holds. */
const keysWithin: Readonly<Record<string, readonly string[]>> = {
  authors: ['id', 'name', 'image', 'bio', 'role', 'slug', 'socials'],
  category: termKeys,
  tags: termKeys,
  socials: ['url', 'platform'],
}

/** Returns some keys of a resource, in this order. The JSON does not have a key whose value is undefined. */
function pick(of: object, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const values = keys.map((key) => [key, within(Reflect.get(of, key), key)])
  return Object.fromEntries(values)
}

function within(value: unknown, name: string): unknown {
  const keys = keysWithin[name]
  if (Array.isArray(value) && keys) return value.map((each) => pick(each, keys))
  if (keys) return pick(value as object, keys)
  // Only items may have no date.
  return /At$/.test(name) && value === '' ? null : value
}

function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}
