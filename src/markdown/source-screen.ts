// Bodies that satteri and remark-parse are known to read differently, or that satteri is slow to read, by their source.

/** The longest body that satteri reads, in UTF-16 code units. */
const lengthMax = 256 * 1024

/** More markers of containers at the start of a line are nested too deeply to be rendered. */
const markersMax = 200

/** Runs of `*` and `_` that satteri pairs at most: its worst case is quadratic in them. */
const delimitersMax = 8192

/**
 * Why a body is left to remark-parse; null for a body that satteri may read.
 *
 * Cost: O(body); about 2 µs a kB.
 */
export function screenSource(body: string): string | null {
  if (body.length > lengthMax) return 'length'
  for (const [reason, pattern] of patterns) if (pattern.test(body)) return reason
  if (hasLongAddress(body)) return 'long address'
  return countOf(body, '*') + countOf(body, '_') > delimitersMax ? 'delimiters' : null
}

const patterns: readonly (readonly [reason: string, pattern: RegExp])[] = [
  // Native code reads UTF-8, in which a lone surrogate has no form. It takes U+0085 for white space.
  ['characters', /[\0\r\u0085\ufeff]|\p{Surrogate}/u],
  ['line break in a label', /!\[[^\]]*\\\n/],
  // remark-parse classifies the half of a character that is next to a run of delimiters.
  ['astral characters', /[*_~][\ud800-\udbff]|[\udc00-\udfff][*_~]/],
  ['tab in a quote', /^[ >]*>[ ]*\t/m],
  ['footnote', /\[\^[^\]\s]{0,999}\s[^\]]{0,999}\]:/],
  ['nesting', new RegExp(`^(?:[ \\t]*(?:[>*+-]|\\d{1,9}[.)])){${markersMax}}`, 'm')],
]

/** Whether an address without markup may be longer than 4,096: satteri takes quadratic time for one with `&`. */
function hasLongAddress(body: string): boolean {
  let end = 0
  for (const { index } of body.matchAll(/:\/\/|www\./gi)) {
    if (index < end) continue
    addressEnd.lastIndex = index
    end = addressEnd.exec(body)?.index ?? body.length
    if (end - index > 4096) return true
  }
  return false
}

const addressEnd = /[\s<]/g

function countOf(body: string, character: string): number {
  let count = 0
  for (let at = body.indexOf(character); at !== -1; at = body.indexOf(character, at + 1)) count++
  return count
}
