// HTML of an export as Markdown, checked against what quarry renders from it: nothing visible may be lost.
import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import type { RenderPool } from '../../markdown/pool.ts'
import { schema } from '../../markdown/schema.ts'
import { visibleText } from '../../query/visible-text.ts'
import { cleanTree, type RewriteUrl } from './clean.ts'
import { isTooMuchWork } from './parser-work.ts'
import { treeToMarkdown, treeToRawBlock } from './to-markdown.ts'

/** The HTML of one document. */
export interface SourceHtml {
  readonly html: string
  /** Changes URLs; default: they stay. */
  readonly rewriteUrl?: RewriteUrl
  /** Changes the tree before anything else, for markup that one tool alone writes. */
  readonly prepare?: (tree: Root) => void
}

/** Markdown of a document that is not checked yet. */
export interface Draft {
  readonly kind: 'draft'
  readonly markdown: string
  /** The same document as one block of raw HTML. */
  readonly raw: () => string
  /** The content that the source shows; null where it shows nothing. */
  readonly shown: Shown | null
  /** Numbers of elements that became links, and that were removed, by name. */
  readonly linked: ReadonlyMap<string, number>
  readonly removed: ReadonlyMap<string, number>
}

/** Markdown that shows what the source shows. */
export interface Checked {
  readonly kind: 'checked'
  readonly markdown: string
  /** True when Markdown could not say it, so that all of it is raw HTML. */
  readonly isRaw: boolean
}

/** Why there is no Markdown of a document. */
export interface Failed {
  readonly kind: 'failed'
  readonly message: string
}

/** Bytes of HTML in a document at most, twice those of a post: Markdown is shorter. */
export const htmlBytesMax: number = 2 * 1024 * 1024

/**
 * Markdown of a document.
 *
 * Cost: about 0.5 ms a kB.
 */
export function draftOf(source: SourceHtml): Draft | Failed {
  const bytes = Buffer.byteLength(source.html)
  if (bytes > htmlBytesMax)
    return failed(`The HTML has ${bytes} bytes; a post may have ${htmlBytesMax}.`)
  if (isTooMuchWork(source.html)) return failed('The HTML is nested too deeply.')
  try {
    return write(source)
  } catch (error) {
    // Parsers and serialisers recurse; V8 reports a full stack by no other sign.
    if (error instanceof RangeError) return failed('The HTML is nested too deeply.')
    throw error
  }
}

function write({ html, rewriteUrl, prepare }: SourceHtml): Draft {
  const tree = fromParse5(parseFragment(html)) as Root
  prepare?.(tree)
  const report = { linked: new Map<string, number>(), removed: new Map<string, number>() }
  cleanTree(tree, { rewriteUrl, report })
  const safe = sanitize(tree, { ...schema, allowComments: true }) as Root
  const source = toHtml(safe).replaceAll('<!-- more -->', '')
  const shown = shownBy(source, visibleText(source))
  // Quarry refuses a body that is not empty and shows nothing.
  if (shown.text === '' && !/<(?:img|hr|input)\b/.test(source))
    return { kind: 'draft', markdown: '', raw: () => '', shown: null, ...report }
  const markdown = treeToMarkdown(safe)
  return { kind: 'draft', markdown, raw: () => treeToRawBlock(safe), shown, ...report }
}

/**
 * Holds drafts to what quarry renders of them: the same visible text, and every link and image of the source. A draft
 * that shows another text is tried as raw HTML.
 *
 * @param pool renders in threads of its own, within the budgets of a body
 * @returns one for each draft, in their order
 */
export async function checkDrafts(
  drafts: readonly Draft[],
  pool: RenderPool,
): Promise<readonly (Checked | Failed)[]> {
  const checked = await checkAll(
    drafts,
    drafts.map(({ markdown }) => markdown),
    pool,
  )
  const wrong = drafts.filter((_, index) => checked[index] !== true)
  const raws = new Map(wrong.map((draft) => [draft, draft.raw()] as const))
  const rawChecked = await checkAll(wrong, [...raws.values()], pool)
  return drafts.map((draft, index) => {
    if (checked[index] === true) return { kind: 'checked', markdown: draft.markdown, isRaw: false }
    const isRight = rawChecked[wrong.indexOf(draft)] === true
    if (isRight) return { kind: 'checked', markdown: raws.get(draft) ?? '', isRaw: true }
    return failed('The Markdown would not show the text of the HTML.')
  })
}

/** True for each draft whose form shows what its source shows. */
async function checkAll(
  drafts: readonly Draft[],
  forms: readonly string[],
  pool: RenderPool,
): Promise<readonly boolean[]> {
  const results = drafts.map(({ shown }) => shown === null)
  const jobs = forms.flatMap((body, key) =>
    results[key] === true ? [] : [{ key, file: '', body, bodyLine: 1 }],
  )
  for await (const { key, body } of pool.render(jobs)) {
    const shown = drafts[key]?.shown
    if (body === undefined || shown == null) continue
    const html = JSON.parse(textOf(body.html.bytes)) as string
    results[key] = isWhole(shown, shownBy(html, textOf(body.text.bytes)))
  }
  return results
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

/** The text that a reader sees, and the URLs of images and links, sorted. */
interface Shown {
  readonly text: string
  readonly urls: readonly string[]
}

function shownBy(html: string, text: string): Shown {
  const urls = Array.from(
    html.matchAll(/<(?:a|img)\s[^>]*?\b(?:href|src)="([^"]*)"/g),
    ([, url = '']) => canonicalUrl(url),
  )
  return { text, urls: urls.sort() }
}

/** Two spellings of one URL as one. Files of the workspace are marked in what quarry renders; here they are one. */
function canonicalUrl(url: string): string {
  const isMarked = /^\/file-\w+\/\d+\/$/.test(url)
  const isFile = !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(url) && fileName.test(url)
  if (isMarked || isFile) return 'file'
  const plain = url.replaceAll('&#x26;', '&')
  try {
    return decodeURI(plain)
  } catch {
    return plain
  }
}

const fileName = /\.(?:md|markdown|png|jpe?g|gif|webp|avif|svg)(?:[?#]|$)/i

/** Rendering may add links to URLs that are text, and link two blocks in place of one link around both. */
function isWhole(source: Shown, rendered: Shown): boolean {
  if (source.text !== rendered.text) return false
  let at = 0
  return source.urls.every((url) => {
    while (at < rendered.urls.length && (rendered.urls[at] ?? '') < url) at++
    return rendered.urls[at++] === url
  })
}

function failed(message: string): Failed {
  return { kind: 'failed', message }
}
