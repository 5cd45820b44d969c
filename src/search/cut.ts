// Cuts folded texts into terms, and queries into conditions on terms.

/**
 * Calls a function for the terms of a text, some more than once:
 *
 * - every character but the space;
 * - every token: letters, digits and marks of scripts that separate words, side by side;
 * - every pair of adjacent characters of which at least one belongs to no token: a sign, an ideograph, kana, Thai.
 *
 * @param text folded, with NUL between title and text
 * @param add returns whether the text has the term for the first time
 *
 * Cost: O(characters).
 */
export function cutTerms(text: string, add: (term: string) => boolean): void {
  let previous = ''
  for (const unit of text.match(units) ?? []) {
    const isGap = unit === ' ' || unit === '\0'
    if (!isGap && previous !== '') add(lastOf(previous) + firstOf(unit))
    if (!isGap && add(unit) && unit.length > 1) for (const character of unit) add(character)
    previous = isGap ? '' : unit
  }
}

/** A condition on the terms of a post: it has a term that is, contains, begins or ends with this text. */
export interface Condition {
  readonly text: string
  readonly at: 'whole' | 'inside' | 'start' | 'end'
}

/**
 * Conditions that each post with a match fulfils; `isExact` if no other post does.
 *
 * @param query folded
 *
 * A query within a token is inside a term wherever it occurs; so are one character and a pair: their posts are exact. The
 * first and the last token of any other query may be parts of longer ones, those between are whole. Whole terms, which
 * are looked up, come before parts, which are sought in all terms.
 */
export function planQuery(query: string): {
  readonly conditions: readonly Condition[]
  readonly isExact: boolean
} {
  const whole = new Set<string>()
  const parts: Condition[] = []
  const addPart = (text: string, at: Condition['at']) => {
    for (const character of text) whole.add(character)
    if (firstOf(text) !== text) parts.push({ text, at })
  }
  const addToken = (token: string, isFirst: boolean, isLast: boolean) => {
    if (!isFirst && !isLast) whole.add(token)
    else if (isFirst && isLast) addPart(token, 'inside')
    else addPart(token, isFirst ? 'end' : 'start')
  }
  const found = query.match(units) ?? []
  for (const [number, unit] of found.entries()) {
    if (unit === ' ') continue
    const previous = found[number - 1] ?? ' '
    const pair = lastOf(previous) + firstOf(unit)
    if (pair === query) return { conditions: [{ text: pair, at: 'whole' }], isExact: true }
    if (previous !== ' ') whole.add(pair)
    if (!word.test(unit)) whole.add(unit)
    else addToken(unit, number === 0, number === found.length - 1)
  }
  const conditions = [...Array.from(whole, (text) => ({ text, at: 'whole' as const })), ...parts]
  return { conditions, isExact: (conditions.at(-1)?.text ?? '') === query }
}

/**
 * Letters, digits and marks of scripts that separate words. Code points rather than Unicode properties: every version
 * of Unicode cuts texts the same way. The index misses nothing as long as queries and texts are cut alike.
 */
const wordCharacters =
  '\\u0300-\\u037d0-9a-z\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02af\\u037f-\\u0386\\u0388-\\u0588\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4-\\u05f2\\u0610-\\u061a\\u0620-\\u0669\\u066e-\\u06d3\\u06d5-\\u06ff\\u0710-\\u0963\\u0966-\\u0dff\\u10a0-\\u1360\\u1369-\\u167f\\u1810-\\u18af\\u1c80-\\u1cbf\\u1e00-\\u1fff\\u2c00-\\u2dff\\ua640-\\ua7ff\\uab30-\\ud7ff\\u{10280}-\\u{11fff}\\u{16a00}-\\u{16fff}\\u{1e000}-\\u{1efff}'
// regex: a run of a class or any character: tokens, and all other characters one by one
const units = new RegExp(`[${wordCharacters}]+|[^]`, 'gu')
// regex: a single character
const word = new RegExp(`^[${wordCharacters}]`, 'u')

function firstOf(unit: string): string {
  return String.fromCodePoint(unit.codePointAt(0) ?? 0)
}

function lastOf(unit: string): string {
  return unit.slice(/[\udc00-\udfff]$/.test(unit) ? -2 : -1)
}
