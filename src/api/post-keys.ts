// The keys of a post. The front matter schema, its mapping, the JSON Schema for editors, the schemas of the OpenAPI
// document and their types follow from this table; `resources.ts` has the keys of a response.

/** Front matter form of a value. */
export type PostKeyType =
  | 'title'
  | 'text'
  | 'identifier'
  | 'identifiers'
  | 'url'
  | 'date'
  | 'boolean'
  | 'status'
  | 'category'
  | 'tags'
  | 'authors'
  | 'custom fields'

/** Values with the same type in front matter and responses, by key type. */
export interface PlainValues {
  text: string
  identifier: string
  identifiers: readonly string[]
  url: string
  date: string
  boolean: boolean
}

/** A key. */
export interface PostKey {
  readonly type: PostKeyType
  /** Second name in front matter. */
  readonly alias?: string
  /** Value for a post without the key. */
  readonly default?: null | boolean | '' | readonly []
  /** Absent for a key that no response has. Values that are not computed are those of the front matter. */
  readonly response?: { readonly isComputed?: true; readonly description?: string }
}

/** Every key, in the order in which editors suggest them. Tags and authors keep the order of the front matter. */
const postKeys = {
  title: { type: 'title', response: { isComputed: true } },
  slug: { type: 'identifier', response: { isComputed: true } },
  id: { type: 'identifier', response: { isComputed: true } },
  description: { type: 'text', default: '', response: { description: 'Short summary.' } },
  category: { type: 'category', response: { isComputed: true } },
  aliases: { type: 'identifiers', default: [] },
  url: { type: 'url', default: null },
  translationKey: { type: 'text', default: null },
  tags: { type: 'tags', default: [], response: { isComputed: true } },
  authors: { type: 'authors', default: [], response: { isComputed: true } },
  publishedAt: { type: 'date', alias: 'date', response: { isComputed: true } },
  updatedAt: { type: 'date', response: { isComputed: true } },
  expiresAt: { type: 'date', default: null },
  featured: { type: 'boolean', default: false, response: {} },
  coverImage: {
    type: 'url',
    default: null,
    response: { isComputed: true, description: 'URL of a picture.' },
  },
  attribution: {
    type: 'text',
    default: null,
    response: { description: 'Free text about the original publication.' },
  },
  status: { type: 'status' },
  draft: { type: 'boolean' },
  /** Every field that the workspace defines; absent if it defines none. */
  fields: { type: 'custom fields', response: { isComputed: true } },
} as const

/** The table, with the type of each key. */
export type PostKeys = typeof postKeys

/** Keys by name. */
export type PostKeyTable = Readonly<Record<string, PostKey>>

/** The table, for code that handles all keys alike. */
export const postKeyTable: PostKeyTable = postKeys
