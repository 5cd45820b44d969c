// The handler for Deno, which passes the client's address with the request.
import { folderHandler } from './folder.ts'

/** The handler for `deno serve` and `Deno.serve`. */
export interface DenoServer {
  fetch(
    request: Request,
    info: { readonly remoteAddr: { readonly hostname?: string } },
  ): Promise<Response>
}

/** Returns a server for the function's files in a folder, whose URL ends in `/`, and the images in `media` next to it. */
export function createDenoServer(folder: URL): DenoServer {
  const handler = folderHandler(folder)
  return { fetch: (request, { remoteAddr }) => handler(request, remoteAddr.hostname ?? '') }
}
