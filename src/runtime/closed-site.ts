// A site served from its head and precomputed responses; the first request that needs the index opens it. Needs no
// Node: the host locates files.
import type { ApiRequest } from '../api/request.ts'
import { openedOnce } from './opened-once.ts'
import {
  decodeResponse,
  type ReadResponse,
  responseKey,
  responseName,
  type StoredResponse,
} from './response-file.ts'
import type { ClosedSite, ServedSite } from './site.ts'
import { decodeHead, siteHeadName } from './site-head.ts'

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
