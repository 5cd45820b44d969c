// Schemas of front matter, for YAML scalars as they were typed.
import * as z from 'zod'
import { parseDate } from '../api/dates.ts'
import { type PostKeys, type PostKeyType, postKeyTable } from '../api/post-keys.ts'
import type { Social, TermKind } from '../api/resources.ts'
import { identifierProblem, pathProblem, slugify } from './identifier.ts'
import type { InlineAuthor } from './read-fields.ts'
import { falsePattern, truePattern } from './withheld-keys.ts'

/** Text as it was typed. */
export const text: z.ZodString = z.string('must be text')

/** Text that is not blank. */
export const requiredText: z.ZodString = text.refine(
  (value) => value.trim() !== '',
  'must not be empty',
)

/** Text that `problemOf` accepts; its message is the issue. */
export function validText(problemOf: (text: string) => string | null, code?: string): z.ZodString {
  return text.superRefine((value, context) => {
    const message = problemOf(value)
    if (message === null) return
    const slug = value.split('/').map(slugify).join('/')
    const hint = code !== undefined && problemOf(slug) === null ? `Write \`${slug}\`.` : undefined
    context.addIssue({ code: 'custom', message, params: { code, hint } })
  })
}

/** A slug or an id. */
export const identifier: z.ZodString = validText(identifierProblem, 'invalid-identifier')

/** Text that editors check too. Metadata are keys of its JSON Schema. */
const dateText: z.ZodString = z.string('must be text').meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}' })

/** An ISO 8601 date, normalized. A normalized date parses to itself, so that a mapped date passes unchanged. */
export const date: z.ZodType<string> = dateText.transform((value, context) => {
  const parsed = parseDate(value)
  if (parsed !== null) return parsed
  const loose = parseDate(value, 'loose')
  const iso = value.trim().replace(' ', 'T').replace(' ', '')
  const hint = loose === null ? undefined : `Write \`${parseDate(iso) === null ? loose : iso}\`.`
  const message = loose
    ? "is not an ISO 8601 date; `frontMatter: { publishedAt: { dates: 'loose' } }` in the configuration reads it"
    : 'is not a valid ISO 8601 date, such as 2026-03-04 or 2026-03-04T09:30:00Z'
  context.addIssue({ code: 'custom', message, params: { code: 'invalid-date', hint } })
  return z.NEVER
})

/** YAML's `true` and `false`. */
export const boolean: z.ZodType<boolean, string> = z
  .string('must be true or false')
  .meta({ type: 'boolean' })
  .transform((value, context) => {
    if (/^(?:true|True|TRUE)$/.test(value)) return true
    if (/^(?:false|False|FALSE)$/.test(value)) return false
    const meant = [truePattern, falsePattern].findIndex((pattern) => pattern.test(value.trim()))
    const hint = meant === -1 ? undefined : `Write \`${meant === 0}\`.`
    context.addIssue({ code: 'custom', message: 'must be true or false', params: { hint } })
    return z.NEVER
  })

/** Reports whether a URL cannot run code: it is relative, or a valid one with http, https or mailto. */
export function isSafeUrl(given: string): boolean {
  // Browsers ignore control characters and spaces: they read `java\tscript:` as a scheme.
  const value = given.replace(/[\p{Cc}\s]/gu, '')
  if (!/^[a-z][a-z0-9+.-]*:/iu.test(value)) return true
  return /^(https?|mailto):/iu.test(value) && URL.canParse(given)
}

const url = text.refine(isSafeUrl, 'must be a URL with http, https or mailto, or a path')

/** A URL, or null for a blank text. */
const blankUrl = url.transform((value) => (value.trim() === '' ? null : value))

const social = z.object({ platform: requiredText, url }, 'must be a map with `platform` and `url`')

/** A list of platforms and URLs, or a map from platform to URL. */
const socials: z.ZodType<readonly Social[]> = z.union(
  [
    z.array(social),
    z
      .record(z.string(), url)
      .transform((map) => Object.entries(map).map(([platform, url]) => ({ platform, url }))),
  ],
  'must be a list of maps with `platform` and `url`',
)

const termShape = z.object({
  name: requiredText,
  slug: identifier.optional(),
  id: identifier.optional(),
  description: text.optional(),
})

const authorShape = termShape.omit({ description: true }).extend({
  image: blankUrl.optional(),
  role: text.optional(),
  bio: text.optional(),
  url: url.optional(),
  socials: socials.optional(),
})

/** The front matter of every kind of term. */
export const termSchemas: Readonly<
  Record<TermKind, z.ZodType<TermFields> & { readonly shape: object }>
> = { categories: termShape, tags: termShape, authors: authorShape }

/** Validated front matter of a category, a tag or an author. */
export interface TermFields extends InlineAuthor {
  readonly description?: string | undefined
}

const schemasByType: { readonly [Type in PostKeyType]: z.ZodType<TypedValues[Type]> } = {
  title: text.transform((value) => (value.trim() === '' ? undefined : value)),
  text,
  identifier,
  identifiers: z.array(identifier, 'must be a list of slugs'),
  url: blankUrl,
  date,
  boolean,
  status: z.enum(['published', 'draft'], 'must be "published" or "draft", which hides the post'),
  category: text,
  tags: z.array(text, 'must be a list, such as [one, two]'),
  authors: z.array(
    z.union([text, authorShape], 'must be a name, or a map with `name`'),
    'must be a list, such as [one, two]',
  ),
  'custom fields': z.looseObject({}, 'must be a map'),
}

/** The front matter of a post. */
export const postSchema: z.ZodType<PostFields> = schemaOfKeys(schemasByType)

/** The front matter of an item, whose former slugs are paths. */
export const itemSchema: z.ZodType<PostFields> = schemaOfKeys({
  ...schemasByType,
  identifiers: z.array(validText(pathProblem, 'invalid-identifier'), 'must be a list of slugs'),
})

function schemaOfKeys(schemas: typeof schemasByType): z.ZodType<PostFields> {
  const shape = Object.entries(postKeyTable).map(([name, { type, default: absent }]) => {
    const schema: z.ZodType = schemas[type]
    return [name, absent === undefined ? schema.optional() : schema.default(() => absent)]
  })
  return z.object(Object.fromEntries(shape)) as z.ZodType<unknown> as z.ZodType<PostFields>
}

interface TypedValues extends Record<'text' | 'identifier' | 'date', string> {
  url: string | null
  title: string | undefined
  identifiers: readonly string[]
  boolean: boolean
  status: 'published' | 'draft'
  category: string
  tags: readonly string[]
  authors: readonly (string | InlineAuthor)[]
  'custom fields': object
}

/** Validated front matter of a post, derived from the table of keys; dates are normalized. */
export type PostFields = {
  readonly [Name in keyof PostKeys]:
    | TypedValues[PostKeys[Name]['type']]
    | (PostKeys[Name] extends { readonly default: infer Absent } ? Absent & null : undefined)
}
