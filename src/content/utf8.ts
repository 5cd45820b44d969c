// Strict UTF-8 decoding.
import { isUtf8 } from 'node:buffer'

/** Text, or the position of the first invalid byte. */
export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'invalid'
      /** Text before the first invalid byte, with a byte order mark if there is one. */
      readonly before: string
      readonly byte: number
    }

/** Decodes strictly (RFC 3629), keeping a byte order mark. Cost: O(bytes), O(bytes × log bytes) for invalid input. */
export function decodeUtf8(bytes: Buffer): Decoded {
  if (isUtf8(bytes)) return { kind: 'text', text: bytes.toString('utf8') }
  const before = decodePrefix(bytes.subarray(0, findLongestPrefix(bytes))) ?? ''
  return { kind: 'invalid', before, byte: bytes[Buffer.byteLength(before)] ?? 0 }
}

// Bisects for the longest prefix without an invalid byte; it may end inside a character.
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

// Returns the whole characters of a prefix; undefined if it contains an invalid byte.
function decodePrefix(prefix: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(prefix, {
      stream: true,
    })
  } catch {
    return undefined
  }
}
