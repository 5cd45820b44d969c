// The head of a site: its keys, its workspaces and the validity of its precomputed responses. It is a small separate
// file, so that a function can check keys and send precomputed responses before it reads the index.

import { hex, utf8 } from '../api/bytes.ts'
import type { IndexedField } from '../api/field-parameters.ts'
import type { KeyRecord } from '../api/key-record.ts'
import { filePath } from '../api/paths.ts'
import type { ApiRequest } from '../api/request.ts'
import { isServedFile } from '../api/served-files.ts'
import { sha256 } from '../api/sha256.ts'
import type { Visibility } from '../api/visibility.ts'
import { changed } from './checksum.ts'
import type { ClosedSite, WorkspaceHead } from './site.ts'

/** The file name, next to the responses. */
export const siteHeadName = 'site.json'

/** A workspace in the file. */
export interface StoredWorkspace {
  readonly id: string
  readonly isV1Private: boolean
  /** Custom fields that filter posts; absent when there are none. */
  readonly fields?: readonly IndexedField[]
  /** Publication of the newest post at build time, milliseconds since 1970; null for none. */
  readonly publishedAt: number | null
  /** Publications of the next scheduled posts, ascending and unique, at most `scheduledMax`. */
  readonly scheduled: readonly number[]
}

/** The contents of the file. */
export interface StoredHead {
  readonly build: string
  /** False when `limit=all` is disabled. */
  readonly limitAll: boolean
  readonly keys: readonly KeyRecord[]
  /** The number of precomputed responses. */
  readonly responses: number
  readonly workspaces: readonly StoredWorkspace[]
}

/** Maximum number of scheduled publications per workspace; beyond the last one the index is read. */
export const scheduledMax = 64

/** Encodes the file. */
export function encodeHead(head: StoredHead): string {
  return JSON.stringify({ sha256: hashOf(head), head })
}

/** @throws Error when the bytes are not those of `encodeHead` */
export function decodeHead(file: Uint8Array): Omit<ClosedSite, 'open' | 'findResponse'> {
  const parsed = JSON.parse(new TextDecoder().decode(file)) as { sha256: string; head: StoredHead }
  if (parsed.sha256 !== hashOf(parsed.head)) throw changed(siteHeadName)
  const { build, limitAll, keys, responses, workspaces } = parsed.head
  const heads = workspaces.map((workspace): [string, WorkspaceHead] => [
    workspace.id,
    {
      isV1Private: workspace.isV1Private,
      fields: workspace.fields ?? [],
      truthAt: (request, now) =>
        responses > 0 && isStored(request, workspace) ? intervalAt(workspace, now) : null,
    },
  ])
  return { build, limitAll, keys, workspaces: new Map(heads) }
}

function hashOf(head: StoredHead | undefined): string {
  return hex(sha256(utf8(JSON.stringify(head ?? null))))
}

/**
 * False for requests that have no file in any build, so none is looked up. The file of an author may still be
 * missing.
 */
function isStored(request: ApiRequest, { scheduled }: StoredWorkspace): boolean {
  const schedule = { scheduled: scheduled.length, createsTerms: false }
  return filePath(request) !== null && isServedFile(request, schedule)
}

type Interval = Pick<Visibility, 'validFrom' | 'validUntil'>

/** The same interval as in `visibilityAt`; null before the build, and after the last known publication. */
function intervalAt({ publishedAt, scheduled }: StoredWorkspace, now: number): Interval | null {
  const instants = [publishedAt ?? Number.NEGATIVE_INFINITY, ...scheduled]
  const next = instants.findIndex((instant) => instant > now)
  if (next === 0) return null
  if (next === -1 && scheduled.length === scheduledMax) return null
  return {
    validFrom: instants.at(next === -1 ? -1 : next - 1) ?? Number.NEGATIVE_INFINITY,
    validUntil:
      next === -1 ? Number.POSITIVE_INFINITY : (instants[next] ?? Number.POSITIVE_INFINITY),
  }
}
