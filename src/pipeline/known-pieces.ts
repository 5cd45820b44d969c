// What builds find out about the pieces of posts, from one to the next.
// Knows nothing of what it is.
import { joinBytes } from '../api/bytes.ts'
import type { Derive } from '../cache/derive.ts'
import { readStored } from '../cache/stored-bytes.ts'

/** What was found out, and of which posts. */
export interface KeptPieces {
  readonly learned: Uint8Array
  /** Stands for all posts and terms, in their order; empty where it is not known. */
  readonly library: string
}

/** Of a digest, hexadecimal: the first 16 bytes of a SHA-256. */
const libraryLetters = 32

/** What the last build learned of a workspace; empty where there was none. @throws CacheDamageError as `readStored` */
export function recallPieces(derive: Derive, workspace: string): KeptPieces {
  const kept = derive.find(nameOf(derive, workspace))
  const bytes = kept === undefined ? new Uint8Array() : readStored(kept)
  const library = new TextDecoder().decode(bytes.subarray(0, libraryLetters)).trim()
  return { learned: bytes.subarray(libraryLetters), library }
}

/** Keeps what was learned while a workspace was written down. */
export function keepPieces(derive: Derive, workspace: string, kept: KeptPieces): void {
  const library = new TextEncoder().encode(kept.library.padEnd(libraryLetters))
  derive.keep(nameOf(derive, workspace), joinBytes([library, kept.learned]))
}

function nameOf(derive: Derive, workspace: string): string {
  return derive.keyOf('pieces', workspace)
}
