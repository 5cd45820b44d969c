// A function: the first request opens the site. The host provides storage, environment and the client's address.
import { hideClearKeys } from '../api/keys.ts'
import { errorFormOf } from '../api/routes.ts'
import { isAgentsOn, type LoadAgents } from '../runtime/agents.ts'
import { requestOf, responseOf } from '../runtime/handler.ts'
import { bearerKey, keyringOf } from '../runtime/keys.ts'
import { openBuild, openedOnce } from '../runtime/open-build.ts'
import { memoryLimits } from '../runtime/rate-limit.ts'
import { errorReply, internalError, unauthorized } from '../runtime/replies.ts'
import { createResponder, type Responder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { findStored } from '../runtime/stored-response.ts'
import type { Storage } from '../snapshot/storage.ts'
import { networkOf } from './client-address.ts'
import { type FindImage, withImages } from './media.ts'
import { followBuild, httpStorage } from './origin.ts'

/** The environment variables of a function. */
export interface FunctionEnvironment {
  readonly QUARRY_KEYS?: string | undefined
  readonly QUARRY_RATE_LIMIT?: string | undefined
  readonly QUARRY_MCP?: string | undefined
  /** URL of an origin, which is read instead of the storage. */
  readonly QUARRY_SITE?: string | undefined
  readonly QUARRY_SITE_AUTHORIZATION?: string | undefined
}

/** The components of a function. */
export interface FunctionHost {
  /** May have precomputed responses, too. */
  readonly storage: Storage
  readonly environment: FunctionEnvironment
  /** @default the host serves images without the function, or not at all */
  readonly findImage?: FindImage
  /** Called with each site before it is served. */
  readonly onSite?: (site: ServedSite) => void
  /** Called with every internal error. @default logs to the console, which function hosts store */
  readonly onError?: (error: unknown, requestId: string) => void
}

/**
 * Responds to a request; never rejects.
 *
 * @param clientAddress an address that the host vouches for; '' when it does not
 */
export type FunctionHandler = (request: Request, clientAddress: string) => Promise<Response>

/** Returns `functionResponder` for hosts with requests and responses of `fetch`. */
export function createFunctionHandler(host: FunctionHost): FunctionHandler {
  const responder = functionResponder(host)
  const respond = host.findImage ? withImages(responder, host.findImage) : responder
  return async (request, clientAddress) =>
    responseOf(await respond(requestOf(request, networkOf(clientAddress) ?? clientAddress)))
}

/**
 * Returns a responder that opens its site with the first request, and the index with the first request without a
 * precomputed response. While it cannot be opened, every request gets a 500, and the next request retries. Without a
 * key, v2 still responds with 401.
 */
export function functionResponder({
  storage,
  environment,
  onSite,
  onError = logError,
}: FunctionHost): Responder {
  const opened = openedOnce(async () => {
    const limits = memoryLimits(environment.QUARRY_RATE_LIMIT || undefined)
    const keyring = keyringOf(environment.QUARRY_KEYS)
    const check = (site: ServedSite) => {
      // Reports unusable keys at start rather than with every request.
      keyring(site)
      onSite?.(site)
    }
    const { QUARRY_SITE: url, QUARRY_SITE_AUTHORIZATION: authorization } = environment
    const origin = url ? httpStorage({ url, authorization }) : undefined
    const followed = origin && followBuild(origin, check, (error) => onError(error, ''))
    let site = await (followed?.latest() ?? openBuild(storage))
    if (followed === undefined) check(site)
    const responder = createResponder(() => site, {
      keyring,
      onError,
      loadAgents: isAgentsOn(environment.QUARRY_MCP) ? loadAgents : undefined,
      ...(limits === null ? {} : { limits }),
      ...(followed && { failingSince: followed.failingSince }),
      findStored: async (request, workspace, now) => {
        // An origin has no precomputed responses.
        if (origin !== undefined) return null
        try {
          return await findStored(storage, request, workspace, now)
        } catch (error) {
          // Where the response is damaged, the index is read.
          onError(error, '')
          return null
        }
      },
    })
    const respond: Responder = async (request) => {
      if (followed !== undefined) site = await followed.latest()
      return responder(request)
    }
    return respond
  })
  return async (request) => {
    try {
      return await (await opened())(request)
    } catch (error) {
      const requestId = crypto.randomUUID()
      onError(error, requestId)
      const [path = ''] = request.target.split('?', 1)
      // A request without a key learns only that the key is missing.
      const isRefused =
        /^\/v2(\/|$)/.test(path) && bearerKey(request.header('authorization')) === null
      const shown = isRefused ? unauthorized() : internalError(requestId)
      return errorReply(request, errorFormOf(path), shown, [['x-request-id', requestId]])
    }
  }
}

/**
 * Loads the responder for agents with the first message. It is a module of its own next to a function, because the SDK
 * of the protocol is several times as large as the function.
 */
export const loadAgents: LoadAgents = async () => (await import('../mcp/agents.ts')).respondToAgent

/** Logs an internal error to the console, as one line of JSON without keys. */
export function logError(error: unknown, requestId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // biome-ignore lint/suspicious/noConsole: it is the only log that every function host keeps
  console.error(hideClearKeys(JSON.stringify({ event: 'error', requestId, error: text })))
}
