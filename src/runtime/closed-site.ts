// A site over its head and its precomputed responses: the index is read by the first request that needs it.
// Needs no Node; where files lie is a matter of the host.
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

/** Where a site is read from. */
export interface ClosedSiteSource {
  readonly read: ReadResponse
  /** Opens the index of a build. */
  readonly open: (build: string) => Promise<ServedSite>
  /** Called with the fault of each file that could not be used; the index is read instead. */
  readonly onFault: (error: unknown) => void
}

/**
 * Reads the head of a site.
 *
 * @returns null where there is none, or none that can be used: then the index says everything
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

/** Null where there is no file, or none that can be used. */
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
