// Estimates the work of the HTML parser in advance: it is quadratic for some documents.

/** Elements without an end tag, or closed by the next one of their kind. */
const unnested: ReadonlySet<string> = new Set(
  'area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr'.split(
    ' ',
  ),
)

/** Maximum number of parser steps; a post of a thousand paragraphs takes about ten thousand. */
const stepsMax = 2_000_000

/**
 * True for a document that would take the parser too much time or memory.
 *
 * For each tag the parser looks at all open elements. After each block it reopens unclosed formatting elements such
 * as `b` (HTML §13.2.4.3). The sum of open elements over all tags bounds both. Cost: O(length).
 */
export function isTooMuchWork(html: string): boolean {
  let open = 0
  let steps = 0
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    steps += open + 1
    if (steps > stepsMax) return true
    if (unnested.has(name.toLowerCase())) continue
    open = Math.max(0, open + (slash === '/' ? -1 : 1))
  }
  return false
}
