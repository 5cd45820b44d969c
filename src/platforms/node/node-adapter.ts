// Reads a request from Node's objects, and writes its response to them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { ApiError } from '../../api/errors.ts'
import { errorFormOf, targetLengthMax } from '../../api/routes.ts'
import { timingHeader } from '../../runtime/headers.ts'
import type { HttpReply, HttpRequest } from '../../runtime/http.ts'
import { errorReply } from '../../runtime/replies.ts'
import { countHeaders, headerOf, headersSize } from './raw-headers.ts'

/** The client that a request is counted for, and callbacks for its response. */
export interface AdapterOptions {
  /** @default the socket's address */
  readonly clientAddress?: (incoming: IncomingMessage) => string
  /** Called after every response. */
  readonly onResponse?: (entry: ResponseEntry) => void
  /** Called for a body that cannot be read to its end, with the request's id: the client sees a cut connection. */
  readonly onError?: (error: unknown, requestId: string) => void
  /** Sends `Server-Timing`: see `timingHeader`. @default false */
  readonly serverTiming?: boolean
}

/** A request and its response, for a log. */
export interface ResponseEntry {
  readonly method: string
  readonly target: string
  readonly clientAddress: string
  readonly reply: HttpReply
  /** Until the last byte was handed over. */
  readonly milliseconds: number
}

/** Bytes of a request's headers, as they were sent. */
export const headersBytesMax: number = 16 * 1024

/** One request of Node's HTTP server, and its response. */
export class NodeAdapter {
  readonly request: HttpRequest
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #options: AdapterOptions
  readonly #started = performance.now()

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, options: AdapterOptions) {
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#options = options
    this.request = {
      method: incoming.method ?? 'GET',
      target: originForm(incoming.url ?? '/'),
      clientAddress: options.clientAddress?.(incoming) ?? incoming.socket.remoteAddress ?? '',
      get body() {
        return Readable.toWeb(incoming) as ReadableStream<Uint8Array>
      },
      header: (name) => headerOf(incoming.rawHeaders, name),
    }
  }

  /**
   * The reply to a request whose headers are refused: too large (RFC 6585 §5), or one of HTTP/1.1 that does not name
   * its host once (RFC 9112 §3.2). The responder refuses a target that is too long, whatever its headers are.
   */
  refusal(): HttpReply | null {
    const { target } = this.request
    const error = target.length > targetLengthMax ? null : headersError(this.#incoming)
    return error === null ? null : errorReply(this.request, errorFormOf(target), error)
  }

  /** Sends a reply, at once where its body is in memory; never throws. */
  send(reply: HttpReply): void {
    const { body } = reply
    try {
      this.#sendHead(reply)
    } catch {
      // A header that Node refuses: nothing can be said any more.
      this.#outgoing.destroy()
      return
    }
    if (body === null || body instanceof Uint8Array) {
      this.#outgoing.end(body ?? undefined)
      this.#report(reply)
    } else {
      void sendParts(this.#outgoing, body)
        .catch((error) => this.#options.onError?.(error, requestIdOf(reply)))
        .then(() => this.#report(reply))
    }
  }

  #sendHead(reply: HttpReply): void {
    const flat: string[] = []
    for (const [name, value] of reply.headers) flat.push(name, value)
    if (this.#options.serverTiming === true) {
      flat.push(...timingHeader(reply, performance.now() - this.#started))
    }
    this.#outgoing.writeHead(reply.status, flat)
  }

  #report(reply: HttpReply): void {
    const { method, target, clientAddress } = this.request
    const milliseconds = performance.now() - this.#started
    this.#options.onResponse?.({ method, target, clientAddress, reply, milliseconds })
  }
}

function headersError({ rawHeaders, httpVersion }: IncomingMessage): ApiError | null {
  if (headersSize(rawHeaders) > headersBytesMax) return headersTooLarge()
  const hosts = countHeaders(rawHeaders, 'host')
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return null
  return new ApiError(400, 'The request needs one Host header.')
}

/** The error of headers beyond `headersBytesMax`. */
export function headersTooLarge(): ApiError {
  return new ApiError(431, `The headers are longer than ${headersBytesMax} bytes.`)
}

/** `http://host/path` as a proxy's client sends it (RFC 9112 §3.2.2) is answered as `/path`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const match = /^https?:\/\/[^/?#]*([^#]*)/i.exec(target)
  const rest = match?.[1] ?? target
  return rest.startsWith('/') ? rest : `/${rest}`
}

function requestIdOf({ headers }: HttpReply): string {
  return headers.find(([name]) => name === 'x-request-id')?.[1] ?? ''
}

/** @throws the error of a body that cannot be read to its end */
async function sendParts(
  outgoing: ServerResponse,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    for await (const part of parts) {
      if (outgoing.destroyed) return
      if (!outgoing.write(part)) await drained(outgoing)
    }
    outgoing.end()
  } catch (error) {
    // A cut response must not look like a whole one.
    outgoing.destroy()
    throw error
  }
}

/** Resolves when there is room again, or the connection is closed. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.on('drain', done)
    outgoing.on('close', done)
  })
}
