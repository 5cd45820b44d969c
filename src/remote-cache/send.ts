// One request and its response, as streams: packs may have a gigabyte.
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
  /** A longer response is refused. */
  readonly bytesMax: number
  /** The longest pause without a byte, in milliseconds. */
  readonly pauseMax: number
}

/** A failure that another attempt would not change, or that costs a build too much time. */
export class LastingError extends Error {}

/**
 * Sends a request once.
 *
 * @param receive takes the body of a response with status 200; the next part is read when it has taken one
 * @returns the status
 * @throws Error when there is no response, or it breaks off; LastingError when it is too long, or stops or lags behind
 *   1 MB a second for `pauseMax`
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

/** Ends a request that is behind 1 MB a second by `pauseMax`: what a list says of sizes gives no server more time. */
class Pace {
  /** Bytes that were sent or received. */
  moved = 0
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor({ body, bytesMax, pauseMax }: RemoteRequest) {
    const started = performance.now()
    const all = pauseMax + (1000 * Math.max(body?.bytes ?? 0, bytesMax)) / slowestBytes
    this.#timer = setInterval(() => {
      const elapsed = performance.now() - started
      const isLate = elapsed > pauseMax + (1000 * this.moved) / slowestBytes
      // An upload that has ended waits for its response.
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
  // A server may respond before it has the whole body, and then close: its status says more than the broken pipe.
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
