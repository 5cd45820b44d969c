// A site served from its head and precomputed responses; the first request that needs the index opens it. Needs no
// Node: the host locates files.
import { hex, utf8 } from '../api/bytes.ts'
import type { IndexedField } from '../api/field-parameters.ts'
import type { KeyRecord } from '../api/keys.ts'
import { filePath, isServedFile } from '../api/paths.ts'
import type { ApiRequest } from '../api/request.ts'
import { sha256 } from '../api/sha256.ts'
import type { Visibility } from '../api/visibility.ts'
import { openedOnce } from './opened-once.ts'
import {
  changed,
  decodeResponse,
  type ReadResponse,
  responseKey,
  responseName,
  type StoredResponse,
} from './response-file.ts'
import type { ClosedSite, ServedSite, WorkspaceHead } from './site.ts'

/** The source of a closed site. */
export interface ClosedSiteSource {
  readonly read: ReadResponse
  /** Opens the index of a build. */
  readonly open: (build: string) => Promise<ServedSite>
  /** Called with the error of each unusable file; the index is read instead. */
  readonly onFault: (error: unknown) => void
}

/**
 * Reads the head of a site.
 *
 * @returns null when it is missing or unusable: the index is then used instead
 */
export async function readClosedSite({
  read,
  open,
  onFault,
}: ClosedSiteSource): Promise<ClosedSite | null> {
  try {
    const file = await read(siteHeadName)
    if (file === null) return null
    const head = decodeHead(file)
    return {
      ...head,
      open: openedOnce(() => open(head.build)),
      findResponse: (request) => findResponse(request, read, onFault),
    }
  } catch (error) {
    onFault(error)
    return null
  }
}

/** Returns null for a missing or unusable file. */
async function findResponse(
  request: ApiRequest,
  read: ReadResponse,
  onFault: (error: unknown) => void,
): Promise<StoredResponse | null> {
  const key = responseKey(request)
  if (key === null) return null
  try {
    const file = await read(responseName(key))
    return file === null ? null : decodeResponse(key, file)
  } catch (error) {
    onFault(error)
    return null
  }
}

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
