// A checksum for bytes that are read again and again: whether they are still what a build wrote.
// It finds damage; it is no proof against a forger, as the hash in a file's name is.

/**
 * Each word of 32 bits is taken in by an exclusive or, a multiplication and a rotation, as bytes of a rest are. Every
 * fourth word goes into a sum of its own, so that none waits for the one before; these are taken in at the end.
 *
 * Each step can be undone, so that a change within one word is always found; any other but one in 2^32.
 *
 * @returns 32 bits
 */
export function checksum(bytes: Uint8Array): number {
  // Views of words need an aligned address.
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
 * Refuses bytes that are not those that a build wrote.
 *
 * @param sum `checksum` of the bytes
 * @param expected `checksum` of the bytes that the build wrote
 * @param what the bytes are, for the message
 * @throws Error when the two differ
 */
export function check(sum: number, expected: number | undefined, what: string): void {
  if (sum !== expected) throw changed(what)
}

/** The error for bytes that are not those that a build wrote. @param what the bytes are */
export function changed(what: string): Error {
  return new Error(`${what} was cut short or changed after it was built. Build again.`)
}

function step(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, 0x9e3779b1)
  return (mixed << 13) | (mixed >>> 19)
}
