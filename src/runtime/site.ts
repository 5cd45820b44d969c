// A served build: its id, its workspaces and its keys.
import type { IndexedField, Reference } from '../api/field-parameters.ts'
import type { KeyRecord } from '../api/keys.ts'
import type { Awaitable, BuildStep, PostOrder, Snapshot } from '../api/snapshot.ts'
import type { HttpSettings } from '../snapshot/format.ts'

/** The workspaces of one build. */
export interface ServedSite {
  /** The build's id. */
  readonly build: string
  /** False when `limit=all` is disabled. */
  readonly limitAll: boolean
  /** Settings of headers. */
  readonly http?: HttpSettings | undefined
  /** The keys of all workspaces. */
  readonly keys: readonly KeyRecord[]
  readonly workspaces: ReadonlyMap<string, ServedWorkspace>
  /** The OpenAPI description, as JSON. */
  openapi(): Awaitable<Uint8Array>
  /** Changes of earlier builds, newest first. */
  steps(): Awaitable<readonly BuildStep[]>
}

/** A served workspace. */
export interface ServedWorkspace extends ServedRows {
  /** True when v1 serves nothing of the workspace. */
  readonly isV1Private: boolean
  /** By name, in order of definition. @default none */
  readonly collections?: ReadonlyMap<string, ServedRows>
  /** @default none */
  readonly singletons?: ServedRows | undefined
}

/** Posts of a workspace, items of a collection, or singletons. */
export interface ServedRows {
  /** Custom fields that filter posts. @default none */
  readonly fields?: readonly IndexedField[]
  /** Fields that refer to other resources. @default none */
  readonly references?: readonly Reference[]
  /** Direction of a collection's own order. */
  readonly order?: PostOrder['order']
  /** The number of scheduled posts when the files were written. The files are valid while it is unchanged. */
  readonly scheduled: number
  /** Number of posts that expire after the files were written. */
  readonly expiring: number
  /** When its responses change: the last publication before the build, then publications and expiries, ascending. */
  readonly instants: readonly number[]
  /** Reads the workspace's index on the first call; rejects while it is unreadable. */
  open(): Awaitable<Snapshot & { readonly dataFiles?: readonly string[] }>
  /** Reads the index with drafts; the index without them when the build has none. */
  openDrafts(): Awaitable<Snapshot>
}
