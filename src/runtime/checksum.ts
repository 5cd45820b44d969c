// A fast checksum for bytes that are read repeatedly. It detects damage, not forgery, unlike the hash in a file's
// name.

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
