// The first pass over a WordPress export: everything that posts refer to, and their slugs. Bodies of posts are not
// stored.

import { UseError } from 'quarry/authoring'
import { trimmedEnd } from '../parts.ts'
import type { ImportContext } from '../site.ts'
import { givesAddress, patternOf } from '../static/addresses.ts'
import { type WxrRecord, wxrRecords } from './read-wxr.ts'
import type { Attachment } from './shortcodes.ts'

/** A WordPress export without the bodies of its posts. Memory: one entry per term, post and attachment. */
export interface WxrSurvey {
  readonly title: string | undefined
  /** The URL of the site, without a trailing slash. */
  readonly site: string
  readonly authors: readonly WxrRecord[]
  readonly categories: readonly WxrRecord[]
  readonly tags: readonly WxrRecord[]
  readonly attachments: ReadonlyMap<string, Attachment>
  /** Ids of attachments by the id of the post that they belong to. */
  readonly attachmentsOfPost: ReadonlyMap<string, readonly string[]>
  /** Synced patterns by id. */
  readonly patterns: ReadonlyMap<string, string>
  /** Slugs of imported posts in export order. */
  readonly slugs: readonly string[]
  /** Slugs of posts by the path of their URL, without a slash at its end. */
  readonly slugOfPath: ReadonlyMap<string, string>
  /** The pattern of the URLs of posts. */
  readonly pattern: string
}

/** Maximum total size of stored synced patterns, in characters. */
const patternCharactersMax = 16 * 1024 * 1024

/** Reads an export. @throws UseError when the file is no such export */
export async function surveyWxr({ source, report, slugs }: ImportContext): Promise<WxrSurvey> {
  const survey = new Survey(source, report)
  const onDropped = (count: number) =>
    report.add('changed', 'control character that XML does not allow, left out', source, count)
  for await (const record of wxrRecords(source, onDropped)) survey.add(record)
  return survey.finished(slugs)
}

/** Statuses of posts that were deleted or never saved. */
const absent: ReadonlySet<string> = new Set(['trash', 'auto-draft', 'inherit'])

/** True for a post to import, whatever its status. */
export function isPost(record: WxrRecord): boolean {
  return typeOf(record) === 'post' && !absent.has(record.texts.get('wp:status') ?? '')
}

/** The type of an item: `post`, `page`, `attachment`, …; undefined for other records. */
export function typeOf({ name, texts }: WxrRecord): string | undefined {
  return name === 'item' ? (texts.get('wp:post_type') ?? 'post') : undefined
}

/** The location of an item, for the report. */
export function placeOf({ texts, line }: WxrRecord): string {
  return `line ${line} "${texts.get('title')?.trim() || texts.get('wp:post_name') || texts.get('wp:post_id')}"`
}

/** True for an item that WordPress shows to everyone. */
function isPublic({ texts }: WxrRecord): boolean {
  const status = texts.get('wp:status') ?? 'publish'
  return status === 'publish' && (texts.get('wp:post_password') ?? '') === ''
}

interface Wish {
  readonly slug: string
  readonly date: string | undefined
  readonly from: string
  readonly isNamed: boolean
  /** The path of its URL. */
  readonly path: string | undefined
  readonly isPublic: boolean
}

class Survey {
  readonly #source: string
  readonly #report: ImportContext['report']
  #title: string | undefined
  #site = ''
  #items = 0
  readonly #records = new Map<string, WxrRecord[]>()
  readonly #attachments = new Map<string, Attachment>()
  readonly #attachmentsOfPost = new Map<string, string[]>()
  readonly #patterns = new Map<string, string>()
  #patternCharacters = 0
  readonly #wishes: Wish[] = []

  constructor(source: string, report: ImportContext['report']) {
    this.#source = source
    this.#report = report
  }

  add(record: WxrRecord): void {
    const { name, texts } = record
    if (name === 'title') this.#title = own(texts.get('') ?? '').trim()
    else if (name === 'wp:base_blog_url') this.#site = trimmedEnd(own(texts.get('') ?? ''), '/')
    else if (name === 'item') this.#addItem(record)
    else if (/^wp:(?:author|category|tag)$/.test(name)) {
      const kept = new Map(Array.from(texts, ([key, value]) => [key, own(value)]))
      this.#records.set(name, [...(this.#records.get(name) ?? []), { ...record, texts: kept }])
    }
  }

