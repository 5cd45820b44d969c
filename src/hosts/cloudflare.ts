// The handler for Cloudflare Workers: reads files from the assets bound to the worker.
import { streamedFrom } from '../runtime/content-reply.ts'
import { RecentValues } from '../snapshot/recent-values.ts'
import type { Storage } from '../snapshot/storage.ts'
import {
  createFunctionHandler,
  type FunctionEnvironment,
  type FunctionHandler,
} from './function.ts'
import type { FindImage } from './media.ts'

/** The bindings of a worker. */
export interface WorkerEnvironment extends FunctionEnvironment {
  readonly ASSETS: { fetch(url: string): Promise<Response> }
}

/** The default export of a worker. */
export interface Worker {
  fetch(
    request: Request,
    environment: WorkerEnvironment,
    context: { waitUntil(promise: Promise<unknown>): void },
  ): Promise<Response>
}

/** Returns a worker that serves its assets. */
export function createWorker(): Worker {
  const handlers = new WeakMap<WorkerEnvironment['ASSETS'], FunctionHandler>()
  return {
    fetch: (request, environment, context) => {
      const { ASSETS } = environment
      const assets = { storage: assetStorage(ASSETS), findImage: assetImages(ASSETS) }
      const handler = handlers.get(ASSETS) ?? createFunctionHandler({ ...assets, environment })
      handlers.set(ASSETS, handler)
      // Cloudflare overwrites this header when a client sends it.
      const address = request.headers.get('cf-connecting-ip') ?? ''
      const responded = handler(request, address).then(withLength)
      // Other requests may wait for what this one opens, so it runs to completion even after its client disconnects.
      context.waitUntil(responded)
      return responded
    },
  }
}

/** Passes exactly `length` bytes through and fails on fewer. Absent in Node, where tests run the worker. */
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

async function fetchAsset(assets: WorkerEnvironment['ASSETS'], name: string): Promise<Response> {
  const response = await assets.fetch(`https://assets.local/${name}`)
  if (response.status !== 200) throw new Error(`The asset ${name} is a ${response.status}.`)
  return response
}

/** Passes images through as streams, without buffering. */
function assetImages(assets: WorkerEnvironment['ASSETS']): FindImage {
  return async ({ address }) => {
    const { headers, body } = await fetchAsset(assets, `media/${address}`)
    const length = headers.get('content-length')
    const stream = body as unknown as AsyncIterable<Uint8Array>
    return { length: length === null ? null : Number(length), read: () => stream }
  }
}

/** Size of the cache of assets, in bytes. */
const cacheBytes = 8 * 1024 * 1024

/** Returns a storage of assets, which are served whole: ranges that are read together from one cost one fetch. */
function assetStorage(assets: WorkerEnvironment['ASSETS']): Storage {
  const cached = new RecentValues<Uint8Array>(cacheBytes)
  // Shared only by reads of the same microtask, such as all posts of a response: a cancelled request may abort its
  // fetches and must not affect other requests.
  const fetches = new Map<string, Promise<Uint8Array>>()
  const fetchOnce = (name: string): Promise<Uint8Array> => {
    if (fetches.size === 0) queueMicrotask(() => fetches.clear())
    const read = async () => new Uint8Array(await (await fetchAsset(assets, name)).arrayBuffer())
    const fetched = fetches.get(name) ?? read()
    fetches.set(name, fetched)
    return fetched
  }
  return {
    read: async (name, from = 0, to) => {
      // The caller caches files that it reads as a whole.
      if (to === undefined) return fetchOnce(name)
      const bytes = cached.get(name) ?? (await fetchOnce(name))
      cached.set(name, bytes, bytes.length)
      // A copy: a view would keep the whole file in memory as long as the caller keeps the range.
      return bytes.slice(from, to)
    },
  }
}
