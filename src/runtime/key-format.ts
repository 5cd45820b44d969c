// The format of API keys: `qk_`, 32 random bytes, a checksum. Keys are stored only as hashes.
import { hex, utf8 } from '../api/bytes.ts'
import { sha256 } from '../api/sha256.ts'

/** Number of random bytes in a key. */
export const keyBytes = 32

/**
 * Encodes a key in clear, 52 ASCII characters.
 *
 * ```
 * qk_ 0000000000000000000000000000000000000000001 4Yi02k
 *     the bytes as one big-endian number,         CRC-32 of all before it,
 *     43 digits of base 62                        6 digits of base 62
 * ```
 *
 * @param random 32 bytes from a cryptographic source
 * @throws RangeError for any other number of bytes
 */
export function encodeKey(random: Uint8Array): string {
  if (random.length !== keyBytes) {
    throw new RangeError(`A key is made of ${keyBytes} bytes, not of ${random.length}.`)
  }
  const number = random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const body = `${prefix}${base62(number, bodyDigits)}`
  return `${body}${checksum(body)}`
}

/** True for a well-formed key with a valid checksum, whether or not it was ever issued. */
export function isKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
}

/** The SHA-256 of the whole key, 64 hexadecimal digits in lower case. */
export function hashKey(key: string): string {
  return hex(sha256(utf8(key)))
}

const prefix = 'qk_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// The fewest digits that hold 2^256 and 2^32.
const bodyDigits = 43
const checksumDigits = 6
const form = /^qk_[0-9A-Za-z]{49}$/

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), checksumDigits)
}

function base62(number: bigint, width: number): string {
  let text = ''
  for (let rest = number; text.length < width; rest /= 62n) {
    text = digits.charAt(Number(rest % 62n)) + text
  }
  return text
}

/** CRC-32 of ASCII text, as in ISO 3309 and gzip. No table: the text has 46 characters. */
function crc32(text: string): number {
  let crc = 0xffff_ffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return ~crc >>> 0
}
