// Destinations in Markdown that are meant for files: found with the place of their every character, and marked in
// the tree, so that a finished body can be given other ones. Knows nothing of which files there are.
import { createHash } from 'node:crypto'
import { isRelativePath } from '../content/relative-path.ts'
import type { FileTarget, FileTargets } from './file-targets.ts'
import type { Survey, Target } from './survey.ts'
import { isKept } from './urls.ts'

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

const fileName = /\.(?:md|markdown|mdx|png|jpe?g|gif|webp|avif|svg)$/iu

/** As mdast-util-to-hast writes it: what is no character of a URL is percent-encoded, `%20` stays. */
function hrefOf(url: string): string {
  return url.replace(/%[0-9a-z]{2}|[^!#$&-;=?-Z_a-z~]/giu, (text) => {
    if (text.length === 3 && text.startsWith('%')) return text
    return encodeURIComponent(/^[\uD800-\uDFFF]$/u.test(text) ? '\uFFFD' : text)
  })
}
