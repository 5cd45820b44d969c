// The resources of the interface and their JSON, keys in the order of the specification's tables.
// Knows nothing of where the values come from nor of who asks for them.

/** The kinds of resource, as they stand in paths and in envelopes. */
export type ResourceKind = 'posts' | 'categories' | 'tags' | 'authors'

/** Every kind, in one fixed order. */
export const resourceKinds: readonly ResourceKind[] = ['posts', 'categories', 'tags', 'authors']

/** Kinds whose resources have posts: all but posts themselves. */
export type TermKind = Exclude<ResourceKind, 'posts'>

/** Every term kind, in one fixed order. */
export const termKinds: readonly TermKind[] = ['categories', 'tags', 'authors']

/** A link to a profile. */
export interface Social {
  /** Absolute URL. */
  readonly url: string
  readonly platform: string
}

export interface Author {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly image: string | null
  readonly bio: string | null
  readonly role: string | null
  readonly socials: readonly Social[]
}

/** A category or a tag. */
export interface Term {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
}

/** A value of a custom field; dates are `YYYY-MM-DDTHH:MM:SS.sssZ`, null is one that a post does not state. */
export type FieldValue = string | number | boolean | readonly string[] | null

/** Values by the names of a workspace's custom fields, in the order of their definitions. */
export type CustomFields = Readonly<Record<string, FieldValue>>

/** A post without its body. Dates are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Post {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly featured: boolean
  readonly coverImage: string | null
  readonly description: string
  readonly publishedAt: string
  readonly updatedAt: string
  readonly attribution: string | null
  /** In the order of the front matter. */
  readonly authors: readonly Author[]
  readonly category: Term
  /** In the order of the front matter. */
  readonly tags: readonly Term[]
  /** Every field that the workspace defines; absent where it defines none. */
  readonly fields?: CustomFields
}

/**
 * A post's JSON in two halves, with room for `,"content":"…"` between them.
 *
 * @returns `head` opens the object and ends after the title; `tail` begins with a comma and closes it
 */
export function postJson(post: Post): { readonly head: string; readonly tail: string } {
  const { id, slug, title } = post
  const tail = JSON.stringify({
    featured: post.featured,
    coverImage: post.coverImage,
    description: post.description,
    publishedAt: post.publishedAt,
    updatedAt: post.updatedAt,
    attribution: post.attribution,
    authors: post.authors.map(authorInPost),
    category: termSummary(post.category),
    tags: post.tags.map(termSummary),
    ...(post.fields === undefined ? {} : { fields: post.fields }),
  })
  return { head: openObject({ id, slug, title }), tail: `,${tail.slice(1)}` }
}

/** The JSON of a post as it is listed under an author, a category or a tag; a whole object. */
export function postItemJson(post: Post): string {
  const { id, title, slug, description, coverImage, publishedAt } = post
  return JSON.stringify({ id, title, slug, description, coverImage, publishedAt })
}

/** A category's or tag's JSON without its count and closing brace. */
export function termJson(term: Term): string {
  return openObject(termSummary(term))
}

/** An author's JSON as a resource of its own, without the closing brace. */
export function authorJson(author: Author): string {
  const { id, name, image, slug, bio, role } = author
  return openObject({ id, name, image, slug, bio, role, socials: author.socials.map(social) })
}

function authorInPost(author: Author): object {
  const { id, name, image, bio, role, slug } = author
  return { id, name, image, bio, role, slug, socials: author.socials.map(social) }
}

function social({ url, platform }: Social): Social {
  return { url, platform }
}

function termSummary({ id, name, slug, description }: Term): object {
  return { id, name, slug, description }
}

function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}
