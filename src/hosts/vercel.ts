// The handler for Vercel Functions in Node, which pass Node's own request and response objects.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { openBundle } from '../runtime/bundle.ts'
import { keyringOf } from '../runtime/keyrings.ts'
import { openedOnce } from '../runtime/opened-once.ts'
import { memoryLimits } from '../runtime/rate-limit-memory.ts'
import { createResponder, type Responder } from '../runtime/responder.ts'
import { clientNetwork } from './client-network.ts'
import { functionFolder } from './function-folder.ts'
import { logError as onError } from './function-host.ts'
import { agentsOf } from './load-agents.ts'
import { NodeAdapter } from './node/node-adapter.ts'

/** The default export of a function. */
export type VercelHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/**
 * Returns a Vercel function for the function's files.
 *
 * @param folder the folder of the function's files, ending in `/`
 */
export function createVercelHandler(folder: URL): VercelHandler {
  const { storage, environment } = functionFolder(folder)
  const open = openedOnce(async (): Promise<Responder> => {
    const { site } = await openBundle(storage)
    const limits = memoryLimits(environment.QUARRY_RATE_LIMIT || undefined)
    const keyring = keyringOf(environment.QUARRY_KEYS)
    keyring(site)
    return createResponder(() => site, {
      keyring,
      onError,
      loadAgents: agentsOf(environment),
      ...(limits === null ? {} : { limits }),
    })
  })
  // A bundle that fails to open is an internal error, reported like any other.
  const openOrReport = async (): Promise<Responder> => {
    try {
      return await open()
    } catch (error) {
      const fail = () => {
        throw error
      }
      return createResponder(fail, { onError })
    }
  }
  return async (incoming, outgoing) => {
    const adapter = new NodeAdapter(incoming, outgoing, { clientAddress: realAddress })
    const responder = await openOrReport()
    adapter.send(adapter.refusal() ?? (await responder(adapter.request)))
  }
}

/** Vercel's edge overwrites this header when a client sends it. */
function realAddress({ headers }: IncomingMessage): string {
  const address = headers['x-real-ip']
  return typeof address === 'string' ? clientNetwork(address) : ''
}
