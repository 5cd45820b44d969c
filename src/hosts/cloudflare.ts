// The handler for Cloudflare Workers: reads files from the assets bound to the worker. Assets are served whole, so files
// are cut into parts.
import { joinBytes } from '../api/bytes.ts'
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
  const storage = partedStorage((name) => assetBytes(environment.ASSETS, name))
  return createFunctionHandler({ storage, hasResponses: true, environment })
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

/** Bytes of a part: a post costs one part at most. */
export const partBytesDefault: number = 1024 * 1024

/** The name of a part, counted from 0. */
export function partName(name: string, part: number): string {
  return `${name}.${part}`
}

/** Cuts a file. The last part is shorter than the others, or empty, so that a reader finds the end. */
export function cutFile(bytes: Uint8Array, partBytes: number): readonly Uint8Array[] {
  const count = Math.floor(bytes.length / partBytes) + 1
  return Array.from({ length: count }, (_, part) =>
    bytes.subarray(part * partBytes, (part + 1) * partBytes),
  )
}

/**
 * Returns a storage that reads from parts. Ranges that are read together from one part cost one fetch.
 *
 * @param fetchPart returns a whole part; rejects when it does not exist
 */
export function partedStorage(
  fetchPart: (name: string) => Promise<Uint8Array>,
  partBytes: number = partBytesDefault,
): Storage {
  const cached = new RecentValues<Uint8Array>(8 * partBytes)
  // Shared only by reads of the same microtask, such as all posts of a response: a cancelled request may abort its
  // fetches and must not affect other requests.
  const fetches = new Map<string, Promise<Uint8Array>>()
  const fetchOnce = (name: string): Promise<Uint8Array> => {
    if (fetches.size === 0) queueMicrotask(() => fetches.clear())
    const fetched = fetches.get(name) ?? fetchPart(name)
    fetches.set(name, fetched)
    return fetched
  }
  return {
    read: async (name, from = 0, to = Number.POSITIVE_INFINITY) => {
      // The caller caches files that it reads as a whole.
      const isCached = to - from < partBytes
      const found: Uint8Array[] = []
      for (let start = from - (from % partBytes); start < to; start += partBytes) {
        const path = partName(name, start / partBytes)
        const part = cached.get(path) ?? (await fetchOnce(path))
        if (isCached) cached.set(path, part, part.length)
        // Copies: a view would keep the whole part in memory as long as the caller keeps the range.
        found.push(part.slice(Math.max(0, from - start), to - start))
        if (part.length < partBytes) break
      }
      return joinBytes(found)
    },
  }
}
