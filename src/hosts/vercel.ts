// The handler for Vercel Functions in Node, which pass Node's own request and response objects.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { functionHost } from './folder.ts'
import { functionResponder, networkOf } from './function.ts'
import { nodeHandler } from './server.ts'

/** Returns a Vercel function for the function's files in a folder, whose URL ends in `/`. */
export function createVercelHandler(
  folder: URL,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return nodeHandler(functionResponder(functionHost(folder)), { clientAddress: realAddress })
}

/** Returns the client's address. Vercel's edge overwrites this header if a client sends it. */
function realAddress({ headers }: IncomingMessage): string {
  const address = headers['x-real-ip']
  return typeof address === 'string' ? (networkOf(address) ?? address) : ''
}
