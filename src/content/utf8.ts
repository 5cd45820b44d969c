// Strict UTF-8: text, or the place of the first byte that is none.
import { isUtf8 } from 'node:buffer'

/** Text, or where it stops being text. */
export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'invalid'
      /** Everything before the first bad byte; a byte order mark is kept. */
      readonly before: string
      readonly byte: number
    }

/** Decodes strictly (RFC 3629); a byte order mark is kept. Cost: O(bytes), O(bytes × log bytes) when invalid. */
export function decodeUtf8(bytes: Buffer): Decoded {
  if (isUtf8(bytes)) return { kind: 'text', text: bytes.toString('utf8') }
  const before = decodePrefix(bytes.subarray(0, findLongestPrefix(bytes))) ?? ''
  return { kind: 'invalid', before, byte: bytes[Buffer.byteLength(before)] ?? 0 }
}

// Bisects for the longest prefix that has no bad byte yet; it may end inside a character.
function findLongestPrefix(bytes: Buffer): number {
  let valid = 0
  let invalid = bytes.length + 1
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (decodePrefix(bytes.subarray(0, middle)) === undefined) invalid = middle
    else valid = middle
  }
  return valid
}

// The whole characters of a prefix; undefined when it holds a bad byte.
function decodePrefix(prefix: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(prefix, {
      stream: true,
    })
  } catch {
    return undefined
  }
}
