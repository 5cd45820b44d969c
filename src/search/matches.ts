// Excerpts of a post around the matches of a query.
import { fold, foldWithPlaces } from './fold.ts'

/** An excerpt with matches. */
export interface Match {
  readonly field: 'title' | 'content'
  /** Visible text, at most 160 code points. */
  readonly text: string
  /** Occurrences of the query: half-open, in UTF-16 code units; ascending, not adjacent. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

type Range = Match['ranges'][number]

/**
 * Returns excerpts with matches, at most three, title first.
 *
 * @param queries texts to find, normalized, not empty
 * @param text the visible text of the body
 */
export function matchesIn(
  queries: readonly string[],
  title: string,
  text: string,
): readonly Match[] {
  const found = [...snippets('title', title, queries), ...snippets('content', text, queries)]
  return found.slice(0, matchesMax)
}

const matchesMax = 3
const snippetMax = 160

function snippets(
  field: Match['field'],
  text: string,
  queries: readonly string[],
): readonly Match[] {
  const found: Match[] = []
  const folded = fold(text)
  const ranges = queries.some((query) => folded.includes(query)) ? rangesOf(queries, text) : []
  let from = 0
  for (let at = 0; at < ranges.length && found.length < matchesMax; ) {
    const [start, end] = windowAround(text, ranges[at] ?? [0, 0], from)
    const inside: Range[] = []
    for (let range = ranges[at]; range !== undefined && range[0] < end; range = ranges[++at]) {
      // The first match may exceed the window; a later match that does not fit begins the next window.
      if (range[1] > end && inside.length > 0) break
      inside.push([range[0] - start, Math.min(range[1], end) - start])
    }
    from = Math.min(end, ranges[at]?.[0] ?? end)
    found.push({ field, text: text.slice(start, from), ranges: inside })
  }
  return found
}

/** Ranges of queries in a text, disjoint. */
function rangesOf(queries: readonly string[], text: string): readonly Range[] {
  const { folded, starts, ends } = foldWithPlaces(text)
  const found: [number, number][] = []
  for (const query of queries) {
    for (let at = folded.indexOf(query); at !== -1; at = folded.indexOf(query, at + query.length))
      found.push([starts[at] ?? 0, ends[at + query.length - 1] ?? 0])
  }
  const ranges: [number, number][] = []
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    // One character may end a match and begin the next one: ﬀ contains f twice.
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return ranges
}

/** A window of text centred on a range. @param from the earliest start */
function windowAround(text: string, [start, end]: Range, from: number): Range {
  const room = snippetMax - codePoints(text, start, end)
  if (room <= 0) return [start, forward(text, start, snippetMax)]
  const half = backward(text, start, room >> 1, from)
  const last = forward(text, end, room - codePoints(text, half, start))
  return [backward(text, start, room - codePoints(text, end, last), from), last]
}

function codePoints(text: string, start: number, end: number): number {
  return [...text.slice(start, end)].length
}

function forward(text: string, at: number, count: number): number {
  return at + [...text.slice(at, at + 2 * count)].slice(0, count).join('').length
}

function backward(text: string, at: number, count: number, from: number): number {
  const before = [...text.slice(Math.max(from, at - 2 * count), at)]
  return at - before.slice(Math.max(0, before.length - count)).join('').length
}
