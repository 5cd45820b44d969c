// Destinations in Markdown that are meant for files: found with the place of their every character, and marked in
// the tree, so that a finished body can be given other ones. Knows nothing of which files there are.
import { createHash } from 'node:crypto'
import { isRelativePath } from '../content/relative-path.ts'
import type { Span } from './spans.ts'
import type { Survey, Target } from './survey.ts'
import { isKept } from './urls.ts'

/** A destination that may mean a file beside the post. */
export interface FileTarget extends Span {
  /** What shows it; a definition has the kind of what first refers to it. */
  readonly kind: Target['kind']
  /** Without the escapes of Markdown. */
  readonly url: string
  /** As it stands in HTML where it means no file. */
  readonly href: string
  /** The line on which it stands; absent where that is over 500 characters long. */
  readonly lineText?: string
}

/** The destinations of a body that may mean files, in its order, and what stands for them in its HTML. */
export interface FileTargets {
  /** The HTML has `{mark}{index}/` in the place of each. */
  readonly mark: string
  readonly targets: readonly FileTarget[]
}

/**
 * Finds destinations that may mean files, and puts marks in their place in the tree.
 *
 * @returns null where there are none, as in most bodies
 */
export function markFileTargets({ targets }: Survey, body: string): FileTargets | null {
  const found = new Map<Target['node'], Target>()
  for (const target of targets) {
    if (!found.has(target.node) && meansFile(target)) found.set(target.node, target)
  }
  if (found.size === 0) return null
  // No text holds its own hash.
  const mark = `/file-${createHash('sha256').update(body).digest('hex').slice(0, 32)}/`
  // The parser takes a byte order mark for none of the text.
  const shift = body.startsWith('\uFEFF') ? 1 : 0
  const lines = body.split(/\r\n|\n|\r/)
  const marked: FileTarget[] = []
  for (const { kind, url, node } of found.values()) {
    const span = node.data?.destination
    if (span === undefined) continue
    node.url = `${mark}${marked.length}/`
    const lineText = lines[span.line - 1] ?? ''
    marked.push({
      kind,
      url,
      href: hrefOf(url),
      ...{ start: span.start + shift, end: span.end + shift, line: span.line, column: span.column },
      ...(lineText.length > shownLineMax ? {} : { lineText }),
    })
  }
  return { mark, targets: marked }
}

const shownLineMax = 500

/** A relative path: of an image always, of a link when it leads to Markdown or to an image. */
function meansFile(target: Target): boolean {
  const { kind, url } = target
  if (!isRelativePath(url) || !isKept(target)) return false
  return kind === 'image' || fileName.test(url.replace(/[?#].*$/su, ''))
}

const fileName = /\.(?:md|markdown|png|jpe?g|gif|webp|avif|svg)$/iu

/** As mdast-util-to-hast writes it: what is no character of a URL is percent-encoded, `%20` stays. */
function hrefOf(url: string): string {
  return url.replace(/%[0-9a-z]{2}|[^!#$&-;=?-Z_a-z~]/giu, (text) => {
    if (text.length === 3 && text.startsWith('%')) return text
    return encodeURIComponent(/^[\uD800-\uDFFF]$/u.test(text) ? '\uFFFD' : text)
  })
}

/** HTML with other addresses in the place of its marks. @param urls one a target, percent-encoded */
export function placeInHtml(
  html: string,
  { mark, targets }: FileTargets,
  urls: readonly (string | null)[],
): string {
  return html.replace(new RegExp(`${mark}(\\d+)/`, 'g'), (_, digits: string) => {
    const index = Number(digits)
    const url = urls[index] ?? targets[index]?.href ?? ''
    return url.replaceAll('&', '&#x26;').replaceAll('"', '&#x22;')
  })
}

/** Markdown with other destinations, and not another character changed. @param urls null keeps what is written */
export function placeInMarkdown(
  markdown: string,
  { targets }: FileTargets,
  urls: readonly (string | null)[],
): string {
  const edits = targets
    .flatMap(({ start, end }, index) => {
      const url = urls[index] ?? null
      return url === null ? [] : [{ start, end, url }]
    })
    .sort((a, b) => a.start - b.start)
  let from = 0
  let text = ''
  for (const { start, end, url } of edits) {
    text += markdown.slice(from, start) + url
    from = end
  }
  return text + markdown.slice(from)
}
