// Replaces destinations of a rendered body that refer to files by other URLs.
import type { Span } from './spans.ts'
import type { Target } from './survey.ts'

/** A destination that may refer to a file next to the post. */
export interface FileTarget extends Span {
  /** The element that uses it; for a definition, that of its first reference. */
  readonly kind: Target['kind']
  /** Without Markdown escapes. */
  readonly url: string
  /** The URL in the HTML when it refers to no file. */
  readonly href: string
  /** The source line; absent when it is longer than 500 characters. */
  readonly lineText?: string
}

/** The destinations of a body that may refer to files, in source order, and their placeholder in the HTML. */
export interface FileTargets {
  /** The HTML contains `{mark}{index}/` instead of each. */
  readonly mark: string
  readonly targets: readonly FileTarget[]
}

/** Replaces the placeholders in HTML. @param urls one per target, percent-encoded */
export function placeInHtml(
  html: string,
  { mark, targets }: FileTargets,
  urls: readonly (string | null)[],
): string {
  // regex: a fixed text, then digits
  return html.replace(new RegExp(`${mark}(\\d+)/`, 'g'), (_, digits: string) => {
    const index = Number(digits)
    const url = urls[index] ?? targets[index]?.href ?? ''
    return escapeBrackets(url.replaceAll('&', '&#x26;').replaceAll('"', '&#x22;'))
  })
}

/** Escapes `<` and `>` for an attribute value, in the style of `hast-util-to-html`. */
export function escapeBrackets(text: string): string {
  return text.replace(/[<>]/g, (sign) => (sign === '<' ? '&#x3C;' : '&#x3E;'))
}

/** Replaces destinations in Markdown and changes nothing else. @param urls null keeps the written destination */
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
