// The text that rendered HTML shows, for search.
// Knows only the HTML that the processor writes, not HTML at large.

/**
 * Every text of the HTML in reading order: code, the words of footnotes and their marks, but no attribute
 * (link targets, titles and the alternative text of images are not on the page).
 *
 * @param html as the processor writes it
 * @returns runs of white space are one blank, none at either end. Blocks, cells, list items, breaks and
 *   images part words; inline markup does not: `<em>un</em>believable` is "unbelievable"
 *
 * Cost: O(length).
 */
export function visibleText(html: string): string {
  let text = ''
  let from = 0
  for (let tag = html.indexOf('<'); tag !== -1; tag = html.indexOf('<', from)) {
    text += html.slice(from, tag)
    if (!isInline(html, tag)) text += ' '
    from = tagEnd(html, tag)
  }
  const words = parted(text + html.slice(from))
  return words.includes('&') ? words.replace(/&#x(26|3C);/g, unescapeCharacter) : words
}

/** Runs of white space as one blank, none at either end. */
function parted(text: string): string {
  // Most blanks are alone already.
  const words = text.replace(/[\t\n\f\r][ \t\n\f\r]*| [ \t\n\f\r]+/g, ' ')
  return words.slice(words.startsWith(' ') ? 1 : 0, words.endsWith(' ') ? -1 : undefined)
}

/**
 * The place behind a tag as the processor writes it, with its name in lower case: values are in double quotes, `"` in
 * them and `<` in text are escaped, `>` is not. There are no comments.
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

/** Whether a tag stands inside a word without parting it. */
function isInline(html: string, start: number): boolean {
  namePattern.lastIndex = start + (html[start + 1] === '/' ? 2 : 1)
  return inlineTags.has(namePattern.exec(html)?.[0] ?? '')
}

const namePattern = /[a-z0-9]*/y

/** Elements of the schema that are no boundary of a word; the reading of a ruby character is one. */
const inlineTags: ReadonlySet<string> = new Set(
  'a abbr b code del em i ins kbd mark q ruby s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
)

/** The only two characters that are escaped in text. */
function unescapeCharacter(_: string, code: string): string {
  return code === '26' ? '&' : '<'
}
