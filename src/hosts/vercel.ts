// The handler for Vercel Functions in Node, which pass Node's own request and response objects.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { functionHost } from './folder.ts'
import { functionResponder, networkOf } from './function.ts'
import { nodeHandler } from './server.ts'

/**
 * Returns a Vercel function for the function's files.
 *
 * @param folder the folder of the function's files, ending in `/`
 */
export function createVercelHandler(
  folder: URL,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const { storage, environment } = functionHost(folder)
  return nodeHandler(functionResponder({ storage, environment }), { clientAddress: realAddress })
}

/** Returns the client's address. Vercel's edge overwrites this header if a client sends it. */
function realAddress({ headers }: IncomingMessage): string {
  const address = headers['x-real-ip']
  return typeof address === 'string' ? (networkOf(address) ?? address) : ''
}
