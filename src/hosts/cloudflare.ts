// The handler for Cloudflare Workers: reads files from the assets bound to the worker.
import { streamedFrom } from '../runtime/content-reply.ts'
import {
  createFunctionHandler,
  type FindImage,
  type FunctionEnvironment,
  type FunctionHandler,
  type FunctionHost,
} from './function.ts'
import { httpStorage } from './origin.ts'

/** The bindings of a worker. */
export interface WorkerEnvironment extends FunctionEnvironment {
  /** Not needed with `QUARRY_SITE`. */
  readonly ASSETS?: Assets
}

interface Assets {
  fetch(url: string): Promise<Response>
}

/** The default export of a worker. */
export interface Worker {
  fetch(
    request: Request,
    environment: WorkerEnvironment,
    context: { waitUntil(promise: Promise<unknown>): void },
  ): Promise<Response>
}

/** Returns a worker that serves its assets, or the builds of an origin. */
export function createWorker(): Worker {
  const handlers = new WeakMap<object, FunctionHandler>()
  return {
    fetch: (request, environment, context) => {
      const { ASSETS: key = environment } = environment
      const handler = handlers.get(key) ?? createFunctionHandler(hostOf(environment))
      handlers.set(key, handler)
      // Cloudflare overwrites this header when a client sends it.
      const address = request.headers.get('cf-connecting-ip') ?? ''
      const responded = handler(request, address).then(withLength)
      // Other requests may wait for what this one opens, so it runs to completion even after its client disconnects.
      context.waitUntil(responded)
      return responded
    },
  }
}

const assetsUrl = 'https://assets.local/'

const noAssets: Assets = { fetch: async () => new Response(null, { status: 404 }) }

function hostOf(environment: WorkerEnvironment): FunctionHost {
  const { ASSETS: assets = noAssets } = environment
  // Reads whole files, because each read is one of the fetches that a request may make.
  const storage = httpStorage({ url: assetsUrl, fetch: (url) => assets.fetch(url) })
  return { storage, findImage: assetImages(assets), environment }
}

/** Passes exactly `length` bytes through, and fails if there are fewer. Absent in Node, where tests run the worker. */
type FixedLengthStream = new (length: number) => TransformStream<Uint8Array, Uint8Array>

/**
 * Sends the response with its length. workerd sends other streams in chunks, where a truncated response looks
 * complete.
 */
function withLength(response: Response): Response {
  const length = Number(response.headers.get('content-length'))
  const { FixedLengthStream: Fixed } = globalThis as { FixedLengthStream?: FixedLengthStream }
  if (response.body === null || length <= streamedFrom || Fixed === undefined) return response
  return new Response(response.body.pipeThrough(new Fixed(length)), response)
}

/** Passes images through as streams, without buffering. */
function assetImages(assets: Assets): FindImage {
  return async ({ address }) => {
    const { status, headers, body } = await assets.fetch(`${assetsUrl}media/${address}`)
    if (status !== 200) throw new Error(`media/${address} is a ${status}.`)
    const length = headers.get('content-length')
    const stream = body as unknown as AsyncIterable<Uint8Array>
    return { length: length === null ? null : Number(length), read: () => stream }
  }
}
