// The function that hosts call: `fetch(Request) → Response` over a bundle. The host provides the client's address and
// locates files.
import { joinBytes } from '../api/bytes.ts'
import type { HttpReply, HttpRequest } from './http.ts'
import { keyringOf } from './keys.ts'
import type { ServedSite } from './open-build.ts'
import { memoryLimits } from './rate-limit.ts'
import { createResponder, type ResponderOptions } from './responder.ts'

/** Options of `createHandler`. */
export interface HandlerOptions extends ResponderOptions {
  /**
   * The value of `QUARRY_KEYS`: hashes of keys in addition to those of the build. Ignored when `keyring` is given.
   */
  readonly environmentKeys?: string | undefined
  /** `off`, or `COUNT/SECONDS`, counted in memory. Ignored when `limits` is given. @default '200/10' */
  readonly rateLimit?: string | undefined
  /**
   * Returns the address that a request without a key is counted for. The host must vouch for it: never a header that
   * clients control. @default none: such requests are not counted
   */
  readonly clientAddress?: (request: Request) => string
}

/** Responds to a request; never rejects. */
export type Handler = (request: Request) => Promise<Response>

/**
 * Returns the handler of a bundle: the whole API, including keys and errors.
 *
 * @param opened `site` is read once per request, so that a new build is picked up as a whole
 * @throws KeyringError when `environmentKeys` is malformed, or a hash in it belongs to another workspace's key
 * @throws RangeError when `rateLimit` is malformed
 */
export function createHandler(
  opened: { readonly site: ServedSite },
  { environmentKeys, rateLimit, clientAddress = () => '', ...options }: HandlerOptions = {},
): Handler {
  const keyring = options.keyring ?? keyringOf(environmentKeys)
  // Reports unusable keys at start rather than with every request.
  keyring(opened.site)
  const limits = options.limits ?? memoryLimits(rateLimit)
  const respond = createResponder(() => opened.site, {
    ...options,
    keyring,
    ...(limits === null ? {} : { limits }),
  })
  return async (request) => responseOf(await respond(requestOf(request, clientAddress(request))))
}

/** Converts a request to plain data. */
export function requestOf(request: Request, clientAddress: string): HttpRequest {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: `${pathname}${search}`,
    clientAddress,
    readBody: (bytesMax) => readBody(request.body, bytesMax),
    header: (name) => request.headers.get(name),
  }
}

/** Reads a body; null when it is longer. A piece counts as 128 bytes at least: one of one byte costs as much. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array | null> {
  const reader = body?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const part = (await reader?.read())?.value
    if (part === undefined) return joinBytes(parts)
    size += Math.max(part.length, 128)
    if (size > bytesMax) return null
    parts.push(part)
  }
}

/** Converts a reply to a response. */
export function responseOf({ status, headers, body }: HttpReply): Response {
  const pairs = headers.map(([name, value]): [string, string] => [name, value])
  // Always a view of an ArrayBuffer: shared memory is never read here.
  const isWhole = body === null || body instanceof Uint8Array || body instanceof ReadableStream
  const sent = isWhole ? (body as Uint8Array<ArrayBuffer> | ReadableStream | null) : streamOf(body)
  return new Response(sent, { status, headers: pairs })
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    // One piece per pull, so that an unread piece is never produced.
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}
