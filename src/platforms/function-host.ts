// A handler for hosts that start a function with a request: the bundle is opened by the first one.
// Knows no host, needs no Node; where files lie and whom a request comes from is told.
import { openBundle } from '../runtime/bundle.ts'
import { createHandler, type Handler } from '../runtime/handler.ts'
import { internalError } from '../runtime/replies.ts'
import type { Storage } from '../runtime/storage.ts'
import { clientNetwork } from './client-network.ts'
import { errorResponse } from './error-response.ts'
import { openedOnce } from './opened-once.ts'

/** The variables that a function reads. */
export interface FunctionEnvironment {
  readonly QUARRY_KEYS?: string | undefined
  readonly QUARRY_RATE_LIMIT?: string | undefined
}

/** What a function is made of. */
export interface FunctionHost {
  readonly storage: Storage
  readonly environment: FunctionEnvironment
  /** Told of every fault of ours. @default the console, which function hosts keep as their log */
  readonly onError?: (error: unknown, requestId: string) => void
}

/**
 * Answers a request; never rejects.
 *
 * @param clientAddress as the host itself vouches for it; '' where nobody does
 */
export type FunctionHandler = (request: Request, clientAddress: string) => Promise<Response>

/**
 * A handler that opens its bundle once, with the first request. While it cannot be opened every request is a
 * 500, and the next one tries again.
 */
export function createFunctionHandler({
  storage,
  environment,
  onError = logError,
}: FunctionHost): FunctionHandler {
  const addresses = new WeakMap<Request, string>()
  const open = async (): Promise<Handler> =>
    createHandler(await openBundle(storage), {
      environmentKeys: environment.QUARRY_KEYS,
      rateLimit: environment.QUARRY_RATE_LIMIT || undefined,
      clientAddress: (request) => addresses.get(request) ?? '',
      onError,
    })
  const opened = openedOnce(open)
  return async (request, clientAddress) => {
    addresses.set(request, clientNetwork(clientAddress))
    try {
      const handler = await opened()
      return await handler(request)
    } catch (error) {
      const requestId = crypto.randomUUID()
      onError(error, requestId)
      return errorResponse(request, internalError(requestId), requestId)
    }
  }
}

/** Writes a fault to the console, as one line of JSON. */
export function logError(error: unknown, requestId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // biome-ignore lint/suspicious/noConsole: it is the only log that every function host keeps
  console.error(JSON.stringify({ event: 'error', requestId, error: text }))
}
