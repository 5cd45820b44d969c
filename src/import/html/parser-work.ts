// Estimates the work of the HTML parser before it runs: some documents take it the square of their length.

/** Elements that have no end, or that the next one of their kind ends. */
const unnested: ReadonlySet<string> = new Set(
  'area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr'.split(
    ' ',
  ),
)

/** Steps of the parser at most; a post of a thousand paragraphs takes some ten thousand. */
const stepsMax = 2_000_000

/**
 * True for a document that the parser would take too long for, or too much memory.
 *
 * For each tag it looks at all open elements, and after each block it opens marks such as `b` again that were not
 * closed (HTML §13.2.4.3): the sum of open elements over all tags bounds both. Cost: O(length).
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
