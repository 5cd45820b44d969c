// The text that rendered HTML shows, for search.
// Knows only the HTML that the processor writes, not HTML at large.

/**
 * A tag as the processor writes it, with its name in lower case: values are in double quotes, `"` in them
 * and `<` in text are escaped, `>` is not. There are no comments.
 */
export const tagPattern: RegExp = /<\/?([a-z][a-z0-9]*)[^">]*(?:"[^"]*"[^">]*)*>/g

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
  const text = html
    .replace(tagPattern, (_, name: string) => (inlineTags.has(name) ? '' : ' '))
    .replace(/[ \t\n\f\r]+/g, ' ')
    .replace(/^ | $/g, '')
  return text.includes('&') ? text.replace(/&#x(26|3C);/g, unescapeCharacter) : text
}

/** The tags that stand inside a word without parting it. */
const inlineTags: ReadonlySet<string> = new Set(['a', 'code', 'del', 'em', 'strong', 'sup'])

/** The only two characters that are escaped in text. */
function unescapeCharacter(_: string, code: string): string {
  return code === '26' ? '&' : '<'
}
