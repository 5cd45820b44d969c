// The Node server: `node:http` in front of a responder, with limits on the size and the speed of requests.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, isIP, type Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../api/errors.ts'
import { targetLengthMax, targetTooLong } from '../api/routes.ts'
import { readBody } from '../runtime/handler.ts'
import {
  forOrigin,
  type Header,
  type HttpReply,
  type HttpRequest,
  timingHeader,
} from '../runtime/http.ts'
import { badMethod, errorReply } from '../runtime/replies.ts'
import type { Responder } from '../runtime/responder.ts'

/** Options of `nodeHandler`. */
export interface NodeOptions {
  /** Returns the address by which a request is counted. @default the socket's address */
  readonly clientAddress?: (incoming: IncomingMessage) => string
  /** Called after every response. */
  readonly onResponse?: (entry: ResponseEntry) => void
  /** Called when a body cannot be read to its end, with the request's id. The connection is aborted. */
  readonly onError?: (error: unknown, requestId: string) => void
  /** Sends `Server-Timing` (see `timingHeader`). @default false */
  readonly serverTiming?: boolean
  /** Called before a response is written. */
  readonly prepare?: (incoming: IncomingMessage, outgoing: ServerResponse) => void
}

/** A request and its response, for logs. */
export interface ResponseEntry extends Pick<HttpRequest, 'method' | 'target' | 'clientAddress'> {
  readonly reply: HttpReply
  /** Milliseconds until the last byte was passed to the socket. */
  readonly milliseconds: number
}

/** Returns a listener for `node:http`, and for hosts and tools that pass objects of `node:http`. It never rejects. */
export function nodeHandler(
  responder: Responder,
  options: NodeOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const { clientAddress, onResponse, onError, serverTiming = false, prepare } = options
  return async (incoming, outgoing) => {
    const started = performance.now()
    const elapsed = () => performance.now() - started
    const about = {
      method: incoming.method ?? 'GET',
      target: originForm(incoming.url ?? '/'),
      clientAddress: clientAddress?.(incoming) ?? incoming.socket.remoteAddress ?? '',
    }
    const request: HttpRequest = {
      ...about,
      readBody: (max) => readBody(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, max),
      // Node's `headers` drop a second Authorization.
      header: (name) => incoming.headersDistinct[name]?.join(', ') ?? null,
    }
    const reply = hostRefusal(incoming, request) ?? (await responder(request))
    outgoing.once('close', () => onResponse?.({ ...about, reply, milliseconds: elapsed() }))
    const { status, headers, body } = reply
    const sent: Header[] = [...headers]
    if (serverTiming) sent.push(timingHeader(reply, elapsed()))
    prepare?.(incoming, outgoing)
    try {
      outgoing.writeHead(status, sent.flat())
      if (body === null || body instanceof Uint8Array) outgoing.end(body)
      else await pipeline(body, takeTurns, outgoing)
    } catch (error) {
      // A truncated response must not look complete. Node refuses some headers; no response is possible then.
      outgoing.destroy()
      const isGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
      if (!isGone) onError?.(error, headers.find(([name]) => name === 'x-request-id')?.[1] ?? '')
    }
  }
}

/** Returns `/path` for `http://host/path`, which clients send to proxies (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** Returns the error reply to an HTTP/1.1 request without exactly one Host (RFC 9112 §3.2); null for other requests. */
function hostRefusal(incoming: IncomingMessage, request: HttpRequest): HttpReply | null {
  const hosts = incoming.headersDistinct['host']?.length ?? 0
  if (hosts === 1 || (hosts === 0 && incoming.httpVersion !== '1.1')) return null
  return errorReply(request, new ApiError(400, 'The request needs one Host header.'))
}

/**
 * Yields the parts of a long body, each in another turn of the event loop. Otherwise, a socket that accepts every write
 * would keep other requests waiting until the end of the body.
 */
async function* takeTurns(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of body) {
    yield part
    await nextTurn()
  }
}

/** Options of `listen`. */
export interface ListenOptions extends NodeOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Milliseconds after which a connection is closed. */
  readonly timeouts?: typeof defaultTimeouts
}

const defaultTimeouts = {
  /** Maximum time for the headers of a request. */
  headers: 10_000,
  /** Maximum time for a complete request. */
  request: 15_000,
  /** Maximum time between two requests on a connection. */
  idle: 5_000,
  /** Maximum time without progress of a response, because a stalled reader keeps memory in use. */
  stalled: 30_000,
}

/** Maximum size of a request's line and headers, in bytes. */
const headBytesMax = 16 * 1024

/** A listening server, at `http://127.0.0.1:4321`. */
export interface NodeServer {
  readonly url: string
  /** Accepts no more connections; resolves when pending requests have responses, at the latest after the time. */
  close(graceMilliseconds?: number): Promise<void>
}

