// A served build: its id, its workspaces and its keys.
import type { IndexedField } from '../api/field-parameters.ts'
import type { KeyRecord } from '../api/keys.ts'
import type { ApiRequest } from '../api/request.ts'
import type { Awaitable, BuildStep, Snapshot } from '../api/snapshot.ts'
import type { Visibility } from '../api/visibility.ts'
import type { StoredResponse } from './response-file.ts'

/** The data of a site that is available without the index. */
export interface SiteHead {
  /** The build's id. */
  readonly build: string
  /** False when `limit=all` is disabled. */
  readonly limitAll: boolean
  /** The keys of all workspaces. */
  readonly keys: readonly KeyRecord[]
  readonly workspaces: ReadonlyMap<string, Pick<WorkspaceHead, 'isV1Private' | 'fields'>>
}

/** A workspace without its index. */
export interface WorkspaceHead {
  /** True when v1 serves nothing of the workspace. */
  readonly isV1Private: boolean
  /** Custom fields that filter posts. @default none */
  readonly fields?: readonly IndexedField[]
  /**
   * The interval around an instant in which the precomputed response to a canonical request is valid. Null for a
   * request without one, and when only the index can tell.
   *
   * @param now milliseconds since 1970
   */
  truthAt(request: ApiRequest, now: number): Pick<Visibility, 'validFrom' | 'validUntil'> | null
}

/** The workspaces of one build. */
export interface ServedSite extends SiteHead {
  /** The OpenAPI description, as JSON. */
  openapi(): Awaitable<Uint8Array>
  readonly workspaces: ReadonlyMap<string, ServedWorkspace>
  /** Changes of earlier builds, newest first. */
  steps(): Awaitable<readonly BuildStep[]>
}

/** A served workspace. */
export interface ServedWorkspace {
  /** Reads the workspace's index on the first call; rejects while it is unreadable. */
  open(): Awaitable<Snapshot & { readonly dataFiles?: readonly string[] }>
  /** Reads the index with drafts; the index without them when the build has none. */
  openDrafts(): Awaitable<Snapshot>
  /** True when v1 serves nothing of the workspace. */
  readonly isV1Private: boolean
  /** Custom fields that filter posts. @default none */
  readonly fields?: readonly IndexedField[]
  /** The number of scheduled posts when the files were written. The files are valid while it is unchanged. */
  readonly scheduled: number
}

/** A site whose index is opened on demand. */
export interface ClosedSite extends SiteHead {
  readonly workspaces: ReadonlyMap<string, WorkspaceHead>
  /** Reads the index; rejects while it is unreadable. */
  open(): Awaitable<ServedSite>
  /** Finds the precomputed response to a request; null when the index is needed. */
  findResponse(request: ApiRequest): Promise<StoredResponse | null>
}

/** Returns the site with its index. */
export function openSite(site: ServedSite | ClosedSite): Awaitable<ServedSite> {
  return 'open' in site ? site.open() : site
}
