// Reads the files of exports, and makes posts of their rows.
import { statSync } from 'node:fs'
import { parseDate, UseError } from 'quarry/authoring'
import type { Draft, DraftPost } from './html/post-body.ts'
import type { Ledger } from './ledger.ts'
import type { FieldValue, ImportedDocument, ImportedImage } from './site.ts'
import { asList, isMap, type Values } from './static/front.ts'

/** Maximum size of an export in bytes: it is held in memory. */
const bytesMax = 512 * 1024 * 1024 - 64

/** @throws UseError for a file that is too large to be held in memory */
export function checkSize(file: string): void {
  const { size } = statSync(file)
  if (size > bytesMax)
    throw new UseError(
      `${file} has ${Math.ceil(size / 2 ** 20)} MiB; an import reads exports of less than 512 MiB. Export the posts in parts, such as by year, and import each part.`,
    )
}

/** A JSON document, with numbers and booleans as texts. @param name for messages @throws UseError */
export function parseExport(text: string, name: string): FieldValue {
  try {
    return JSON.parse(text, (_, value) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    )
  } catch (error) {
    throw new UseError(`${name} is not JSON: ${(error as Error).message}`)
  }
}

/** The maps of a list. */
export function rowsOf(value: FieldValue): readonly Values[] {
  return Array.isArray(value) ? value.filter(isMap) : []
}

/** A list without undefined items; undefined for an empty one. */
export function listed(items: readonly FieldValue[]): FieldValue {
  const kept = asList(items).filter((item) => item !== undefined)
  return kept.length === 0 ? undefined : kept
}

/** A date in ISO 8601, also as `2021-03-24 04:34:10` or in milliseconds. */
export function dateOf(text: string | undefined): string | undefined {
  if (/^\d{9,15}$/.test(text ?? '')) return new Date(Number(text)).toISOString()
  return parseDate(text ?? '', 'loose') ?? undefined
}

/** True for a column that says yes. */
export function isTrue(value: FieldValue): true | undefined {
  return value === 'true' || value === '1' || undefined
}

/** A post of an export. */
export interface ExportPost extends Pick<DraftPost, 'finish'> {
  readonly slug: string
  readonly from: string
  readonly fields: ImportedDocument['fields']
  /** Undefined for a body that cannot be converted, which is reported. */
  readonly body: Draft | string | undefined
  /** The reason why the site does not show the post to everyone. */
  readonly withheld: string | undefined
  readonly images?: readonly ImportedImage[]
  readonly redirects?: readonly string[]
}

/** A post to write, a draft if it is withheld or has no body; none, with a report, without a date. */
export function draftOf(post: ExportPost, report: Ledger): readonly DraftPost[] {
  const { from, fields, body, withheld, finish, ...others } = post
  if (fields['publishedAt'] === undefined) {
    report.add('failed', 'The post has no date.', from)
    return []
  }
  if (withheld !== undefined) report.add('changed', `made a draft: ${withheld}`, from)
  const isDraft = withheld !== undefined || body === undefined
  const status = isDraft ? 'draft' : fields['status']
  const document = { ...others, kind: 'posts' as const, fields: { ...fields, status }, from }
  return [{ document, body: body ?? '', ...(finish && { finish }) }]
}
