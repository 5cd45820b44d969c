// An answer as data: a status and a body of literal text and stored pieces, joined only when it is sent.
// Knows nothing of HTTP headers but the ETag, nor of where pieces are stored.
import { sha256 } from '@noble/hashes/sha2.js'
import type { Awaitable, PieceRef, Snapshot } from './snapshot.ts'

/** Literal JSON text, or a stored piece of it. */
export type Chunk = string | PieceRef

/** The answer to a request. */
export interface Answer {
  readonly status: number
  readonly body: readonly Chunk[]
  /**
   * Milliseconds since 1970 at which a scheduled post makes the answer untrue; null for never, and for
   * errors, which nobody keeps.
   */
  readonly validUntil: number | null
}

/**
 * An answer's strong ETag, quotes included: 128 bits of a SHA-256 over the body's literals and its pieces'
 * digests, so that no piece is read to know it. Equal bodies of one shape have equal ETags.
 */
export function etagOf(body: readonly Chunk[], snapshot: Pick<Snapshot, 'digest'>): string {
  const hash = sha256.create()
  for (const chunk of body) {
    hash.update(typeof chunk === 'string' ? encoder.encode(chunk) : snapshot.digest(chunk))
  }
  return `"${hex(hash.digest().subarray(0, 16))}"`
}

/** The body's bytes; at once when every piece is at hand. */
export function bodyBytes(
  body: readonly Chunk[],
  snapshot: Pick<Snapshot, 'read'>,
): Awaitable<Uint8Array> {
  const parts = body.map((chunk) =>
    typeof chunk === 'string' ? encoder.encode(chunk) : snapshot.read(chunk),
  )
  const isAtHand = (all: readonly Awaitable<Uint8Array>[]): all is readonly Uint8Array[] =>
    all.every((part) => part instanceof Uint8Array)
  return isAtHand(parts) ? joinBytes(parts) : Promise.all(parts).then(joinBytes)
}

const encoder = new TextEncoder()

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
