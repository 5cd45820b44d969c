// A checksum for bytes that are read again and again: whether they are still what a build wrote.
// Knows nothing of what they are. It finds damage; it is no proof against a forger, as the hash in a file's name is.

/**
 * Each word of 32 bits is taken in by an exclusive or, a multiplication and a rotation, as bytes of a rest are.
 *
 * Each step can be undone, so that a change within one word is always found; any other but one in 2^32.
 *
 * @returns 32 bits
 */
export function checksum(bytes: Uint8Array): number {
  // Views of words need an aligned address.
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  let sum = length
  for (const word of new Uint32Array(buffer, byteOffset, length >>> 2)) sum = step(sum, word)
  for (const byte of bytes.subarray(length & ~3)) sum = step(sum, byte)
  return sum >>> 0
}

function step(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, 0x9e3779b1)
  return (mixed << 13) | (mixed >>> 19)
}
