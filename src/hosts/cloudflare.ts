// The handler for Cloudflare Workers: reads files from the assets bound to the worker.
import { streamedFrom } from '../runtime/content-reply.ts'
import { RecentValues } from '../snapshot/recent-values.ts'
import type { Storage } from '../snapshot/storage.ts'
import {
  createFunctionHandler,
  type FunctionEnvironment,
  type FunctionHandler,
} from './function.ts'
import { type FindImage, imageResponse } from './media.ts'

/** The bindings of a worker. */
export interface WorkerEnvironment extends FunctionEnvironment {
  readonly ASSETS: { fetch(url: string): Promise<Response> }
}

/** The default export of a worker. */
export interface Worker {
  fetch(request: Request, environment: WorkerEnvironment, context: WorkerContext): Promise<Response>
}

/** The members of a request's context that the handler uses. */
export interface WorkerContext {
  waitUntil(promise: Promise<unknown>): void
}

/** Returns a worker that serves its assets. */
export function createWorker(): Worker {
  const handlers = new WeakMap<WorkerEnvironment['ASSETS'], FunctionHandler>()
  return {
    fetch: (request, environment, context) => {
      const { ASSETS } = environment
      const handler = handlers.get(ASSETS) ?? openWorker(environment)
      handlers.set(ASSETS, handler)
      const responded =
        imageResponse(request, assetImages(ASSETS)) ??
        // Cloudflare overwrites this header when a client sends it.
        handler(request, request.headers.get('cf-connecting-ip') ?? '').then(withLength)
      // Other requests may wait for what this one opens, so it runs to completion even after its client disconnects.
      context.waitUntil(responded)
      return responded
    },
  }
}

function openWorker(environment: WorkerEnvironment): FunctionHandler {
  const storage = assetStorage(environment.ASSETS)
  return createFunctionHandler({ storage, hasResponses: true, environment })
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
    const fetched = fetches.get(name) ?? assetBytes(assets, name)
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

/** The members of workerd that the handler uses. */
interface Workerd {
  /** Passes exactly `length` bytes through and fails on fewer. Absent in Node, where tests run the worker. */
  readonly FixedLengthStream?: new (
    length: number,
  ) => {
    readonly readable: ReadableStream<Uint8Array>
    readonly writable: WritableStream<Uint8Array>
  }
}

/**
 * Sends the response with its length. workerd sends other streams in chunks, where a truncated response looks
 * complete.
 */
function withLength(response: Response): Response {
  const length = Number(response.headers.get('content-length'))
  const { FixedLengthStream } = globalThis as unknown as Workerd
  const isStream = response.body !== null && length > streamedFrom
  if (!isStream || FixedLengthStream === undefined) return response
  return new Response(response.body.pipeThrough(new FixedLengthStream(length)), response)
}

async function assetBytes(assets: WorkerEnvironment['ASSETS'], name: string): Promise<Uint8Array> {
  const response = await assets.fetch(`https://assets.local/${name}`)
  if (response.status !== 200) throw new Error(`The asset ${name} is a ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Passes images through as streams, without buffering. */
function assetImages(assets: WorkerEnvironment['ASSETS']): FindImage {
  return async ({ address }) => {
    const { status, headers, body } = await assets.fetch(`https://assets.local/media/${address}`)
    const length = headers.get('content-length')
    if (status !== 200 || body === null) throw new Error(`The image ${address} is a ${status}.`)
    const stream = body as unknown as AsyncIterable<Uint8Array>
    return { length: length === null ? null : Number(length), read: () => stream }
  }
}
