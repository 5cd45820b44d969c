// The handler for Netlify Functions.
import type { SiteHead } from '../../runtime/site.ts'
import { createFunctionHandler } from '../function-host.ts'
import { functionFolder } from '../node/function-folder.ts'
import { withEdgeCache } from './edge-cache.ts'

/** The part of Netlify's context that is read. */
export interface NetlifyContext {
  /** The client's address, as Netlify's edge saw it. */
  readonly ip?: string
}

/** A function's default export. */
export type NetlifyHandler = (request: Request, context: NetlifyContext) => Promise<Response>

/**
 * A Netlify function over the function's files.
 *
 * @param folder of the function's files, with `/` at its end
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
