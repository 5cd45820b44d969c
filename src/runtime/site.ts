// A build as it is served: its id, its workspaces and its keys.
import type { IndexedField } from '../api/field-parameters.ts'
import type { BuildStep } from '../api/history.ts'
import type { KeyRecord } from '../api/key-record.ts'
import type { ApiRequest } from '../api/request.ts'
import type { Awaitable, Snapshot } from '../api/snapshot.ts'
import type { Visibility } from '../api/visibility.ts'
import type { StoredResponse } from './response-file.ts'

/** The data of a site that is available before its index is read. */
export interface SiteHead {
  /** The build's id. */
  readonly build: string
  /** False where `limit=all` is switched off. */
  readonly limitAll: boolean
  /** The keys of all workspaces. */
  readonly keys: readonly KeyRecord[]
  readonly workspaces: ReadonlyMap<string, Pick<WorkspaceHead, 'isV1Private' | 'fields'>>
}

/** A workspace before the index is read. */
export interface WorkspaceHead {
  /** Nothing of it is served under v1. */
  readonly isV1Private: boolean
  /** Custom fields that posts can be filtered by. @default none */
  readonly fields?: readonly IndexedField[]
  /**
   * The interval around an instant in which the precomputed response to a canonical request is true; null for a
   * request that has none, and where only the index knows.
   *
   * @param now milliseconds since 1970
   */
  truthAt(request: ApiRequest, now: number): Pick<Visibility, 'validFrom' | 'validUntil'> | null
}

/** The workspaces of one build. */
export interface ServedSite extends SiteHead {
  /** The interface's own description, as JSON. */
  readonly openapi: Uint8Array
  readonly workspaces: ReadonlyMap<string, ServedWorkspace>
  /** Changes of earlier builds, the latest first. */
  steps(): Awaitable<readonly BuildStep[]>
}

/** A workspace as it is served. */
export interface ServedWorkspace {
  /** Reads the workspace's index the first time; rejects while it cannot be read. */
  open(): Awaitable<Snapshot>
  /** The same for the index with drafts; where the build has none, the one that has all other posts. */
  openDrafts(): Awaitable<Snapshot>
  /** Nothing of it is served under v1. */
  readonly isV1Private: boolean
  /** Custom fields that posts can be filtered by. @default none */
  readonly fields?: readonly IndexedField[]
  /** Posts that were scheduled when the files were written: as long as they are, the files are true. */
  readonly scheduled: number
}

/** A site whose index is read when a request needs it. */
export interface ClosedSite extends SiteHead {
  readonly workspaces: ReadonlyMap<string, WorkspaceHead>
  /** Reads the index; rejects while it cannot be read. */
  open(): Awaitable<ServedSite>
  /** The precomputed response to a request; null where the index has to be read for it. */
  findResponse(request: ApiRequest): Promise<StoredResponse | null>
}

/** The site with its index. */
export function openSite(site: ServedSite | ClosedSite): Awaitable<ServedSite> {
  return 'open' in site ? site.open() : site
}
