// Converts the HTML of an imported post to Markdown, and verifies the result as rendered by quarry: nothing visible may
// be lost.
import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import { createRenderPool, type RenderPool, schema, visibleText } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import type { ImportedDocument } from '../site.ts'
import { type CleanOptions, cleanTree, type RewriteUrl } from './clean.ts'
import { treeToMarkdown, treeToRawBlock } from './to-markdown.ts'

/** The HTML of one document. */
export interface SourceHtml {
  readonly html: string
  /** Location of the post, for the report. */
  readonly from: string
  /** Maps URLs. @default keeps them */
  readonly rewriteUrl?: RewriteUrl
  /** Transforms the tree first, for markup specific to one tool. */
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

/** A post with a body that is Markdown, or must be verified. */
export interface DraftPost {
  readonly document: Omit<ImportedDocument, 'body'>
  readonly body: Draft | string
  /** The last change of the verified Markdown. */
  readonly finish?: (markdown: string) => string
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
 * Yields posts with verified bodies, in order: with the same visible text. A draft with different text becomes raw
 * HTML. Posts that cannot be verified are drafts, and reported.
 */
export async function* checkedPosts(
  posts: readonly DraftPost[],
  report: Ledger,
): AsyncGenerator<ImportedDocument> {
  const pool = createRenderPool({ workers: 1 })
  try {
    for (const { document, body, finish = (markdown: string) => markdown } of posts) {
      if (typeof body === 'string') yield { ...document, body }
      else if (await shows(body.markdown, body.shown, pool))
        yield { ...document, body: finish(body.markdown) }
      else if (await shows(body.raw(), body.shown, pool)) {
        const text = 'kept as raw HTML: Markdown would not show the same text'
        report.add('changed', text, document.from)
        yield { ...document, body: finish(body.raw()) }
      } else {
        report.add('failed', 'The Markdown would not show the text of the HTML.', document.from)
        const fields = { ...document.fields, status: 'draft' }
        yield { ...document, fields, body: finish(body.markdown) }
      }
    }
  } finally {
    await pool.close()
  }
}

/** True for a body that renders with a text; null for none. */
async function shows(body: string, text: string | null, pool: RenderPool): Promise<boolean> {
  if (text === null) return true
  for await (const made of pool.render([{ key: 0, file: '', body, bodyLine: 1 }]))
    if (made.body?.text === text) return true
  return false
}
