// Schemas of front matter and settings, for YAML scalars as they were typed.
import * as z from 'zod'
import { allScopes, defaultScopes, type Scope } from '../api/key-record.ts'
import {
  type PlainValues,
  type PostKeys,
  type PostKeyTable,
  type PostKeyType,
  postKeyTable,
} from '../api/post-keys.ts'
import { type DerivedName, derivedNames } from '../api/resources.ts'
import type { WrittenAuthor } from './author-names.ts'
import {
  baseUrlProblem,
  brokenLinkSettings,
  brokenLinksMessage,
  type LinkInput,
  postLinkProblem,
} from './link-settings.ts'
import {
  boolean,
  date,
  identifier,
  requiredText,
  socials,
  status,
  text,
  url,
  withoutProblem,
  writtenAuthor,
} from './value-schemas.ts'

/** Value schemas by key type. */
const schemasByType: { readonly [Type in PostKeyType]: () => z.ZodType<WrittenValues[Type]> } = {
  title: () => text().transform((value) => (value.trim() === '' ? undefined : value)),
  text,
  identifier,
  identifiers: () => z.array(identifier(), 'must be a list of slugs'),
  url,
  date,
  boolean,
  status,
  category: text,
  tags: () => z.array(text(), 'must be a list, such as [one, two]'),
  authors: () => z.array(writtenAuthor(), 'must be a list, such as [one, two]'),
  'custom fields': () => z.looseObject({}, 'must be a map'),
}

/** The front matter of a post. */
export const postSchema: z.ZodType<PostFields> = schemaOfKeys()

/** The front matter of a category or tag, or its entry in a list. */
export const termSchema: z.ZodType<TermFields> = z.object({
  name: requiredText(),
  slug: identifier().optional(),
  id: identifier().optional(),
  description: text().optional(),
})

/** The front matter of an author, or an author's entry in a list. */
export const authorSchema: z.ZodType<AuthorFields> = z.object({
  name: requiredText(),
  slug: identifier().optional(),
  id: identifier().optional(),
  image: url().nullable().default(null),
  role: text().nullable().default(null),
  bio: text().optional(),
  url: url().optional(),
  socials: socials().default([]),
})

const derivedMessage = `must be one of ${derivedNames.join(', ')}`

/** A workspace's `workspace.yml`. */
export const settingsSchema: z.ZodType<Settings> = z.object({
  name: text().optional(),
  references: z.enum(['error', 'create'], 'must be "error" or "create"').default('error'),
  defaults: z
    .strictObject({ category: identifier().optional() }, 'must be a map with `category` only')
    .default({ category: undefined }),
  v1: z.enum(['public', 'private'], 'must be "public" or "private"').default('public'),
  baseUrl: withoutProblem(baseUrlProblem).optional(),
  links: z
    .strictObject(
      {
        post: withoutProblem(postLinkProblem).optional(),
        broken: z.enum(brokenLinkSettings, brokenLinksMessage).optional(),
      },
      'must be a map with `post` and `broken` only',
    )
    .optional(),
  derived: z
    .array(z.enum(derivedNames, derivedMessage), 'must be a list, such as [excerpt, toc]')
    .default([]),
  // Validated by `field-definitions`.
  fields: z.looseObject({}, 'must be a map, such as `rating: number`').optional(),
})

/** An entry of `keys.yml`. */
export const keySchema: z.ZodType<KeyFields> = z.object({
  id: identifier(),
  name: requiredText().refine(
    (value) => !/\p{Cc}/u.test(value),
    'must not contain control characters',
  ),
  sha256: text().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  scopes: z
    .array(
      z.enum(allScopes, `must be one of ${allScopes.join(', ')}`),
      'must be a list, such as [posts:read, tags:read]',
    )
    .min(1, `must name a scope; a key without scopes has ${defaultScopes.join(', ')}`)
    .default([...defaultScopes]),
  created: date(),
  expires: date().optional(),
  revoked: date().optional(),
})

/** Known keys of each schema, for warnings about others. */
export const knownKeys: Readonly<
  Record<'post' | 'term' | 'author' | 'settings' | 'key', readonly string[]>
> = {
  post: Object.entries(postKeyTable).flatMap(([name, { alias }]) =>
    alias === undefined ? [name] : [name, alias],
  ),
  term: ['name', 'slug', 'id', 'description'],
  author: ['name', 'slug', 'id', 'image', 'role', 'bio', 'url', 'socials'],
  settings: ['name', 'references', 'defaults', 'v1', 'baseUrl', 'links', 'derived', 'fields'],
  key: ['id', 'name', 'sha256', 'scopes', 'created', 'expires', 'revoked'],
}

/** Front matter values by key type. */
interface WrittenValues extends PlainValues {
  title: string | undefined
  status: 'published' | 'draft'
  category: string
  tags: readonly string[]
  authors: readonly (string | WrittenAuthor)[]
  'custom fields': object
}

/** Validated front matter, derived from a table of keys; dates are normalized. */
export type PostFieldsOf<Table extends PostKeyTable> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown }
    ? Name
    : never]:
    | WrittenValues[Table[Name]['type']]
    | (Table[Name] extends { readonly default: null } ? null : never)
} & {
  readonly [Name in keyof Table as Table[Name] extends { readonly default: unknown }
    ? never
    : Name]?: WrittenValues[Table[Name]['type']] | undefined
}

/** Validated front matter of a post. */
export type PostFields = PostFieldsOf<PostKeys>

/** Validated front matter of a category or tag. */
export interface TermFields {
  readonly name: string
  readonly slug?: string | undefined
  readonly id?: string | undefined
  readonly description?: string | undefined
}

/** Validated front matter of an author. */
export interface AuthorFields {
  readonly name: string
  readonly slug?: string | undefined
  readonly id?: string | undefined
  readonly image: string | null
  readonly role: string | null
  readonly bio?: string | undefined
  readonly url?: string | undefined
  readonly socials: readonly { readonly platform: string; readonly url: string }[]
}

/** Validated settings of a workspace. */
export interface Settings extends LinkInput {
  readonly name?: string | undefined
  readonly references: 'error' | 'create'
  readonly defaults: { readonly category?: string | undefined }
  readonly v1: 'public' | 'private'
  /** Computed values of posts. */
  readonly derived: readonly DerivedName[]
}

/** A validated entry of a key; dates are normalized. */
export interface KeyFields {
  readonly id: string
  readonly name: string
  readonly sha256: string
  readonly scopes: readonly Scope[]
  readonly created: string
  readonly expires?: string | undefined
  readonly revoked?: string | undefined
}

function schemaOfKeys(): z.ZodType<PostFields> {
  const shape = Object.entries(postKeyTable).map(([name, { type, default: absent }]) => {
    const schema: z.ZodType = schemasByType[type]()
    if (absent === undefined) return [name, schema.optional()]
    return [name, (absent === null ? schema.nullable() : schema).default(() => absent)]
  })
  return z.object(Object.fromEntries(shape)) as z.ZodType<unknown> as z.ZodType<PostFields>
}
