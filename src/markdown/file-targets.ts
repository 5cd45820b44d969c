// Destinations of a rendered body that may mean files, and other addresses put in their place.
import type { Span } from './spans.ts'
import type { Target } from './survey.ts'

/** A destination that may mean a file next to the post. */
export interface FileTarget extends Span {
  /** The element that shows it; a definition has the kind of its first reference. */
  readonly kind: Target['kind']
  /** Without the escapes of Markdown. */
  readonly url: string
  /** As it is in HTML where it means no file. */
  readonly href: string
  /** The line on which it stands; absent where that is over 500 characters long. */
  readonly lineText?: string
}

/** The destinations of a body that may mean files, in its order, and what represents them in its HTML. */
export interface FileTargets {
  /** The HTML has `{mark}{index}/` in the place of each. */
  readonly mark: string
  readonly targets: readonly FileTarget[]
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
