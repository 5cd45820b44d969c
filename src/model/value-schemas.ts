// Schemas of single values in front matter and settings, for YAML scalars as they were typed.
import * as z from 'zod'
import { parseDate } from '../api/dates.ts'
import type { Social } from '../api/resources.ts'
import type { WrittenAuthor } from './author-names.ts'
import { identifierProblem } from './identifier.ts'
import { no, yes } from './withheld-keys.ts'

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
