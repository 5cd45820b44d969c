// Cuts folded texts into terms, and queries into conditions on terms.

/**
 * Calls a function for the terms of a text, some more than once:
 *
 * - every character but the space;
 * - every token: letters, digits and marks of scripts that separate words, side by side;
 * - every pair of adjacent characters of which at least one belongs to no token: a sign, an ideograph, kana, Thai.
 *
 * A token of more than 120 characters gives windows of 120 that overlap by half, so that each part of 60 is in one.
 *
 * @param text folded, with NUL between title and text
 * @param add returns whether the text has the term for the first time
 *
 * Cost: O(characters).
 */
export function cutTerms(text: string, add: (term: string) => boolean): void {
  let previous = ''
  let previousEnd = 0
  for (const { 0: unit, index } of text.matchAll(units)) {
    for (const term of windowsOf(unit)) {
      if (add(term) && term.length > 1) for (const character of term) add(character)
    }
    if (index > 0 && index === previousEnd) add(lastOf(previous) + firstOf(unit))
    previous = unit
    previousEnd = index + unit.length
  }
}

/** A condition on the terms of a post: it has a term that is, contains, begins or ends with this text. */
export interface Condition {
  readonly text: string
  readonly at: 'whole' | 'inside' | 'start' | 'end'
}

/** Conditions that each post with a match fulfils; `isExact` if no other post does. */
export interface QueryPlan {
  readonly conditions: readonly Condition[]
  readonly isExact: boolean
}

/**
 * Plans a search.
 *
 * @param query folded, without NUL
 *
 * A query within a token is inside a term wherever it occurs; so are one character and a pair: their posts are exact. The
 * first and the last token of any other query may be parts of longer ones, those between are whole. Whole terms, which
 * are looked up, come before parts, which are sought in all terms.
 */
export function planQuery(query: string): QueryPlan {
  const whole = new Set<string>()
  const parts: Condition[] = []
  const addPart = (text: string, at: Condition['at']) => {
    for (const character of text) whole.add(character)
    if (firstOf(text) !== text) parts.push({ text, at })
  }
  const addToken = (token: string, isFirst: boolean, isLast: boolean) => {
    if (isFirst) addPart(isLast ? firstPart(token) : lastPart(token), isLast ? 'inside' : 'end')
    else if (isLast) addPart(firstPart(token), 'start')
    else for (const term of windowsOf(token)) whole.add(term)
  }
  let previous = ''
  let previousEnd = 0
  for (const { 0: unit, index } of query.matchAll(units)) {
    const pair = lastOf(previous) + firstOf(unit)
    if (index > 0 && index === previousEnd) whole.add(pair)
    if (pair === query && previous !== '')
      return { conditions: [{ text: pair, at: 'whole' }], isExact: true }
    previous = unit
    previousEnd = index + unit.length
    if (!word.test(unit)) whole.add(unit)
    else addToken(unit, index === 0, previousEnd === query.length)
  }
  const conditions = [...Array.from(whole, (text) => ({ text, at: 'whole' as const })), ...parts]
  return { conditions, isExact: (conditions.at(-1)?.text ?? '') === query }
}

/** The longest part of a token, in characters, that is looked up as one term; windows have twice this length. */
const partMax = 60
const windowMax = partMax * 2

/** The longest term in bytes of UTF-8. */
export const termBytesMax: number = windowMax * 4

/**
 * Letters, digits and marks of scripts that separate words. Code points rather than Unicode properties: every version
 * of Unicode cuts texts the same way. The index misses nothing as long as queries and texts are cut alike.
 */
const wordCharacters =
  '\\u0300-\\u037d0-9a-z\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02af\\u037f-\\u0386\\u0388-\\u0588\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4-\\u05f2\\u0610-\\u061a\\u0620-\\u0669\\u066e-\\u06d3\\u06d5-\\u06ff\\u0710-\\u0963\\u0966-\\u0dff\\u10a0-\\u1360\\u1369-\\u167f\\u1810-\\u18af\\u1c80-\\u1cbf\\u1e00-\\u1fff\\u2c00-\\u2dff\\ua640-\\ua7ff\\uab30-\\ud7ff\\u{10280}-\\u{11fff}\\u{16a00}-\\u{16fff}\\u{1e000}-\\u{1efff}'
const units = new RegExp(`[${wordCharacters}]+|[^ \\0]`, 'gu')
const word = new RegExp(`^[${wordCharacters}]`, 'u')

function firstOf(unit: string): string {
  return String.fromCodePoint(unit.codePointAt(0) ?? 0)
}

function lastOf(unit: string): string {
  return unit.slice(/[\udc00-\udfff]$/.test(unit) ? -2 : -1)
}

function firstPart(token: string): string {
  return token.length > partMax ? Array.from(token).slice(0, partMax).join('') : token
}

function lastPart(token: string): string {
  return token.length > partMax ? Array.from(token).slice(-partMax).join('') : token
}

/** Windows of a token that overlap by half; one window for a token that is no longer than a window. */
function windowsOf(token: string): readonly string[] {
  if (token.length <= windowMax) return [token]
  const characters = Array.from(token)
  const windows: string[] = []
  for (let from = 0; ; from += partMax) {
    windows.push(characters.slice(from, from + windowMax).join(''))
    if (from + windowMax >= characters.length) return windows
  }
}