/**
 * Serves a responder.
 *
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function listen(responder: Responder, options: ListenOptions): Promise<NodeServer> {
  const { host, port, timeouts: patience = defaultTimeouts } = options
  const server = createServer({
    maxHeaderSize: headBytesMax,
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    // Limits the delay until a slow client is detected. Node's default is 30 s.
    connectionsCheckingInterval: Math.min(1000, patience.headers / 2),
    // By default, Node would respond without a body.
    requireHostHeader: false,
  })
  const handle = nodeHandler(async (request) => {
    const reply = await responder(request)
    // A closing server does not keep connections open.
    return server.listening
      ? reply
      : { ...reply, headers: [...reply.headers, ['connection', 'close']] }
  }, options)
  /** The latest response on each connection; a connection sends its responses in order. */
  const connections = new Map<Socket, ServerResponse | null>()
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.set(incoming.socket, outgoing)
    void handle(incoming, outgoing)
  }
  server.on('request', onRequest)
  server.on('checkExpectation', onRequest)
  // By default, Node silently drops headers after the first thousand, including a second Host or Authorization.
  server.maxHeadersCount = 0
  server.setTimeout(patience.stalled, (socket) => socket.destroy())
  server.on('connection', (socket) => {
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const latest = connections.get(socket)
    // While a response is pending, another one would be sent in the middle of it. An idle connection needs no response.
    const isPending = latest && !latest.writableFinished && !latest.destroyed
    const isDue = socket.writable && socket.bytesRead > 0 && !isPending
    if (!isDue || error.code === 'ECONNRESET') socket.destroy()
    else sendReply(socket, parserReply(error))
  })
  // Node would close the connection without a response.
  server.on('connect', ({ method = '', url: target = '' }, socket) =>
    sendReply(socket, errorReply({ method, target }, badMethod)),
  )
  const close = async (graceMilliseconds = 10_000) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    // Busy connections become idle later. Node does not close connections that never sent a byte.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
    }, 100)
    await new Promise((resolve) => server.close(resolve))
    clearTimeout(timer)
    clearInterval(sweep)
  }
  await once(server.listen(port, host), 'listening')
  const actual = (server.address() as AddressInfo).port
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, close }
}

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array }

/**
 * Returns the reply to a request that Node's parser refused, from the last bytes that were received. If earlier packets
 * contained the method, a packet without a space can only be a part of a long target or of a long value. It counts as
 * an unfinished target.
 */
function parserReply({ code, rawPacket }: ParserError): HttpReply {
  const packet = Buffer.from(rawPacket ?? []).toString('latin1')
  const [line = ''] = packet.split('\n', 1)
  const isMethod = code === 'HPE_INVALID_METHOD'
  const form = isMethod ? /^([!#-'*+.^`|~\w-]+) (\S+) HTTP\/1\.[01]\r?$/ : /^([A-Z]+) (\S*)/
  const [, method = '', target = ''] = form.exec(line) ?? /^()(\S*) HTTP\//.exec(line) ?? []
  const refuse = (error: ApiError) => errorReply({ method, target }, error)
  if (code === 'HPE_HEADER_OVERFLOW') {
    const isMiddle = line === packet && !/\s/.test(line)
    if (isMiddle || target.length > targetLengthMax) return refuse(targetTooLong())
    return refuse(new ApiError(431, `The headers are longer than ${headBytesMax} bytes.`))
  }
  if (isMethod && method !== '') return refuse(badMethod)
  // Many programs send a query without encoding, but a target is ASCII (RFC 9110 §7.1, RFC 3986 §2.1).
  const isEncoded = !/[\x80-\xff]/.test(line)
  const hint = ' Percent-encode non-ASCII characters in its target as UTF-8: é is %C3%A9.'
  return refuse(new ApiError(400, `The request is not valid HTTP.${isEncoded ? '' : hint}`))
}

/** Sends a reply on a connection for which Node creates no response, and ends the connection. */
function sendReply(socket: Duplex, { status, headers, body }: HttpReply): void {
  const lines = [...headers, ['connection', 'close']].map((header) => `${header.join(': ')}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
  socket.end(body as Uint8Array)
  // The client has a second to read the response. It does not need to close its side.
  setTimeout(() => socket.destroy(), 1000).unref()
}

const foreignHost = new ApiError(
  403,
  'quarry dev responds to localhost and 127.0.0.1 only. For other host names, start it with --host 0.0.0.0.',
)

/**
 * Wraps a responder for content that is not published: only pages of this machine, on any port, may read it. A server
 * that listens on the loopback address refuses other host names (DNS rebinding).
 *
 * @param host the host name that the server listens on; '' for a server that verifies host names itself
 */
export function localOnly(responder: Responder, host: string): Responder {
  return async (request) => {
    const isRefused = isLoopback(host.toLowerCase()) && !isLocalHost(request, host)
    const reply = isRefused ? errorReply(request, foreignHost) : await responder(request)
    const origin = isRefused ? '' : (request.header('origin') ?? '')
    const name = /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin).hostname : ''
    const isAllowed = name !== '' && (isLoopback(name) || name === hostOf(request))
    return forOrigin(reply, isAllowed ? origin : null)
  }
}

/** Returns false if the request names another host, as after DNS rebinding. */
export function isLocalHost(request: HttpRequest, host: string): boolean {
  const name = hostOf(request)
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  return isAddress || name === host.toLowerCase() || /(^|\.)localhost$/.test(name)
}

/** Returns the host name of a request in lower case, without the port. */
function hostOf(request: HttpRequest): string {
  return (request.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
}

function isLoopback(name: string): boolean {
  return /(^|\.)localhost$|^\[?::1\]?$/.test(name) || (isIP(name) === 4 && name.startsWith('127.'))
}
