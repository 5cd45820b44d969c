// Extracts the visible text of rendered HTML, for search. Handles only the processor's HTML, not HTML in general.

/**
 * All text of the HTML in reading order, including code and footnotes. Excludes the numbers, arrows and the hidden heading
 * of footnotes, and attributes: link targets, titles and alternative texts are not visible on the page.
 *
 * @param html as the processor writes it
 * @returns runs of white space collapsed to one space, trimmed. Blocks, cells, list items, breaks and images separate
 *   words; inline markup does not: `<em>un</em>believable` is "unbelievable"
 *
 * Cost: O(length).
 */
export function visibleText(html: string): string {
  let text = ''
  let from = 0
  for (let tag = html.indexOf('<'); tag !== -1; tag = html.indexOf('<', from)) {
    text += html.slice(from, tag)
    if (!isInline(html, tag)) text += ' '
    from = footnoteMarkEnd(html, tag) ?? tagEnd(html, tag)
  }
  const words = parted(text + html.slice(from))
  return words.includes('&') ? words.replace(/&#x(26|3C);/g, unescapeCharacter) : words
}

/** The end of an element that only belongs to footnotes; undefined for every other tag. */
function footnoteMarkEnd(html: string, tag: number): number | undefined {
  if (html.startsWith('<h2 class="sr-only" id="footnote-label">', tag))
    return endOf(html, '</h2>', tag)
  const isMark =
    html.startsWith('<a href="#user-content-fn', tag) &&
    html.slice(tag, tagEnd(html, tag)).includes(' data-footnote-')
  return isMark ? endOf(html, '</a>', tag) : undefined
}

/** The index after the next closing tag; the end of a text that has none. */
function endOf(html: string, closing: string, from: number): number {
  const at = html.indexOf(closing, from)
  return at === -1 ? html.length : at + closing.length
}

/** Collapses runs of white space to one space, and trims. */
function parted(text: string): string {
  // Most spaces are single already.
  const words = text.replace(/[\t\n\f\r][ \t\n\f\r]*| [ \t\n\f\r]+/g, ' ')
  return words.slice(words.startsWith(' ') ? 1 : 0, words.endsWith(' ') ? -1 : undefined)
}

/**
 * The index after a tag of the processor, with its name in lower case. Values are in double quotes; `"`, `<` and `>` in
 * values and `<` in text are escaped, `>` in text is not. There are no comments.
 */
export function tagEnd(html: string, start: number): number {
  let isQuoted = false
  for (let at = start + 1; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === quoteCode) isQuoted = !isQuoted
    else if (code === endCode && !isQuoted) return at + 1
  }
  return html.length
}

const quoteCode = 0x22
const endCode = 0x3e

/** Reports whether a tag may be inside a word without splitting it. */
function isInline(html: string, start: number): boolean {
  namePattern.lastIndex = start + (html[start + 1] === '/' ? 2 : 1)
  return inlineTags.has(namePattern.exec(html)?.[0] ?? '')
}

const namePattern = /[a-z0-9]*/y

/** Elements that are no word boundary, including the reading of a ruby character. */
const inlineTags: ReadonlySet<string> = new Set(
  'a abbr b code del em i ins kbd mark q ruby s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
)

/** The only two characters escaped in text. */
function unescapeCharacter(_: string, code: string): string {
  return code === '26' ? '&' : '<'
}
