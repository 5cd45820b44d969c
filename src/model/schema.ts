// What front matter and settings may hold, as schemas over YAML's text as it was typed.
// Knows nothing of files and places: `read-fields` turns what a schema refuses into diagnostics.
import * as z from 'zod'
import { allScopes, type Scope } from '../api/key-record.ts'
import type { WrittenAuthor } from './author-names.ts'
import { parseDate } from './dates.ts'
import { mappedFields } from './front-matter-mapping.ts'
import { identifierProblem } from './identifier.ts'
import {
  baseUrlProblem,
  brokenLinkSettings,
  brokenLinksMessage,
  type LinkInput,
  postLinkProblem,
} from './link-settings.ts'

/** The front matter of a post. */
export const postSchema: z.ZodType<PostFields> = z.object({
  title: text()
    .transform((value) => (value.trim() === '' ? undefined : value))
    .optional(),
  slug: identifier().optional(),
  id: identifier().optional(),
  description: text().default(''),
  category: text().optional(),
  tags: z.array(text(), 'must be a list, such as [one, two]').default([]),
  authors: z.array(writtenAuthor(), 'must be a list, such as [one, two]').default([]),
  aliases: z.array(identifier(), 'must be a list of slugs').default([]),
  publishedAt: date().optional(),
  updatedAt: date().optional(),
  featured: boolean().default(false),
  coverImage: url().nullable().default(null),
  attribution: text().nullable().default(null),
  status: z.enum(['published', 'draft'], 'must be "published" or "draft"').optional(),
  draft: boolean().optional(),
  fields: z.looseObject({}, 'must be a map').optional(),
})

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

/** An author as a post writes one. */
function writtenAuthor() {
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

/** A list of platforms with their addresses, or a map of them. */
function socials() {
  const social = z.object({ platform: requiredText(), url: url() }, 'must be a map')
  const map = z.record(z.string(), url()).transform((given) => {
    return Object.entries(given).map(([platform, url]) => ({ platform, url }))
  })
  return z.union([z.array(social), map], 'must be a list of maps with `platform` and `url`')
}

/** A workspace's `workspace.yml`. */
export const settingsSchema: z.ZodType<Settings> = z.object({
  name: text().optional(),
  references: z.enum(['error', 'create'], 'must be "error" or "create"').default('error'),
  defaults: z
    .object({ category: identifier().optional() }, 'must be a map')
    .default({ category: undefined }),
  v1: z.enum(['public', 'private'], 'must be "public" or "private"').default('public'),
  baseUrl: withoutProblem(baseUrlProblem).optional(),
  links: z
    .strictObject(
      {
        post: withoutProblem(postLinkProblem).optional(),
        broken: z.enum(brokenLinkSettings, brokenLinksMessage).optional(),
      },
      'must be a map of `post` and `broken` alone',
    )
    .optional(),
  // What is in it is read by `field-definitions`.
  fields: z.looseObject({}, 'must be a map, such as `rating: number`').optional(),
})

/** An entry of `keys.yml`. */
export const keySchema: z.ZodType<KeyFields> = z.object({
  id: identifier(),
  name: requiredText().refine(
    (value) => !/\p{Cc}/u.test(value),
    'must not hold control characters',
  ),
  sha256: text().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  scopes: z
    .array(
      z.enum(allScopes, `must be one of ${allScopes.join(', ')}`),
      'must be a list, such as [posts:read, tags:read]',
    )
    .min(1, 'must name a scope; without it a key has all of them')
    .default([...allScopes]),
  created: date(),
  expires: date().optional(),
  revoked: date().optional(),
})

/** Keys that each schema knows, for warnings about others. */
export const knownKeys: Readonly<
  Record<'post' | 'term' | 'author' | 'settings' | 'key', readonly string[]>
> = {
  post: [...mappedFields, 'date', 'fields'],
  term: ['name', 'slug', 'id', 'description'],
  author: ['name', 'slug', 'id', 'image', 'role', 'bio', 'url', 'socials'],
  settings: ['name', 'references', 'defaults', 'v1', 'baseUrl', 'links', 'fields'],
  key: ['id', 'name', 'sha256', 'scopes', 'created', 'expires', 'revoked'],
}

/** A post's front matter, checked; dates are in their final form. */
export interface PostFields {
  readonly title?: string | undefined
  readonly slug?: string | undefined
  readonly id?: string | undefined
  readonly description: string
  readonly category?: string | undefined
  readonly tags: readonly string[]
  readonly authors: readonly (string | WrittenAuthor)[]
  /** Slugs that the post had before. */
  readonly aliases: readonly string[]
  readonly publishedAt?: string | undefined
  readonly updatedAt?: string | undefined
  readonly featured: boolean
  readonly coverImage: string | null
  readonly attribution: string | null
  readonly status?: 'published' | 'draft' | undefined
  readonly draft?: boolean | undefined
  readonly fields?: object | undefined
}

/** A category's or tag's front matter, checked. */
export interface TermFields {
  readonly name: string
  readonly slug?: string | undefined
  readonly id?: string | undefined
  readonly description?: string | undefined
}

/** An author's front matter, checked. */
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

/** A workspace's settings, checked. */
export interface Settings extends LinkInput {
  readonly name?: string | undefined
  readonly references: 'error' | 'create'
  readonly defaults: { readonly category?: string | undefined }
  readonly v1: 'public' | 'private'
}

/** A key's entry, checked; dates are in their final form. */
export interface KeyFields {
  readonly id: string
  readonly name: string
  readonly sha256: string
  readonly scopes: readonly Scope[]
  readonly created: string
  readonly expires?: string | undefined
  readonly revoked?: string | undefined
}

function text(): z.ZodString {
  return z.string('must be text')
}

function requiredText() {
  return text().refine((value) => value.trim() !== '', 'must not be empty')
}

function withoutProblem(problemOf: (text: string) => string | null) {
  return text().superRefine((value, context) => {
    const message = problemOf(value)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
}

function identifier() {
  return text().superRefine((value, context) => {
    const problem = identifierProblem(value)
    if (problem === null) return
    context.addIssue({ code: 'custom', message: problem, params: { code: 'invalid-identifier' } })
  })
}

function date() {
  return text().transform((value, context) => {
    // A date in its final form reads as itself, so that a mapped one passes unchanged.
    const parsed = parseDate(value)
    if (parsed !== null) return parsed
    const isLoose = parseDate(value, 'loose') !== null
    const message = isLoose
      ? "is not a date of ISO 8601; `frontMatter: { publishedAt: { dates: 'loose' } }` in the configuration reads it"
      : 'is not a date of ISO 8601 that the calendar has, such as 2026-03-04 or 2026-03-04T09:30:00Z'
    context.addIssue({ code: 'custom', message, params: { code: 'invalid-date' } })
    return z.NEVER
  })
}

function boolean() {
  return z
    .enum(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'], 'must be true or false')
    .transform((value) => value.toLowerCase() === 'true')
}

/** An address that cannot run code: relative, or of a scheme that only points. */
function url() {
  return text().refine((given) => {
    // Browsers pass over control characters and blanks: `java\tscript:` is a scheme to them.
    const value = given.replace(/[\p{Cc}\s]/gu, '')
    return !/^[a-z][a-z0-9+.-]*:/iu.test(value) || /^(https?|mailto):/iu.test(value)
  }, 'must be an address with http, https or mailto, or a path')
}
