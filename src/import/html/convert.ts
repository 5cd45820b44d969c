// HTML of an export as Markdown, checked against what quarry renders from it: nothing visible may be lost.
import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import { markdownDefaults } from '../../markdown/options.ts'
import { renderMarkdown } from '../../markdown/render.ts'
import { schema } from '../../markdown/schema.ts'
import { loadStage, type Stages } from '../../markdown/stages.ts'
import { visibleText } from '../../markdown/visible-text.ts'
import { cleanTree, type RewriteUrl } from './clean.ts'
import { treeToMarkdown, treeToRawBlock } from './to-markdown.ts'

/** The HTML of one document. */
export interface SourceHtml {
  readonly html: string
  /** Changes URLs; default: they stay. */
  readonly rewriteUrl?: RewriteUrl
  /** Changes the tree before anything else, for markup that one tool alone writes. */
  readonly prepare?: (tree: Root) => void
}

/** Markdown of a document, or the reason why there is none. */
export type Conversion =
  | {
      readonly kind: 'converted'
      readonly markdown: string
      /** True when Markdown could not say it, so that all of it is raw HTML. */
      readonly isRaw: boolean
      /** Numbers of elements that became links, and that were removed, by name. */
      readonly linked: ReadonlyMap<string, number>
      readonly removed: ReadonlyMap<string, number>
    }
  | { readonly kind: 'failed'; readonly message: string }

/** Bytes of HTML in a document at most, twice those of a post: Markdown is shorter. */
export const htmlBytesMax: number = 2 * 1024 * 1024

/** Converts one document after the other. */
export type Converter = (source: SourceHtml) => Conversion

/** A converter, with all of the renderer loaded. */
export async function createConverter(): Promise<Converter> {
  const stages: Stages = {}
  await loadStage(stages, 'html')
  return (source) => convertHtml(source, stages)
}

/**
 * Markdown that renders to the same visible text, and to the same links and images, as the sanitised HTML.
 *
 * Cost: about 1 ms a kB, half of it the check.
 */
function convertHtml(source: SourceHtml, stages: Stages): Conversion {
  const bytes = Buffer.byteLength(source.html)
  if (bytes > htmlBytesMax)
    return failed(`The HTML has ${bytes} bytes; a post may have ${htmlBytesMax}.`)
  try {
    return convert(source, stages)
  } catch (error) {
    // Parsers and serialisers recurse; V8 reports a full stack by no other sign.
    if (error instanceof RangeError) return failed('The HTML is nested too deeply.')
    throw error
  }
}

function convert({ html, rewriteUrl, prepare }: SourceHtml, stages: Stages): Conversion {
  const tree = fromParse5(parseFragment(html)) as Root
  prepare?.(tree)
  const report = { linked: new Map<string, number>(), removed: new Map<string, number>() }
  cleanTree(tree, { rewriteUrl, report })
  const safe = sanitize(tree, { ...schema, allowComments: true }) as Root
  const source = toHtml(safe)
  const shown = shownBy(source)
  // Quarry refuses a body that is not empty and shows nothing.
  if (shown.text === '' && !/<(?:img|hr|input)\b/.test(source))
    return { kind: 'converted', markdown: '', isRaw: false, ...report }
  for (const [write, isRaw] of forms) {
    const markdown = write(safe)
    const { html: rendered, problems } = renderMarkdown(markdown, markdownDefaults, stages)
    const isFine = problems.every(({ severity }) => severity !== 'error')
    if (isFine && isWhole(shown, shownBy(rendered)))
      return { kind: 'converted', markdown, isRaw, ...report }
  }
  return failed('The Markdown would not show the text of the HTML.')
}

const forms = [
  [treeToMarkdown, false],
  [treeToRawBlock, true],
] as const

/** The text that a reader sees, and the URLs of images and links, sorted. */
interface Shown {
  readonly text: string
  readonly urls: readonly string[]
}

function shownBy(html: string): Shown {
  const bare = html.replaceAll('<!-- more -->', '')
  const urls = Array.from(
    bare.matchAll(/<(?:a|img)\s[^>]*?\b(?:href|src)="([^"]*)"/g),
    ([, url = '']) => canonicalUrl(url),
  )
  return { text: visibleText(bare), urls: urls.sort() }
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

function failed(message: string): Conversion {
  return { kind: 'failed', message }
}
