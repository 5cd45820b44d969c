// A build as it is served: its id, its workspaces and its keys.
// Knows nothing of where it came from.
import type { KeyRecord } from '../api/key-record.ts'
import type { Snapshot } from '../api/snapshot.ts'

/** The workspaces of one build. */
export interface ServedSite {
  /** The build's id. */
  readonly build: string
  /** The interface's own description, as JSON. */
  readonly openapi: Uint8Array
  /** False where `limit=all` is switched off. */
  readonly limitAll: boolean
  readonly workspaces: ReadonlyMap<string, ServedWorkspace>
  /** The keys of all workspaces. */
  readonly keys: readonly KeyRecord[]
}

/** A workspace as it is served. */
export interface ServedWorkspace {
  readonly snapshot: Snapshot
  /** Nothing of it is served under v1. */
  readonly isV1Private: boolean
  /** Posts that were scheduled when the files were written: as long as they are, the files are true. */
  readonly scheduled: number
}
