// A function: the first request opens the site. The host provides storage, environment and the client's address.

import type { ApiError } from '../api/errors.ts'
import { hideClearKeys } from '../api/keys.ts'
import { errorFormOf } from '../api/routes.ts'
import { isAgentsOn, type LoadAgents } from '../runtime/agents.ts'
import type { ContentOptions } from '../runtime/content-reply.ts'
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

/** The environment variables of a function. */
export interface FunctionEnvironment {
  readonly QUARRY_KEYS?: string | undefined
  readonly QUARRY_RATE_LIMIT?: string | undefined
  readonly QUARRY_MCP?: string | undefined
}

/** The components of a function. */
export interface FunctionHost {
  readonly storage: Storage
  /** True when the storage has precomputed responses. @default false */
  readonly hasResponses?: boolean
  readonly environment: FunctionEnvironment
  /** Called when the site is open. */
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
  const respond = functionResponder(host)
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
  hasResponses = false,
  environment,
  onSite,
  onError = logError,
}: FunctionHost): Responder {
  // Where the response is damaged, the index is read.
  const find: ContentOptions['findStored'] = (request, workspace, now) =>
    findStored(storage, request, workspace, now).catch((error) => {
      onError(error, '')
      return null
    })
  const opened = openedOnce(async () => {
    const site = await openBuild(storage)
    onSite?.(site)
    const limits = memoryLimits(environment.QUARRY_RATE_LIMIT || undefined)
    const keyring = keyringOf(environment.QUARRY_KEYS)
    // Reports unusable keys at start rather than with every request.
    keyring(site)
    return createResponder(() => site, {
      keyring,
      onError,
      loadAgents: isAgentsOn(environment.QUARRY_MCP) ? loadAgents : undefined,
      ...(limits === null ? {} : { limits }),
      ...(hasResponses ? { findStored: find } : {}),
    })
  })
  return async (request) => {
    try {
      return await (await opened())(request)
    } catch (error) {
      const requestId = crypto.randomUUID()
      onError(error, requestId)
      const [path = ''] = request.target.split('?', 1)
      const isKeyed = path === '/v2' || path.startsWith('/v2/')
      // A request without a key learns only that the key is missing.
      const isRefused = isKeyed && bearerKey(request.header('authorization')) === null
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

/** Returns the response for an error of the host itself, without a body for HEAD. */
export function errorResponse(
  { method, url }: Pick<Request, 'method' | 'url'>,
  error: ApiError,
  requestId: string,
): Response {
  const target = new URL(url).pathname
  const request = { method, target, clientAddress: '', header: () => null }
  return responseOf(errorReply(request, errorFormOf(target), error, [['x-request-id', requestId]]))
}

/** Logs an internal error to the console, as one line of JSON without keys. */
export function logError(error: unknown, requestId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // biome-ignore lint/suspicious/noConsole: it is the only log that every function host keeps
  console.error(hideClearKeys(JSON.stringify({ event: 'error', requestId, error: text })))
}
