// SHA-256 without Node and without waiting.
import { _SHA256 } from '@noble/hashes/sha2.js'

/**
 * The SHA-256 of bytes, 32 bytes (FIPS 180-4).
 *
 * Made from the package's class: its function of the same name comes with checks of options and with names of
 * signatures, a third of a kilobyte in every function, for callers who have neither.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new _SHA256().update(bytes).digest()
}
