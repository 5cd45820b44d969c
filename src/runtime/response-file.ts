// Precomputed responses in a function: each file holds a body and the data for its headers, so that no index is
// needed. Needs no Node: the host locates files.
import { hex, joinBytes, utf8 } from '../api/bytes.ts'
import { filePath } from '../api/paths.ts'
import type { ApiRequest } from '../api/request.ts'
import { sha256 } from '../api/sha256.ts'

/** The folder of these files, next to the function's own. */
export const responsesFolder = 'responses'

/** The fields of a file besides its body. */
export interface ResponseHead {
  /** With its quotes. */
  readonly etag: string
  /** The number of requests that the response counts as. */
  readonly cost: number
}

/** A decoded response. */
export interface StoredResponse extends ResponseHead {
  readonly body: Uint8Array
}

/**
 * Reads a file of the folder. @param name relative to the folder @returns null when it does not exist @throws when it
 * cannot be read
 */
export type ReadResponse = (name: string) => Promise<Uint8Array | null>

/**
 * The key of a canonical request. Both versions share a key: their bodies are equal.
 *
 * @returns null for a request that has no file in any build
 */
export function responseKey(request: ApiRequest): string | null {
  return filePath({ ...request, version: 'v1' })
}

/** The file name of a key. A hash: no client input is part of a path. */
export function responseName(key: string): string {
  return `${hex(sha256(utf8(key)).subarray(0, 16))}.json`
}

/**
 * Encodes a file: a checksum, a line of JSON, the body.
 *
 * ```
 * 2837461928\n{"key":"public/v1/acme/posts/hello.json","etag":"\"…\"","cost":1}\n{"post":{…}}
 * ```
 */
export function encodeResponse(
  key: string,
  { etag, cost }: ResponseHead,
  body: Uint8Array,
): Uint8Array {
  const rest = joinBytes([utf8(`${JSON.stringify({ key, etag, cost })}\n`), body])
  return joinBytes([utf8(`${String(checksum(rest)).padStart(sumBytes - 1)}\n`), rest])
}

/** @throws Error when the bytes are not those of `encodeResponse` for the key */
export function decodeResponse(key: string, file: Uint8Array): StoredResponse {
  const name = responseName(key)
  const rest = file.subarray(sumBytes)
  const text = new TextDecoder()
  check(checksum(rest), Number(text.decode(file.subarray(0, sumBytes))), name)
  const end = rest.indexOf(lineFeed)
  const head = JSON.parse(text.decode(rest.subarray(0, end))) as ResponseHead & { key: string }
  if (head.key !== key) throw changed(name)
  return { etag: head.etag, cost: head.cost, body: rest.subarray(end + 1) }
}

/** At most ten digits, and a line feed. A multiple of 4, so that the checksum of the rest needs no copy. */
const sumBytes = 12

const lineFeed = 10

/**
 * Mixes each 32-bit word by exclusive or, multiplication and rotation, and so each remaining byte. Four interleaved
 * sums avoid a dependency between consecutive words and are mixed at the end.
 *
 * Each step is invertible, so a change within one word is always detected; any other change is missed with
 * probability 2^-32.
 *
 * @returns 32 bits
 */
export function checksum(bytes: Uint8Array): number {
  // Word views need an aligned address.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const words = new Uint32Array(buffer, byteOffset, length >>> 2)
  let [a, b, c, d] = [length, 0, 0, 0]
  let at = 0
  for (; at + 3 < words.length; at += 4) {
    a = step(a, words[at] ?? 0)
    b = step(b, words[at + 1] ?? 0)
    c = step(c, words[at + 2] ?? 0)
    d = step(d, words[at + 3] ?? 0)
  }
  for (const rest of [...words.subarray(at), ...bytes.subarray(length & ~3), b, c, d])
    a = step(a, rest)
  return a >>> 0
}

/**
 * Verifies a checksum.
 *
 * @param sum `checksum` of the bytes
 * @param expected `checksum` of the bytes as built
 * @param what describes the bytes in the message
 * @throws Error when the two differ
 */
export function check(sum: number, expected: number | undefined, what: string): void {
  if (sum !== expected) throw changed(what)
}

/** Returns the error for changed bytes. @param what describes the bytes */
export function changed(what: string): Error {
  return new Error(`${what} was cut short or changed after it was built. Build again.`)
}

function step(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, 0x9e3779b1)
  return (mixed << 13) | (mixed >>> 19)
}
