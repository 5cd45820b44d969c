// Sends one request and streams its body and response: packs may be as large as a gigabyte.
import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A request to a remote cache. */
export interface RemoteRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: { readonly bytes: number; readonly stream: Readable }
  /** Maximum size of the response; longer ones are refused. */
  readonly bytesMax: number
  /** The longest pause without a byte, in milliseconds. */
  readonly pauseMax: number
}

/** A failure that a retry would not fix, or would take too long. */
export class LastingError extends Error {}

/**
 * Sends a request once.
 *
 * @param receive takes the body of a response with status 200, one chunk at a time
 * @returns the status
 * @throws Error when there is no response, or it breaks off; LastingError when it is too long, stalls, or lags
 *   `pauseMax` behind 1 MB a second
 */
export async function sendRequest(
  request: RemoteRequest,
  receive: (chunk: Uint8Array) => void | Promise<void> = () => {},
): Promise<number> {
  const { bytesMax } = request
  const pace = new Pace(request)
  try {
    const response = await respond(request, pace)
    let length = 0
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      length += chunk.length
      pace.moved += chunk.length
      if (length > bytesMax) throw new LastingError(`the response is longer than ${bytesMax} bytes`)
      if (response.statusCode === 200) await receive(chunk)
    }
    return response.statusCode ?? 0
  } catch (error) {
    throw pace.signal.aborted ? new LastingError('it is too slow') : error
  } finally {
    pace.end()
  }
}

const slowestBytes = 1_000_000

/** Aborts a request that lags `pauseMax` behind 1 MB a second. Sizes stated by a list do not extend the limit. */
class Pace {
  /** Bytes sent or received. */
  moved = 0
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor({ body, bytesMax, pauseMax }: RemoteRequest) {
    const started = performance.now()
    const all = pauseMax + (1000 * Math.max(body?.bytes ?? 0, bytesMax)) / slowestBytes
    this.#timer = setInterval(() => {
      const elapsed = performance.now() - started
      const isLate = elapsed > pauseMax + (1000 * this.moved) / slowestBytes
      // A finished upload waits for its response.
      const isSent = body !== undefined && this.moved >= body.bytes
      if ((isLate && !isSent) || elapsed > all) this.#controller.abort()
    }, 100)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

async function respond(request: RemoteRequest, pace: Pace): Promise<IncomingMessage> {
  const { method, url, headers, body, pauseMax } = request
  const { signal } = pace
  const open = url.protocol === 'https:' ? secure : plain
  const length = body === undefined ? {} : { 'content-length': String(body.bytes) }
  const outgoing: ClientRequest = open(url, { method, headers: { ...headers, ...length }, signal })
  outgoing.setTimeout(pauseMax, () => {
    outgoing.destroy(new LastingError(`there is no response within ${pauseMax / 1000} s`))
  })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  if (body === undefined) outgoing.end()
  // A server may respond before it has read the whole body, and then close: its status is more informative than the
  // broken pipe.
  else
    await Promise.race([pipeline(counted(body.stream, pace), outgoing), response]).catch(() => {})
  return response
}

async function* counted(stream: Readable, pace: Pace): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    yield chunk
    pace.moved += chunk.length
  }
}
