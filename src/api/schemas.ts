// JSON Schemas of every body in the OpenAPI document. A test validates every real response against them.
import type { IndexedField, Reference } from './parameter-values.ts'
import { type DerivedName, languageKeys } from './resources.ts'

/** The files that sharp makes from an image: copies of these widths, and a preview. */
export interface Scaling {
  readonly widths: readonly number[]
  readonly preview: boolean
}

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** Custom fields, by name. */
export interface DescribedFields {
  readonly properties: Readonly<Record<string, Schema>>
  readonly indexed: readonly IndexedField[]
  /** Fields that refer to other resources. */
  readonly references: readonly Reference[]
}

/** Content of workspaces that the document describes. */
export interface DescribedContent {
  /** The only workspace: paths name it, and schemas are exact. @default any workspace */
  readonly workspace?: {
    readonly id: string
    readonly title: string
    readonly isV1Private: boolean
    readonly derived: readonly DerivedName[]
  }
  /** Fields of posts. @default any */
  readonly fields?: DescribedFields
  readonly collections: readonly { readonly name: string; readonly fields: DescribedFields }[]
  readonly singletons: readonly string[]
  /** Reports whether authors, categories or tags have fields. */
  readonly hasTermFields: boolean
  /** Whether no, some or all workspaces have a language. */
  readonly locales: 'none' | 'some' | 'all'
}

const positive: Schema = { type: 'integer', minimum: 1 }
const level: Schema = { ...positive, maximum: 6 }

/** A count that may be unknown. */
const unknownCount: Schema = { type: ['integer', 'null'], minimum: 0 }

const person = { id: text(), name: text(), image: nullable('URL of a picture.') }
const profile = { bio: nullable(), role: nullable() }
const term = { id: text(), name: text(), slug: text(), description: nullable() }

/** Returns every named schema. Objects are closed: a key without a schema is never in a response. */
export function schemasOf(
  content: DescribedContent,
  scaling?: Scaling,
): Readonly<Record<string, Schema>> {
  const fields = content.hasTermFields ? { fields: { type: 'object' } } : {}
  const more = { posts: ref('IncludedPosts'), ...fields }
  const counted = { ...term, count: object({ posts: count('Number of posts.') }) }
  const socials = list('Social')
  const values = valueSchemas(content, scaling)
  const post = { Post: postSchema(content, values) }
  return {
    Social: object({ url: text('URL of the profile.'), platform: text() }),
    AuthorSummary: object({ ...person, ...profile, slug: text(), socials }),
    Author: object({ ...person, slug: text(), ...profile, socials, ...more }, Object.keys(more)),
    TermSummary: object(term),
    Term: object({ ...counted, ...more }, Object.keys(more)),
    // The place of a post with languages is at the end.
    ...(content.locales === 'none' && post),
    ...values,
    ...fixedSchemas,
    ...post,
    ...ownSchemas(content),
  }
}

const languageSchemas = {
  locale: text(),
  translations: {
    type: 'array',
    items: object({ locale: text(), workspaceId: text(), id: text(), slug: text() }),
  },
}

/** Keys of a post, but for those that a workspace chooses. */
const postProperties = {
  ...{ id: text(), slug: text(), title: text(), status: status() },
  content: text('HTML or Markdown, depending on `format`; omitted with `excludeContent`.'),
  featured: { type: 'boolean' },
  coverImage: nullable('URL of a picture.'),
  description: text('Short summary.'),
  ...{ publishedAt: date(), updatedAt: date() },
  attribution: nullable('Free text about the original publication.'),
  authors: list('AuthorSummary'),
  category: ref('TermSummary'),
  tags: list('TermSummary'),
}

function postSchema(
  { workspace, locales }: DescribedContent,
  { CustomFields, Derived }: ValueSchemas,
): Schema {
  const values = {
    ...(CustomFields && { fields: ref('CustomFields') }),
    ...(Derived && { derived: ref('Derived') }),
  }
  const others = { matches: list('Match'), ...(locales === 'none' ? {} : languageSchemas) }
  const optional = ['status', 'content', 'matches', ...(locales === 'all' ? [] : languageKeys)]
  // Every post of a workspace has the same values.
  if (workspace !== undefined) return object({ ...postProperties, ...others, ...values }, optional)
  return object({ ...postProperties, ...values, ...others }, [...optional, 'fields', 'derived'])
}

