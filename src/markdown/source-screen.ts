// Screens bodies by their source: those that satteri and remark-parse may read differently, or that satteri parses
// slowly.

/** The longest body for satteri, in UTF-16 code units. */
const lengthMax = 256 * 1024

/** More container markers at the start of a line are nested too deeply to be rendered. */
const markersMax = 200

/** Maximum number of `*` and `_` runs for satteri: its worst case is quadratic in them. */
const delimitersMax = 8192

/**
 * Limit in bytes: satteri copies a text for each character reference in it, and keeps the copies until the body is
 * parsed.
 */
const copiesMax = 32 * 1024 * 1024

/**
 * The reason to leave a body to remark-parse; null for a body that satteri may parse.
 *
 * Cost: O(body); about 2 µs per kB.
 */
export function screenSource(body: string): string | null {
  if (body.length > lengthMax) return 'length'
  for (const [reason, pattern] of patterns) if (pattern.test(body)) return reason
  if (body.includes(']:') && longLabel.test(body)) return 'label'
  if (hasLongAddress(body)) return 'long address'
  if (countOf(body, '&') * body.length > copiesMax) return 'character references'
  return countOf(body, '*') + countOf(body, '_') > delimitersMax ? 'delimiters' : null
}

/**
 * Characters that have the same class in every version of Unicode: letters and numbers known to this one, and other
 * characters of blocks that have long been full. The tables of satteri may be older.
 */
const known = String.raw`\n -~\p{L}\p{N}\u00a0-\u00ff\u2000-\u2064\u20ac\u2190-\u23ff\u2500-\u2b73\u3000-\u303f\ufe0f\uff01-\uff65`

const patterns: readonly (readonly [reason: string, pattern: RegExp])[] = [
  // Native code reads UTF-8, which cannot represent a lone surrogate. satteri treats U+0085 as white space.
  ['characters', /[^\P{Cc}\t\n]|[\ufeff\p{Surrogate}]/u],
  ['characters at a delimiter', new RegExp(`[*_~][^${known}]|[^${known}][*_~]`, 'u')],
  // remark-parse classifies only the surrogate adjacent to a run of delimiters.
  ['characters at a delimiter', /[*_~][\ud800-\udbff]|[\udc00-\udfff][*_~]/],
  ['tab behind a marker', /^[ \t>]*(?:[>*+-]|\d{1,9}[.)]) *\t/m],
  ['footnote', /\[\^/],
  ['parentheses', /(?:\([^\s(]*){32}/],
  ['nesting', new RegExp(`^(?:[ \\t]*(?:[>*+-]|\\d{1,9}[.)])){${markersMax}}`, 'm')],
]

/** satteri counts bytes in labels, whose limit is 999. Labels matter only in bodies with definitions. */
const longLabel = /\[(?:[^\]\\\n]|\\[\s\S]|\n(?![ \t]*\n)){330}/

/** True for a bare address that may exceed 4,096 characters: satteri takes quadratic time for one with `&`. */
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
