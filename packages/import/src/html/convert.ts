// Converts the HTML of an export to Markdown and verifies the result as rendered by quarry: nothing visible may be
// lost.
import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import type { RenderPool } from 'quarry/authoring'
import { schema, visibleText } from 'quarry/authoring'
import { cleanTree, type RewriteUrl } from './clean.ts'
import { isTooMuchWork } from './parser-work.ts'
import { treeToMarkdown, treeToRawBlock } from './to-markdown.ts'

/** The HTML of one document. */
export interface SourceHtml {
  readonly html: string
  /** Maps URLs. @default keeps them */
  readonly rewriteUrl?: RewriteUrl
  /** Transforms the tree first, for markup specific to one tool. */
  readonly prepare?: (tree: Root) => void
}

/** The unverified Markdown of a document. */
export interface Draft {
  readonly kind: 'draft'
  readonly markdown: string
  /** Returns the same document as one block of raw HTML. */
  readonly raw: () => string
  /** The visible content of the source; null when there is none. */
  readonly shown: Shown | null
  /** Numbers of elements that were replaced by links, and removed, by name. */
  readonly linked: ReadonlyMap<string, number>
  readonly removed: ReadonlyMap<string, number>
}

/** Verified Markdown with the same visible content as the source. */
export interface Checked {
  readonly kind: 'checked'
  readonly markdown: string
  /** True when Markdown cannot express the document, which is then raw HTML as a whole. */
  readonly isRaw: boolean
}

/** The reason why a document has no Markdown. */
export interface Failed {
  readonly kind: 'failed'
  readonly message: string
}

/** Maximum size of a document's HTML in bytes: twice that of a post, as Markdown is shorter. */
export const htmlBytesMax: number = 2 * 1024 * 1024

/**
 * Converts a document to unverified Markdown.
 *
 * Cost: about 0.5 ms per kB.
 */
export function draftOf(source: SourceHtml): Draft | Failed {
  const bytes = Buffer.byteLength(source.html)
  if (bytes > htmlBytesMax)
    return failed(`The HTML has ${bytes} bytes; a post may have ${htmlBytesMax}.`)
  if (isTooMuchWork(source.html)) return failed('The HTML is nested too deeply.')
  try {
    return write(source)
  } catch (error) {
    // Parsers and serializers recurse; a RangeError is V8's only sign of a stack overflow.
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
  // Quarry rejects a non-empty body without visible content.
  if (shown.text === '' && !/<(?:img|hr|input)\b/.test(source))
    return { kind: 'draft', markdown: '', raw: () => '', shown: null, ...report }
  const markdown = treeToMarkdown(safe)
  return { kind: 'draft', markdown, raw: () => treeToRawBlock(safe), shown, ...report }
}

/**
 * Verifies drafts as rendered by quarry: the same visible text, and every link and image of the source. Retries a
 * draft with different text as raw HTML.
 *
 * @param pool renders in separate threads, within the budgets of a body
 * @returns one result per draft, in order
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

/** For each draft, whether it renders with the content of its source. */
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
    results[key] = isWhole(shown, shownBy(body.html, body.text))
  }
  return results
}

/** The visible text, and the URLs of images and links, sorted. */
interface Shown {
  readonly text: string
  readonly urls: readonly string[]
}

function shownBy(html: string, text: string): Shown {
  const urls = Array.from(html.matchAll(/\s(?:href|src)="([^"]*)"/g), ([, url = '']) =>
    canonicalUrl(url),
  )
  return { text, urls: urls.sort() }
}

/**
 * A canonical spelling of a URL. Files of the workspace, which quarry marks in rendered HTML, all map to one value.
 */
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

/** Rendering may turn plain URLs into links, and split a link around two blocks into two links. */
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
