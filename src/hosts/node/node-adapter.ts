// Reads requests from Node's objects and writes responses to them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../api/errors.ts'
import { errorFormOf, targetLengthMax } from '../../api/routes.ts'
import { timingHeader } from '../../runtime/headers.ts'
import type { HttpReply, HttpRequest } from '../../runtime/http.ts'
import { errorReply } from '../../runtime/replies.ts'
import { countHeaders, headerOf, headersSize } from './raw-headers.ts'

/** Options of a `NodeAdapter`. */
export interface AdapterOptions {
  /** Returns the client that a request is counted for. @default the socket's address */
  readonly clientAddress?: (incoming: IncomingMessage) => string
  /** Called after every response. */
  readonly onResponse?: (entry: ResponseEntry) => void
  /** Called when a body cannot be read to its end, with the request's id. The client sees an aborted connection. */
  readonly onError?: (error: unknown, requestId: string) => void
  /** Sends `Server-Timing`: see `timingHeader`. @default false */
  readonly serverTiming?: boolean
}

/** A request and its response, for logs. */
export interface ResponseEntry {
  readonly method: string
  readonly target: string
  readonly clientAddress: string
  readonly reply: HttpReply
  /** Until the last byte is handed to the socket. */
  readonly milliseconds: number
}

/** Maximum size of a request's headers, in bytes as sent. */
export const headersBytesMax: number = 16 * 1024

/** A request of Node's HTTP server and its response. */
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
      readBody: (bytesMax) => readBody(incoming, bytesMax),
      header: (name) => headerOf(incoming.rawHeaders, name),
    }
  }

  /**
   * Returns the reply to a request with invalid headers: too large (RFC 6585 §5), or without exactly one Host in
   * HTTP/1.1 (RFC 9112 §3.2). The responder refuses targets that are too long, whatever their headers.
   */
  refusal(): HttpReply | null {
    const { target } = this.request
    const error = target.length > targetLengthMax ? null : headersError(this.#incoming)
    return error === null ? null : errorReply(this.request, errorFormOf(target), error)
  }

  /** Sends a reply, at once when its body is in memory. Never throws. */
  send(reply: HttpReply): void {
    const { body } = reply
    try {
      this.#sendHead(reply)
    } catch {
      // Node refused a header; no response is possible any more.
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

/** The error for headers larger than `headersBytesMax`. */
export function headersTooLarge(): ApiError {
  return new ApiError(431, `The headers are longer than ${headersBytesMax} bytes.`)
}

/** Treats `http://host/path`, as clients send it to proxies (RFC 9112 §3.2.2), as `/path`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const match = /^https?:\/\/[^/?#]*([^#]*)/i.exec(target)
  const rest = match?.[1] ?? target
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Reads a body. A chunk counts as 128 bytes at least: a chunk of one byte costs as much. */
function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = []
    let size = 0
    incoming.on('data', (part: Uint8Array) => {
      size += Math.max(part.length, 128)
      if (size > bytesMax) resolve(null)
      else parts.push(part)
    })
    incoming.on('end', () => resolve(Buffer.concat(parts)))
    incoming.on('error', reject)
  })
}

function requestIdOf({ headers }: HttpReply): string {
  return headers.find(([name]) => name === 'x-request-id')?.[1] ?? ''
}

/** @throws when the body cannot be read to its end */
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
    // Truncated responses must not look complete.
    outgoing.destroy()
    throw error
  }
}

/** Resolves when the buffer has room again, or the connection closes. */
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
