// The part of Lambda's Node.js runtime that streams, as its handlers see it: a global, and a stream with a head.
// Knows nothing of what a handler does.
import { PassThrough } from 'node:stream'

/** Status and headers that a handler sent before its body. */
interface Head {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
}

class HeadedStream extends PassThrough {
  head: Head | undefined
}

/** A handler that streams, as it is exported. */
export type StreamingHandler<Event> = (
  event: Event,
  stream: HeadedStream,
  context: object,
) => Promise<unknown>

/** Puts the global in place; modules loaded afterwards find it. */
export function installLambdaRuntime(): void {
  const awslambda = {
    streamifyResponse: <T>(handler: T): T => handler,
    HttpResponseStream: {
      from: (stream: HeadedStream, head: Head) => {
        stream.head = head
        return stream
      },
    },
  }
  Object.assign(globalThis, { awslambda })
}

/** Invokes a handler and reads what it streams. */
export async function invokeStreaming<Event>(
  handler: StreamingHandler<Event>,
  event: Event,
): Promise<Response> {
  const stream = new HeadedStream()
  const chunks: Buffer[] = []
  const reading = (async () => {
    for await (const chunk of stream) chunks.push(chunk)
  })()
  await handler(event, stream, { awsRequestId: 'request', getRemainingTimeInMillis: () => 10_000 })
  await reading
  const { statusCode, headers = {}, multiValueHeaders = {} } = stream.head ?? { statusCode: 0 }
  const all = Object.entries(multiValueHeaders).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return responseOf(statusCode, [...Object.entries(headers), ...all], Buffer.concat(chunks))
}

/** A response of plain parts; a status that has no body gets none. */
export function responseOf(
  status: number,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array | string,
): Response {
  const isEmpty = [204, 304].includes(status)
  return new Response(isEmpty ? null : (body as string), {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })
}
