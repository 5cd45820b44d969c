// Schemas of front matter and settings, for YAML scalars as they were typed.

import * as z from 'zod'
import { parseDate } from '../api/dates.ts'
import { allScopes, defaultScopes, type Scope } from '../api/keys.ts'
import {
  type PlainValues,
  type PostKeys,
  type PostKeyTable,
  type PostKeyType,
  postKeyTable,
} from '../api/post-keys.ts'
import { type DerivedName, derivedNames, type Social } from '../api/resources.ts'
import type { WrittenAuthor } from './author-names.ts'
import { identifierProblem } from './identifier.ts'
import {
  baseUrlProblem,
  brokenLinkSettings,
  brokenLinksMessage,
  type LinkInput,
  postLinkProblem,
} from './link-settings.ts'
import { no, yes } from './withheld-keys.ts'

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

/** Text as it was typed. */
export function text(): z.ZodString {
  return z.string('must be text')
}

/** Text that is not blank. */
export function requiredText(): z.ZodString {
  return text().refine((value) => value.trim() !== '', 'must not be empty')
}

/** Text that `problemOf` accepts; its message is the issue. */
export function withoutProblem(problemOf: (text: string) => string | null): z.ZodString {
  return text().superRefine((value, context) => {
    const message = problemOf(value)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
}

/** A slug or an id. */
export function identifier(): z.ZodString {
  return text().superRefine((value, context) => {
    const problem = identifierProblem(value)
    if (problem === null) return
    context.addIssue({ code: 'custom', message: problem, params: { code: 'invalid-identifier' } })
  })
}

/** An ISO 8601 date, normalized. */
export function date(): z.ZodType<string> {
  return text().transform((value, context) => {
    // A normalized date parses to itself, so that a mapped one passes unchanged.
    const parsed = parseDate(value)
    if (parsed !== null) return parsed
    const isLoose = parseDate(value, 'loose') !== null
    const message = isLoose
      ? "is not an ISO 8601 date; `frontMatter: { publishedAt: { dates: 'loose' } }` in the configuration reads it"
      : 'is not a valid ISO 8601 date, such as 2026-03-04 or 2026-03-04T09:30:00Z'
    context.addIssue({ code: 'custom', message, params: { code: 'invalid-date' } })
    return z.NEVER
  })
}

/** YAML's `true` and `false`. */
export function boolean(): z.ZodType<boolean> {
  return text().transform((value, context) => {
    if (/^(?:true|True|TRUE)$/.test(value)) return true
    if (/^(?:false|False|FALSE)$/.test(value)) return false
    const meant = [yes, no].findIndex((pattern) => pattern.test(value.trim()))
    const hint = meant === -1 ? undefined : `Write \`${meant === 0}\`.`
    context.addIssue({ code: 'custom', message: 'must be true or false', params: { hint } })
    return z.NEVER
  })
}

/** The status of a post. */
export function status(): z.ZodType<'published' | 'draft'> {
  return text().transform((value, context) => {
    if (value === 'published' || value === 'draft') return value
    const hint = 'Write `status: draft` to keep the post from readers.'
    const message = 'must be "published" or "draft"'
    context.addIssue({ code: 'custom', message, params: { hint } })
    return z.NEVER
  })
}

/** A URL that cannot run code: relative, or http, https or mailto. */
export function url(): z.ZodString {
  return text().refine((given) => {
    // Browsers ignore control characters and spaces: they read `java\tscript:` as a scheme.
    const value = given.replace(/[\p{Cc}\s]/gu, '')
    return !/^[a-z][a-z0-9+.-]*:/iu.test(value) || /^(https?|mailto):/iu.test(value)
  }, 'must be a URL with http, https or mailto, or a path')
}
/** An author in a post: a name, or a map. */
export function writtenAuthor(): z.ZodType<string | WrittenAuthor> {
  const map = z.object({
    name: requiredText(),
    slug: identifier().optional(),
    id: identifier().optional(),
    image: url().nullable().optional(),
    role: text().nullable().optional(),
    bio: text().optional(),
    url: url().optional(),
    socials: socials().optional(),
  })
  return z.union([text(), map], 'must be a name, or a map with `name`')
}

/** A list of platforms and URLs, or a map from platform to URL. */
export function socials(): z.ZodType<readonly Social[]> {
  const social = z.object({ platform: requiredText(), url: url() }, 'must be a map')
  const map = z.record(z.string(), url()).transform((given) => {
    return Object.entries(given).map(([platform, url]) => ({ platform, url }))
  })
  return z.union([z.array(social), map], 'must be a list of maps with `platform` and `url`')
}
