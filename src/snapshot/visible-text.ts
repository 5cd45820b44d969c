// The visible text of rendered HTML, for search. Reads only the HTML of the processor, not HTML in general.

/**
 * Returns all text of the HTML in reading order, including code and footnotes. Excludes the numbers, arrows and the
 * hidden heading of footnotes, and attributes: link targets, titles and alternative texts are not visible on the page.
 *
 * @param html output of the processor
 * @returns runs of white space collapsed to one space, trimmed. Blocks, cells, list items, breaks and images separate
 *   words; inline markup does not: `<em>un</em>believable` is "unbelievable"
 *
 * Cost: O(length).
 */
export function visibleText(html: string): string {
  return html
    .replace(footnoteMarks, (mark) => (mark.startsWith('<a') ? '' : ' '))
    .replace(tags, (_, name: string) => (inlineTags.has(name) ? '' : ' '))
    .replace(/[\t\n\f\r ]+/g, ' ')
    .replace(/^ | $/g, '')
    .replace(/&#x(26|3C);/g, (_, code) => (code === '26' ? '&' : '<'))
}

// regex: the processor closes every tag and every value
const tags = /<\/?([a-z0-9]*)(?:"[^"]*"|[^">])*>/g

/** The hidden heading of footnotes, and links to and from footnotes. */
const footnoteMarks =
  // regex: the processor closes every tag and element; no author can write these attributes
  /<h2 class="sr-only" id="footnote-label">[\s\S]*?(?:<\/h2>|$)|<a href="#user-content-fn[^"]*"(?:"[^"]*"|[^">])* data-footnote-[\s\S]*?(?:<\/a>|$)/g

/** Elements that do not separate words, including the reading of a ruby character. */
const inlineTags: ReadonlySet<string> = new Set(
  'a abbr b code del em i ins kbd mark q ruby s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
)