/** Schemas of values that a workspace chooses; absent if it chooses none. */
interface ValueSchemas {
  readonly CustomFields?: Schema
  readonly Derived?: Schema
}

function valueSchemas(
  { workspace, fields }: DescribedContent,
  { widths, preview }: Scaling = { widths: [], preview: false },
): ValueSchemas {
  const variant = object({ url: text(), width: positive })
  /** All are null if the image is not published. */
  const facts = {
    width: unknownCount,
    height: unknownCount,
    type: nullable('A media type.'),
    bytes: unknownCount,
    ...(widths.length > 0 && { variants: { type: 'array', items: variant } }),
    ...(preview && { preview: nullable('A `data:` URL of a 16-pixel image.') }),
  }
  const values = {
    excerpt: text('The beginning of the visible text.'),
    wordCount: count('Each Chinese or kana character counts as a word.'),
    readingTimeSeconds: count('At 238 words per minute.'),
    toc: { type: 'array', items: object({ id: nullable(), text: text(), depth: level }) },
    images: { type: 'array', items: object({ src: text(), alt: text(), ...facts }) },
    cover: { anyOf: [object({ src: text(), ...facts }), { type: 'null' }] },
  }
  const description =
    'The fields of the workspace: each post has all of them. Omitted if the workspace defines none.'
  if (workspace === undefined) {
    const scalar = { type: ['string', 'number', 'boolean', 'null'] }
    const additionalProperties = { anyOf: [scalar, { type: 'array', items: { type: 'string' } }] }
    const known = fields && { properties: fields.properties }
    return {
      CustomFields: { type: 'object', description, additionalProperties, ...known },
      Derived: object(values, Object.keys(values)),
    }
  }
  const keys: readonly string[] = workspace.derived.map((name) =>
    name === 'readingTime' ? 'readingTimeSeconds' : name,
  )
  const chosen = Object.entries(values).filter(([key]) => keys.includes(key))
  const own = fields?.properties ?? {}
  const hasFields = Object.keys(own).length > 0
  return {
    ...(hasFields && { CustomFields: { ...object(own), description } }),
    ...(chosen.length > 0 && { Derived: object(Object.fromEntries(chosen)) }),
  }
}

const itemOrNull = { anyOf: [ref('PostItem'), { type: 'null' }] }
const retryAfter = { ...positive, description: 'Seconds to wait after a 429.' }

