// Reads the files of exports, and makes posts of their rows.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import type { RenderPool } from 'quarry/authoring'
import { createRenderPool, parseDate, schema, UseError, visibleText } from 'quarry/authoring'
import type { CleanOptions, RewriteUrl } from './html.ts'
import { cleanTree, treeToMarkdown, treeToRawBlock } from './html.ts'
import type { Ledger } from './ledger.ts'
import { decoded } from './parts.ts'
import type { FieldValue, ImportContext, ImportedDocument, ImportedImage } from './site.ts'
import { asList, isMap, type Values } from './static/front.ts'

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
export interface ExportPost
  extends Pick<ImportedDocument, 'slug' | 'from' | 'fields' | 'images' | 'redirects'> {
  /** Undefined for a body that cannot be converted, which is reported. */
  readonly body: Draft | string | undefined
  /** The reason why the site does not show the post to everyone. */
  readonly withheld: string | undefined
  /** The last change of the verified Markdown. */
  readonly finish?: (markdown: string) => string
}

interface SourceHtml {
  readonly html: string
  readonly from: string
  readonly rewriteUrl?: RewriteUrl
  readonly prepare?: (tree: Root) => void
}

/** The unverified Markdown of a document. */
export interface Draft {
  readonly markdown: string
  /** Returns the same document as one block of raw HTML. */
  readonly raw: () => string
  /** The visible text of the source; null when it shows nothing. */
  readonly shown: string | null
}

/** Converts a document; returns undefined and reports a failure when that is impossible. Cost: about 0.5 ms per kB. */
export function postBody(source: SourceHtml, report: Ledger): Draft | undefined {
  const { html, rewriteUrl, prepare, from } = source
  const note: CleanOptions['report'] = (what, name) => {
    if (what === 'linked') report.add('changed', `<${name}> made a link`, from)
    else report.add('left', `<${name}>: needs code that posts may not have`, from)
  }
  try {
    const tree = fromParse5(parseFragment(html)) as Root
    prepare?.(tree)
    cleanTree(tree, { rewriteUrl, report: note })
    const safe = sanitize(tree, { ...schema, allowComments: true }) as Root
    const visible = toHtml(safe).replaceAll('<!-- more -->', '')
    const shown = visibleText(visible)
    // Quarry rejects a non-empty body without visible content.
    if (shown === '' && !/<(?:img|hr|input)\b/.test(visible))
      return { markdown: '', raw: () => '', shown: null }
    return { markdown: treeToMarkdown(safe), raw: () => treeToRawBlock(safe), shown }
  } catch (error) {
    // Parsers and serializers recurse; a RangeError is V8's only sign of a stack overflow.
    if (!(error instanceof RangeError)) throw error
    report.add('failed', 'The HTML is nested too deeply.', from)
    return undefined
  }
}

/**
 * Yields posts with a date, in order. Their Markdown shows the text of the source, else it becomes raw HTML. Posts that
 * are withheld, have no body, or cannot be verified are drafts, and reported.
 */
export async function* checkedPosts(
  posts: readonly ExportPost[],
  report: Ledger,
): AsyncGenerator<ImportedDocument> {
  const pool = createRenderPool({ workers: 1 })
  try {
    for (const { body, withheld, finish = (text: string) => text, ...post } of posts) {
      const { from, fields } = post
      if (fields['publishedAt'] === undefined) {
        report.add('failed', 'The post has no date.', from)
        continue
      }
      if (withheld !== undefined) report.add('changed', `made a draft: ${withheld}`, from)
      const markdown = typeof body === 'object' ? await verified(body, pool, report, from) : body
      const isDraft = withheld !== undefined || markdown === undefined
      const status = isDraft ? 'draft' : fields['status']
      const text = finish(markdown ?? (typeof body === 'object' ? body.markdown : ''))
      yield { ...post, kind: 'posts', fields: { ...fields, status }, body: text }
    }
  } finally {
    await pool.close()
  }
}

async function verified(
  { markdown, raw, shown }: Draft,
  pool: RenderPool,
  report: Ledger,
  from: string,
): Promise<string | undefined> {
  if (shown === null) return markdown
  for (const body of [markdown, raw()])
    for await (const made of pool.render([{ key: 0, file: '', body, bodyLine: 1 }])) {
      if (made.body?.text !== shown) continue
      const text = 'kept as raw HTML: Markdown would not show the same text'
      if (body !== markdown) report.add('changed', text, from)
      return body
    }
  report.add('failed', 'The Markdown would not show the text of the HTML.', from)
  return undefined
}

/** Collects the images of a post. Reads nothing outside of the folder, not even through links. */
export class PostImages {
  readonly #media: string | undefined
  readonly #report: ImportContext['report']
  readonly #from: string
  readonly #images = new Map<string, ImportedImage>()

  /** @param from location of the post, for the report @throws UseError when the folder does not exist */
  constructor({ media, report }: ImportContext, from: string) {
    if (media !== undefined && !statSync(media, { throwIfNoEntry: false })?.isDirectory())
      throw new UseError(`--media names "${media}", which is no folder.`)
    this.#media = media && realpathSync(media)
    this.#report = report
    this.#from = from
  }

  /** The distinct images found so far. */
  get found(): readonly ImportedImage[] {
    return [...this.#images.values()]
  }

  /**
   * Takes an image at one of several paths in the folder, and returns its path as written in a post.
   *
   * @param paths with `/`, percent-encoded as in a URL; the first existing file is used, and the first path becomes
   *   its name
   * @returns undefined, with a report if there is a folder, when it does not contain the image
   */
  take(paths: readonly string[]): string | undefined {
    if (this.#media === undefined) return undefined
    const candidates = paths.map(decoded)
    const [name = ''] = candidates
    const file = candidates.map((path) => this.#fileAt(path)).find((found) => found !== undefined)
    if (file === undefined || !/\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)) {
      this.#report.add('left', 'image not found below --media', `${this.#from} (${paths[0]})`)
      return undefined
    }
    this.#images.set(name, { path: `media/${name}`, bytes: () => readFileSync(file) })
    return `../media/${name}`
  }

  #fileAt(path: string): string | undefined {
    const parts = path.split('/')
    if (/[\\\0]/.test(path) || parts.some((part) => ['', '.', '..'].includes(part)))
      return undefined
    const file = join(this.#media ?? '', path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    return realpathSync(file).startsWith(this.#media + sep) ? file : undefined
  }
}
