// The keys of the front matter of a post: its schema, its mapping and the JSON Schema for editors follow from this
// table. `resources.ts` has the keys of a response.

/** Front matter form of a value. */
export type PostKeyType = PostKeys[keyof PostKeys]['type']

/** A key. */
export interface PostKey {
  readonly type: PostKeyType
  /** Second name in front matter. */
  readonly alias?: string
  /** Value for a post without the key. */
  readonly default?: null | boolean | '' | readonly []
}

/** Every key, in the order in which editors suggest them. Tags and authors keep the order of the front matter. */
const postKeys = {
  title: { type: 'title' },
  slug: { type: 'identifier' },
  id: { type: 'identifier' },
  description: { type: 'text', default: '' },
  category: { type: 'category' },
  aliases: { type: 'identifiers', default: [] },
  url: { type: 'url', default: null },
  translationKey: { type: 'text', default: null },
  tags: { type: 'tags', default: [] },
  authors: { type: 'authors', default: [] },
  publishedAt: { type: 'date', alias: 'date' },
  updatedAt: { type: 'date' },
  expiresAt: { type: 'date', default: null },
  featured: { type: 'boolean', default: false },
  coverImage: { type: 'url', default: null },
  attribution: { type: 'text', default: null },
  status: { type: 'status' },
  draft: { type: 'boolean' },
  /** Every field that the workspace defines; absent if it defines none. */
  fields: { type: 'custom fields' },
} as const

/** The table, with the type of each key. */
export type PostKeys = typeof postKeys

/** The table, for code that handles all keys alike. */
export const postKeyTable: Readonly<Record<string, PostKey>> = postKeys
