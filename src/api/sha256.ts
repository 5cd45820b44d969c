// Synchronous SHA-256 without Node.
import { _SHA256 } from '@noble/hashes/sha2.js'

/**
 * Returns the SHA-256 of bytes, 32 bytes (FIPS 180-4).
 *
 * Uses the package's class: its function of the same name adds option checks and signature names, a third of a kilobyte
 * in every function.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new _SHA256().update(bytes).digest()
}
