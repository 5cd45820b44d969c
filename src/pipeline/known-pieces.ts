// What builds find out about the pieces of posts, from one to the next.
// Knows nothing of what it is.
import type { Derive } from '../cache/derive.ts'
import { readStored } from '../cache/stored-bytes.ts'

/** What the last build learned of a workspace; empty where there was none. @throws CacheDamageError as `readStored` */
export function recallPieces(derive: Derive, workspace: string): Uint8Array {
  const kept = derive.find(nameOf(derive, workspace))
  return kept === undefined ? new Uint8Array() : readStored(kept)
}

/** Keeps what was learned while a workspace was written down; undefined for nothing new. */
export function keepPieces(
  derive: Derive,
  workspace: string,
  learned: Uint8Array | undefined,
): void {
  if (learned !== undefined) derive.keep(nameOf(derive, workspace), learned)
}

function nameOf(derive: Derive, workspace: string): string {
  return derive.keyOf('pieces', workspace)
}