  #addItem(record: WxrRecord): void {
    this.#items += 1
    this.#report.find(own(placeOf(record)))
    const type = typeOf(record)
    if (type === 'attachment') this.#addAttachment(record)
    else if (type === 'wp_block' && isPublic(record)) this.#addPattern(record)
    else if (isPost(record)) this.#wishes.push(wishOf(record))
  }

  #addAttachment({ texts }: WxrRecord): void {
    const id = own(texts.get('wp:post_id') ?? '')
    const url = own(texts.get('wp:attachment_url') ?? texts.get('guid') ?? '')
    const caption = own(texts.get('excerpt:encoded') ?? '').trim()
    this.#attachments.set(id, { url, caption })
    const parent = own(texts.get('wp:post_parent') ?? '0')
    if (parent === '0') return
    this.#attachmentsOfPost.set(parent, [...(this.#attachmentsOfPost.get(parent) ?? []), id])
  }

  #addPattern({ texts, line }: WxrRecord): void {
    const content = own(texts.get('content:encoded') ?? '')
    this.#patternCharacters += content.length
    if (this.#patternCharacters > patternCharactersMax)
      throw new UseError(
        `${this.#source}:${line}: synced patterns (wp_block) have more than ${patternCharactersMax} characters.`,
      )
    this.#patterns.set(own(texts.get('wp:post_id') ?? ''), content)
  }

  /** Slugs from WordPress take precedence over those derived from titles of drafts. */
  finished(slugs: ImportContext['slugs']): WxrSurvey {
    if (this.#items === 0) throw new UseError(`${this.#source} has no <item>: the export is empty.`)
    const claimed: string[] = []
    for (const isNamed of [true, false])
      this.#wishes.forEach((wish, index) => {
        if (wish.isNamed === isNamed) claimed[index] = slugs.claim(wish)
      })
    const posts = this.#wishes.map(({ path, date = '', isPublic }, index) => ({
      ...{ address: path, slug: claimed[index] ?? '', day: date.slice(0, 10), isPublic },
    }))
    const pattern = patternOf(posts)
    const given = posts.filter((post) => givesAddress(pattern, post)).length
    this.#report.addresses = { pattern, given, posts: posts.length }
    const paths = posts.map(({ address = '', slug }) => [trimmedEnd(address, '/'), slug] as const)
    return {
      pattern,
      slugOfPath: new Map(paths.filter(([path]) => path !== '')),
      title: this.#title,
      site: this.#site,
      authors: this.#records.get('wp:author') ?? [],
      categories: this.#records.get('wp:category') ?? [],
      tags: this.#records.get('wp:tag') ?? [],
      attachments: this.#attachments,
      attachmentsOfPost: this.#attachmentsOfPost,
      patterns: this.#patterns,
      slugs: claimed,
    }
  }
}

function wishOf(record: WxrRecord): Wish {
  const { texts } = record
  const name = decoded(texts.get('wp:post_name') ?? '')
  const slug = name || (texts.get('title') ?? '') || (texts.get('wp:post_id') ?? '')
  const date = texts.get('wp:post_date')
  return {
    slug: own(slug),
    date: date?.startsWith('0') === false ? own(date) : undefined,
    from: own(placeOf(record)),
    isNamed: name !== '',
    path: pathOf(texts.get('link')),
    isPublic: isPublic(record),
  }
}

function pathOf(link: string | undefined): string | undefined {
  const url = URL.canParse(link ?? '') ? new URL(link ?? '') : undefined
  return url === undefined || url.search !== '' ? undefined : own(url.pathname)
}

/** Decodes a slug: WordPress percent-encodes the letters of most scripts. */
export function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug).normalize('NFC')
  } catch {
    return slug
  }
}

/** Copies: a substring would retain the whole text in memory. */
function own(text: string): string {
  return Buffer.from(text).toString()
}
