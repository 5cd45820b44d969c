// The handler for Netlify Functions.
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
  const handler = createFunctionHandler(functionFolder(folder))
  return async (request, { ip = '' }) => withEdgeCache(request, await handler(request, ip))
}
