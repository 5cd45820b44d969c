// The handler for Bun, which takes the client's address from the server.
import { folderHandler } from './folder.ts'

/** Options for `Bun.serve`, also as the default export of a module for `bun run`. */
export interface BunServer {
  readonly port: number
  readonly hostname: string
  fetch(
    request: Request,
    server: { requestIP(request: Request): { readonly address: string } | null },
  ): Promise<Response>
}

/**
 * Returns a server for the function's files in a folder, whose URL ends in `/`, and for the images in `media` next to
 * that folder. Listens on `PORT` (3000) and `HOST` (all addresses).
 */
export function createBunServer(folder: URL): BunServer {
  const handler = folderHandler(folder)
  return {
    port: Number(process.env['PORT'] ?? 3000),
    hostname: process.env['HOST'] ?? '0.0.0.0',
    fetch: (request, server) => handler(request, server.requestIP(request)?.address ?? ''),
  }
}
