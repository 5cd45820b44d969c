// Percent-encoded spellings of a key, and a look-up of all of them.
import fc, { type Arbitrary } from './fast-check.ts'

/** Returns spellings of a text, in which each character is percent-encoded zero to four times. */
export function spellings(text: string): Arbitrary<string> {
  const encoded = (character: string, depth: number, isUpper: boolean): string => {
    if (depth === 0) return character
    const hex = character.charCodeAt(0).toString(16)
    return [...`%${isUpper ? hex.toUpperCase() : hex}`]
      .map((part, at) => encoded(part, at === 0 || isUpper ? depth - 1 : 0, isUpper))
      .join('')
  }
  const one = (character: string) =>
    fc
      .tuple(fc.integer({ min: 0, max: 4 }), fc.boolean())
      .map(([depth, isUpper]) => encoded(character, depth, isUpper))
  return fc.tuple(...[...text].map(one)).map((parts) => parts.join(''))
}

/** Reports whether a text, decoded until it does not change, contains 16 characters of a key after `qk_`. */
export function containsKey(text: string, key: string): boolean {
  let decoded = text
  for (let last = ''; decoded !== last; ) {
    last = decoded
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  return decoded.includes(key.slice(0, 19))
}
