// One post of a Marble export as a document.

import type { FieldType } from 'quarry/authoring'
import { parseDate } from 'quarry/authoring'
import { type DraftPost, postBody } from '../html/post-body.ts'
import { asObject, asObjects, asText, type Json, type JsonObject } from '../json-rows.ts'
import type { FieldValue, ImportContext } from '../site.ts'
import type { MarbleTerms } from './terms.ts'

/** The context of post conversion. */
export interface MarblePosts {
  readonly context: ImportContext
  readonly terms: MarbleTerms
  /** Types of custom fields by name. */
  readonly fields: ReadonlyMap<string, FieldType>
}

/** The location of a row, for the report. */
export function placeOf(row: JsonObject): string {
  return `${asText(row['id']) ?? ''} "${asText(row['title']) ?? asText(row['name']) ?? ''}"`
}

/** Converts a post; one that needs a look is a draft. Returns undefined and reports a failure without a date. */
export function marblePost(
  row: JsonObject,
  slug: string,
  posts: MarblePosts,
): DraftPost | undefined {
  const { context, terms } = posts
  const { report } = context
  const from = `post ${placeOf(row)}`
  const publishedAt = dateOf(row['publishedAt']) ?? dateOf(row['createdAt'])
  if (publishedAt === undefined) {
    report.add('failed', 'The post has no publishedAt.', from)
    return undefined
  }
  const html = asText(row['content']) ?? ''
  const body = postBody({ html, from }, report)
  const fields = {
    id: context.slugs.claimId(asText(row['id']) ?? ''),
    title: asText(row['title']) ?? slug,
    description: asText(row['description']),
    ...terms.ofPost(row, from),
    publishedAt,
    updatedAt: dateOf(row['updatedAt']),
    featured: row['featured'] === true ? true : undefined,
    coverImage: asText(row['coverImage']),
    status: isDraft(row, report, from) || body === undefined ? 'draft' : undefined,
    fields: customFields(row, posts, from),
  }
  return { document: { kind: 'posts', slug, fields, from }, body: body ?? '' }
}

/** True when a post must not be public. An unknown status counts as a draft, and is reported. */
function isDraft({ status }: JsonObject, report: ImportContext['report'], from: string): boolean {
  if (status === 'published') return false
  const reason = status === 'draft' ? 'its status is "draft"' : `unknown status "${String(status)}"`
  report.add('changed', `made a draft: ${reason}`, from)
  return true
}

function customFields(
  row: JsonObject,
  { context, fields }: MarblePosts,
  from: string,
): { readonly [key: string]: FieldValue } {
  const entries = asObjects(row['fieldValues']).flatMap(({ field, value }) => {
    const name = asText(asObject(field)?.['key']) ?? ''
    const type = fields.get(name)
    const text = asText(value)
    if (text === undefined) return []
    const shaped = type === undefined ? undefined : shape(type, text)
    if (shaped !== undefined) return [[name, shaped] as const]
    context.report.add('left', `custom field "${name}": its value is none of its type`, from)
    return []
  })
  return Object.fromEntries(entries)
}

/** Parses a value, which exports contain as text; undefined when it does not have the type. */
function shape(type: FieldType, text: string): FieldValue {
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined
  if (type === 'boolean') return /^(?:true|false)$/.test(text) ? text === 'true' : undefined
  if (type === 'date') return parseDate(text, 'loose') ?? undefined
  return type === 'list' ? listOf(text) : text
}

function listOf(text: string): FieldValue {
  try {
    const value = JSON.parse(text) as Json
    return Array.isArray(value) ? value.map((item: Json) => String(item)) : undefined
  } catch {
    return undefined
  }
}

function dateOf(value: Json): string | undefined {
  return parseDate(asText(value) ?? '', 'loose') ?? undefined
}