const fixedSchemas = {
  Match: object({
    field: { type: 'string', enum: ['title', 'content'] },
    text: { ...text('At most 160 code points of the title or the visible text.'), maxLength: 160 },
    ranges: {
      type: 'array',
      minItems: 1,
      description:
        'Positions of the searched text: half-open ranges in UTF-16 code units of `text`.',
      items: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 2 },
    },
  }),
  PostItem: object(
    {
      ...{ id: text(), title: text(), slug: text(), description: text(), coverImage: nullable() },
      ...{ publishedAt: date(), status: status() },
    },
    ['status'],
  ),
  IncludedPosts: object({ data: list('PostItem'), pagination: ref('Pagination') }),
  Pagination: object({
    limit: count('Page size used.'),
    currentPage: positive,
    nextPage: { type: ['integer', 'null'], minimum: 2, description: 'Null on the last page.' },
    previousPage: { type: ['integer', 'null'], minimum: 1, description: 'Null on the first page.' },
    totalPages: count(),
    totalItems: count(),
  }),
  Facet: object({ slug: text(), name: text(), count: positive }),
  Facets: object({ categories: list('Facet'), tags: list('Facet'), authors: list('Facet') }),
  PostList: object({ posts: list('Post'), pagination: ref('Pagination'), facets: ref('Facets') }, [
    'facets',
  ]),
  CategoryList: object({ categories: list('Term'), pagination: ref('Pagination') }),
  TagList: object({ tags: list('Term'), pagination: ref('Pagination') }),
  AuthorList: object({ authors: list('Author'), pagination: ref('Pagination') }),
  Neighbours: object({ previous: itemOrNull, next: itemOrNull }),
  SinglePost: object(
    { post: ref('Post'), neighbours: ref('Neighbours'), related: list('PostItem') },
    ['neighbours', 'related'],
  ),
  Redirect: object({ from: text('A former slug of a post.'), to: text('Slug of the post.') }),
  RedirectList: object({ redirects: list('Redirect') }),
  Change: object({
    type: { type: 'string', enum: ['published', 'updated', 'removed'] },
    kind: text(
      'The path of the resource, up to its slug, such as `posts` or `collections/guides`.',
    ),
    id: text(),
    slug: text(),
    etag: text('The ETag of the resource in HTML, without counts.'),
    at: { type: 'string', format: 'date-time' },
  }),
  ChangeList: object({ build: text('Id of this build.'), changes: list('Change') }),
  JsonFeed: {
    type: 'object',
    description: 'A feed in the format of https://www.jsonfeed.org/version/1.1/.',
    properties: {
      version: text(),
      title: text(),
      home_page_url: text(),
      feed_url: text(),
      items: { type: 'array', items: { type: 'object' } },
    },
    required: ['version', 'title', 'home_page_url', 'items'],
  },
  Details: {
    description: 'Details of the error, if there are any.',
    anyOf: [
      { type: 'null' },
      { type: 'array', items: object({ field: text(), message: text() }) },
      object({ message: text(), totalPages: count(), requestedPage: positive }),
    ],
  },
  ErrorV1: object({ error: text('Label.'), details: ref('Details'), message: text(), retryAfter }, [
    'retryAfter',
  ]),
  ErrorV2: object({ error: text('Label.'), message: text(), details: ref('Details'), retryAfter }, [
    'details',
    'retryAfter',
  ]),
}

function ownSchemas({ collections, singletons, locales }: DescribedContent) {
  const own: Record<string, Schema> = {}
  const date = { type: ['string', 'null'], format: 'date-time' }
  const summary = object({ id: text(), slug: text(), title: text() })
  const counted = object({ name: text(), count: object({ items: count() }) })
  const counts = { type: 'array', items: counted }
  if (collections.length > 0) own['CollectionList'] = object({ collections: counts })
  for (const { name, fields } of collections) {
    const item = `Item_${name}`
    const hasFields = Object.keys(fields.properties).length > 0
    own[item] = object(
      {
        ...{ id: text(), slug: text(), title: text(), status: text(), content: text() },
        ...{ publishedAt: date, updatedAt: date, fields: object(fields.properties) },
        ...(locales === 'none' ? {} : languageSchemas),
      },
      ['status', 'content', ...(hasFields ? [] : ['fields'])],
    )
    own[`${item}_list`] = object({ items: list(item), pagination: ref('Pagination') })
    const parent = { anyOf: [summary, { type: 'null' }] }
    const members = { item: ref(item), parent, children: { type: 'array', items: summary } }
    own[`${item}_single`] = object(members, ['parent', 'children'])
  }
  const singleton = object({ name: text(), content: text(), fields: {} }, ['content'])
  if (singletons.length > 0) own['Singleton'] = object({ singleton })
  return own
}

/** Returns a reference to a named schema. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Returns a closed object. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

function status(): Schema {
  const description = 'Only in responses to requests with `status=draft` or `status=all`.'
  return { type: 'string', enum: ['published', 'draft'], description }
}

function list(name: string): Schema {
  return { type: 'array', items: ref(name) }
}

function text(description?: string): Schema {
  return { type: 'string', ...described(description) }
}

function nullable(description?: string): Schema {
  return { type: ['string', 'null'], ...described(description) }
}

function date(): Schema {
  return {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  }
}

function count(description?: string): Schema {
  return { type: 'integer', minimum: 0, ...described(description) }
}

function described(description: string | undefined): Schema {
  return description === undefined ? {} : { description }
}
