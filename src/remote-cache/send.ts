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

/**
 * Sends a request. It is not repeated: without a remote cache a build takes longer, and waiting takes longer too.
 *
 * @param receive takes the body of a response with status 200
 * @returns the status
 * @throws Error when there is no response, it stops for `pauseMax`, is too long, breaks off, or takes longer than
 *   `pauseMax` and a second for each MB
 */
export async function sendRequest(
  request: RemoteRequest,
  receive: (chunk: Uint8Array) => void = () => {},
): Promise<number> {
  const { body, bytesMax, pauseMax } = request
  const seconds = Math.max(body?.bytes ?? 0, bytesMax) / 1_000_000
  const time = AbortSignal.timeout(Math.ceil(pauseMax + 1000 * seconds))
  try {
    const response = await respond(request, time)
    let length = 0
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > bytesMax) throw new Error(`the response is longer than ${bytesMax} bytes`)
      if (response.statusCode === 200) receive(chunk)
    }
    return response.statusCode ?? 0
  } catch (error) {
    throw time.aborted ? new Error('it is too slow') : error
  }
}

async function respond(request: RemoteRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url, headers, body, pauseMax } = request
  const open = url.protocol === 'https:' ? secure : plain
  const length = body === undefined ? {} : { 'content-length': String(body.bytes) }
  const outgoing: ClientRequest = open(url, { method, headers: { ...headers, ...length }, signal })
  outgoing.setTimeout(pauseMax, () => {
    outgoing.destroy(new Error(`there is no response within ${pauseMax / 1000} s`))
  })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  if (body === undefined) outgoing.end()
  // A server may respond before it has the whole body, and then close: its status says more than the broken pipe.
  else await Promise.race([pipeline(body.stream, outgoing), response]).catch(() => {})
  return response
}
