// The handler for Netlify Functions.
import type { SiteHead } from '../../runtime/site.ts'
import { createFunctionHandler } from '../function-host.ts'
import { functionFolder } from '../node/function-folder.ts'
import { withEdgeCache } from './edge-cache.ts'

/** The fields of Netlify's context that the handler reads. */
export interface NetlifyContext {
  /** The client's address as seen by Netlify's edge. */
  readonly ip?: string
}

/** The default export of a function. */
export type NetlifyHandler = (request: Request, context: NetlifyContext) => Promise<Response>

/**
 * Returns a Netlify function for the function's files.
 *
 * @param folder the folder of the function's files, ending in `/`
 */
export function createNetlifyHandler(folder: URL): NetlifyHandler {
  let hasFields = false
  const onSite = ({ workspaces }: SiteHead) => {
    hasFields = [...workspaces.values()].some(
      ({ isV1Private, fields = [] }) => !isV1Private && fields.length > 0,
    )
  }
  const handler = createFunctionHandler({ ...functionFolder(folder), onSite })
  return async (request, { ip = '' }) =>
    withEdgeCache(request, await handler(request, ip), hasFields)
}
