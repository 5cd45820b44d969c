// Conversions between requests and responses of `fetch` and plain data.
import { joinBytes } from '../api/bytes.ts'
import type { HttpReply, HttpRequest } from './http.ts'

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

/** Reads a body; null if it is longer. Each piece counts as at least 128 bytes, because small pieces cost as much. */
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
  // The bytes are never in shared memory.
  const isWhole = body === null || body instanceof Uint8Array || body instanceof ReadableStream
  const sent = isWhole ? (body as Uint8Array<ArrayBuffer> | ReadableStream | null) : streamOf(body)
  return new Response(sent, { status, headers: pairs })
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    // Produces one piece per pull, so that no piece is made before it is read.
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
