// Reads the authors, categories and tags in a post's front matter.
import type { FieldValue } from '../site.ts'
import type { Terms } from '../terms.ts'
import { authorOf, type Byline, readByline } from './bylines.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import type { PostHead, StaticSite } from './generator.ts'
import { knownKeys } from './post-head.ts'

/** The terms of a post, as written. */
export interface PostTerms {
  readonly byline: Byline
  /** Undefined when the post names none. */
  readonly category: string | undefined
  readonly tags: readonly string[]
  /** Categories after the first one; they become tags. */
  readonly furtherCategories: readonly string[]
}

/** @param terms resolves keys of data files */
export function readTerms({ values, file }: PostHead, site: StaticSite, terms: Terms): PostTerms {
  const splits = site.splitsAtBlanks ?? false
  const isKey = (text: string) => terms.slugOf('authors', text) !== undefined
  const byline = withDetails(readByline(firstValue(values, knownKeys.authors), isKey), values)
  const named = ['category', 'categories', 'params.categories'].flatMap((key) =>
    namesOf(values, [key], splits),
  )
  const stated = named.length > 0 ? [...new Set(named)] : namesOf(values, ['section'], splits)
  const [category, ...furtherCategories] = stated.length > 0 ? stated : (file.categories ?? [])
  const tags = namesOf(values, knownKeys.tags, splits)
  return {
    byline,
    category,
    tags: [...new Set([...tags, ...furtherCategories])],
    furtherCategories,
  }
}

/** Old Docusaurus keys for the only author of a post, by the corresponding keys of an author record. */
export const authorDetails = {
  title: ['authorTitle', 'author_title'],
  url: ['authorURL', 'author_url', 'author_site'],
  image: ['authorImageURL', 'author_image_url', 'author_image'],
  twitter: ['authorTwitter', 'author_twitter'],
} as const

function withDetails(byline: Byline, values: Values): Byline {
  const [author, ...others] = byline.authors
  const entries = Object.entries(authorDetails).map(([key, names]) => [
    key,
    textAt(values, ...names),
  ])
  if (author === undefined || others.length > 0 || entries.every(([, text]) => text === undefined))
    return byline
  const { fields = {} } = authorOf({ ...Object.fromEntries(entries), name: author.name }) ?? {}
  return { ...byline, authors: [{ ...author, fields: { ...fields, ...author.fields } }] }
}

/** The first non-empty value. */
export function firstValue(values: Values, keys: readonly string[]): FieldValue {
  const key = firstKey(values, keys)
  return key === undefined ? undefined : valueAt(values, key)
}

function firstKey(values: Values, keys: readonly string[]): string | undefined {
  return keys.find((key) => asList(valueAt(values, key)).length > 0)
}

/** Names of terms, from texts, maps with a label, and texts with several names. */
function namesOf(
  values: Values,
  keys: readonly string[],
  splitsAtBlanks: boolean,
): readonly string[] {
  const key = firstKey(values, keys) ?? ''
  const value = valueAt(values, key)
  // Jekyll splits `tags` and `categories`, but not `tag` and `category`.
  const splits = splitsAtBlanks && /(?:tags|categories)$/.test(key)
  const texts =
    typeof value === 'string' ? splitNames(value, splits) : asList(value).flatMap(nameOf)
  const names = texts.map((text) => text.trim()).filter((text) => text !== '')
  return [...new Set(names)]
}

function nameOf(item: FieldValue): readonly string[] {
  if (isMap(item)) return [textAt(item, 'label', 'name', 'title', 'slug') ?? '']
  return Array.isArray(item) ? item.flatMap(nameOf) : [String(item ?? '')]
}

function splitNames(text: string, splitsAtBlanks: boolean): readonly string[] {
  if (/[,;]/.test(text)) return text.split(/[,;]/)
  return splitsAtBlanks ? text.split(/\s+/) : [text]
}
