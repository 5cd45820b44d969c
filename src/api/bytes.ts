// Bytes: encoding, concatenation, hexadecimal.
import { _SHA256 } from '@noble/hashes/sha2.js'

/** Formats bytes as lower-case hexadecimal. */
export { bytesToHex as hex } from '@noble/hashes/utils.js'

/** Encodes text as UTF-8. Lone surrogates become U+FFFD. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

const encoder = new TextEncoder()

/** Concatenates bytes into a new array. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Parses UTF-8 JSON that a build wrote. */
export function parseJson<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** Length of a digest in bytes: 128 bits of a SHA-256 do not collide by accident. */
export const digestBytes = 16

/** Compares texts by code points; `<` would compare UTF-16 code units. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

type Hash = (algorithm: 'sha256', bytes: Uint8Array, encoding: 'buffer') => Uint8Array
type Host = { process?: { getBuiltinModule?(name: string): { hash?: Hash } | undefined } }
const { process } = globalThis as Host

/** The function of Node, Bun and Deno; undefined on other hosts. */
export const hostHash: Hash | undefined = process?.getBuiltinModule?.('node:crypto')?.hash

/** Returns a SHA-256. `sha256` of the package would add a third of a kilobyte to every function. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hostHash?.('sha256', bytes, 'buffer') ?? new _SHA256().update(bytes).digest()
}
