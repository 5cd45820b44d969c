// The handler for Deno, which passes the client's address with the request.
import { folderHandler } from './folder.ts'

/** The handler for `deno serve` and `Deno.serve`. */
export interface DenoServer {
  fetch(request: Request, info: DenoInfo): Promise<Response>
}

/** The sender of a request. */
export interface DenoInfo {
  readonly remoteAddr: { readonly hostname?: string }
}

/**
 * Returns a server for the function's files, and for the images in `media` next to their folder.
 *
 * @param folder the folder of the function's files, ending in `/`
 */
export function createDenoServer(folder: URL): DenoServer {
  const handler = folderHandler(folder)
  return { fetch: (request, { remoteAddr }) => handler(request, remoteAddr.hostname ?? '') }
}
