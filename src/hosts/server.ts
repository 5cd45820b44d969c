// The Node server: `node:http` in front of a responder, srvx behind it, and limits on the size and the speed of
// requests.
import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FastResponse, sendNodeResponse } from 'srvx/node'
import { ApiError, type ErrorForm, errorJson, errorLabels } from '../api/errors.ts'
import { errorFormOf, targetLengthMax, targetTooLong } from '../api/routes.ts'
import { readBody, responseOf } from '../runtime/handler.ts'
import { type HttpReply, type HttpRequest, timingHeader } from '../runtime/http.ts'
import { errorReply } from '../runtime/replies.ts'
import type { Responder } from '../runtime/responder.ts'
import { networkOf } from './client-address.ts'

/** Options of `nodeHandler`. */
export interface NodeOptions {
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

/** Responds to a request of Node's HTTP server; never rejects. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** Maximum size of a request's headers, in bytes as sent. */
const headersBytesMax: number = 16 * 1024

/** Returns a listener for `node:http`, and for the hosts and tools that pass its objects. */
export function nodeHandler(responder: Responder, options: NodeOptions = {}): NodeHandler {
  const { onResponse, onError, serverTiming = false } = options
  return async (incoming, outgoing) => {
    const started = performance.now()
    const request = requestOf(incoming, options)
    const reply = headersRefusal(incoming, request) ?? (await responder(request))
    const elapsed = () => performance.now() - started
    if (onResponse !== undefined) {
      const { method, target, clientAddress } = request
      outgoing.once('close', () =>
        onResponse({ method, target, clientAddress, reply, milliseconds: elapsed() }),
      )
    }
    const { body } = reply
    const isLong = body !== null && !(body instanceof Uint8Array)
    const sent = isLong ? { ...reply, body: inTurns(reply, body, onError) } : reply
    const more = serverTiming ? [timingHeader(reply, elapsed())] : []
    try {
      const response = responseOf(sent, more, FastResponse, STATUS_CODES[reply.status])
      await sendNodeResponse(outgoing, response)
    } catch {
      // Node refuses some headers; no response is possible then.
      outgoing.destroy()
    }
  }
}

function requestOf(incoming: IncomingMessage, { clientAddress }: NodeOptions): HttpRequest {
  return {
    method: incoming.method ?? 'GET',
    target: originForm(incoming.url ?? '/'),
    clientAddress: clientAddress?.(incoming) ?? incoming.socket.remoteAddress ?? '',
    readBody: (bytesMax) =>
      readBody(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, bytesMax),
    header: (name) => headerOf(incoming.rawHeaders, name),
  }
}

/** Treats `http://host/path`, as clients send it to proxies (RFC 9112 §3.2.2), as `/path`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = /^https?:\/\/[^/?#]*([^#]*)/i.exec(target)?.[1] ?? target
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Returns the value of a header, or null when absent. Repeated headers are joined with `, ` (RFC 9110 §5.3): Node's
 * own object drops a second Authorization, and costs more to build than the few look-ups of a response.
 *
 * @param rawHeaders alternating names and values
 * @param name in lower case
 */
export function headerOf(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue
    const value = rawHeaders[at + 1] ?? ''
    found = found === null ? value : `${found}, ${value}`
  }
  return found
}

/**
 * Returns the reply to a request with invalid headers: too large (RFC 6585 §5), or without exactly one Host in
 * HTTP/1.1 (RFC 9112 §3.2). The responder refuses targets that are too long, whatever their headers.
 */
function headersRefusal(incoming: IncomingMessage, request: HttpRequest): HttpReply | null {
  const { rawHeaders, httpVersion } = incoming
  if (request.target.length > targetLengthMax) return null
  // Each header is sent with a colon, a space and a line end.
  const bytes = rawHeaders.reduce((sum, part) => sum + part.length + 2, 0)
  const hosts = rawHeaders.filter((part, at) => at % 2 === 0 && /^host$/i.test(part)).length
  const refuse = (error: ApiError) => errorReply(request, errorFormOf(request.target), error)
  if (bytes > headersBytesMax) return refuse(headersTooLarge())
  const isHostless = hosts > 1 || (hosts === 0 && httpVersion === '1.1')
  return isHostless ? refuse(new ApiError(400, 'The request needs one Host header.')) : null
}

function headersTooLarge(): ApiError {
  return new ApiError(431, `The headers are longer than ${headersBytesMax} bytes.`)
}

/**
 * The parts of a long body, each in another turn of the event loop: a socket that accepts every write would otherwise
 * keep other requests waiting until the end of the body.
 */
async function* inTurns(
  { headers }: HttpReply,
  body: AsyncIterable<Uint8Array>,
  onError: NodeOptions['onError'],
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const part of body) {
      yield part
      await nextTurn()
    }
  } catch (error) {
    onError?.(error, headers.find(([name]) => name === 'x-request-id')?.[1] ?? '')
    // Fails the stream: a truncated response must not look complete.
    throw error
  }
}

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
}

/** Options of `listen`. */
export interface ListenOptions extends NodeOptions, ListenAddress {
  /** Timeouts for clients. */
  readonly patience?: Patience
  /** Further connections are closed at once, as are those of a client that has half as many. @default `connectionsMax` */
  readonly connectionsMax?: number
}

/** Timeouts after which a connection is cut, in milliseconds. */
export interface Patience {
  /** For the headers of a request. */
  readonly headers: number
  /** For a complete request. */
  readonly request: number
  /** Between two requests on a connection. */
  readonly idle: number
  /** Without progress of a response: a stalled reader holds memory that others need. */
  readonly stalled: number
}

const usualPatience: Patience = { headers: 10_000, request: 15_000, idle: 5_000, stalled: 30_000 }

/** A listening server. */
export interface NodeServer {
  /** `http://127.0.0.1:4321`. */
  readonly url: string
  /**
   * Stops accepting connections and resolves when the pending requests are answered, or after `graceMilliseconds`.
   */
  close(graceMilliseconds?: number): Promise<void>
}

/**
 * Serves a responder.
 *
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function listen(responder: Responder, options: ListenOptions): Promise<NodeServer> {
  const { patience = usualPatience, connectionsMax: most = connectionsMax() } = options
  /** The latest response on each connection; a connection sends its responses in order. */
  const connections = new Map<Socket, ServerResponse | null>()
  /** The number of connections of each client. */
  const clients = new Map<string, number>()
  const handle = nodeHandler(responder, options)
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.set(incoming.socket, outgoing)
    outgoing.shouldKeepAlive &&= server.listening
    void handle(incoming, outgoing)
  }
  const server = createServer(
    {
      // Fits a target and headers at their limits, with room to spare, so that we can report which is too long.
      maxHeaderSize: 2 * headersBytesMax,
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.idle,
      // Bounds how late a slow client is found; Node's default is 30 s.
      connectionsCheckingInterval: Math.min(1000, patience.headers / 2),
      // Node would respond without a body, also to an unknown `Expect`.
      requireHostHeader: false,
    },
    onRequest,
  )
  // Node's default silently drops headers beyond the first thousand, including a second Host or Authorization.
  server.maxHeadersCount = 0
  server.maxConnections = most
  server.setTimeout(patience.stalled, (socket) => socket.destroy())
  server.on('checkExpectation', onRequest)
  server.on('connection', (socket) => {
    const client = networkOf(socket.remoteAddress ?? '') ?? ''
    const open = (clients.get(client) ?? 0) + 1
    clients.set(client, open)
    connections.set(socket, null)
    socket.once('close', () => {
      const left = (clients.get(client) ?? 0) - 1
      if (left === 0) clients.delete(client)
      else clients.set(client, left)
      connections.delete(socket)
    })
    if (open > Math.ceil(most / 2)) socket.destroy()
  })
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const latest = connections.get(socket)
    // While a response is pending, another one would be sent in the middle of it. Silence needs no response.
    const isPending = latest && !latest.writableFinished && !latest.destroyed
    const isDue = socket.writable && socket.bytesRead > 0 && !isPending
    if (!isDue || error.code === 'ECONNRESET') socket.destroy()
    else sendError(socket, ...nonsenseError(error))
  })
  server.on('connect', (_, socket) =>
    sendError(socket, new ApiError(405, 'This server is not a proxy.'), 'v2'),
  )
  const close = async (graceMilliseconds = 10_000) => {
    // A closing server keeps no connection alive.
    for (const latest of connections.values()) if (latest) latest.shouldKeepAlive = false
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    // Busy connections become idle later; Node does not close those that never sent a byte.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
    }, 100)
    await new Promise((resolve) => server.close(resolve))
    clearTimeout(timer)
    clearInterval(sweep)
  }
  return { url: await listenAt(server, options), close }
}

/**
 * Starts listening.
 *
 * @returns the URL: `http://127.0.0.1:4321`
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function listenAt(server: Server, { host, port }: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
}

/** Returns three quarters of the files that the process may open: the rest is for the files of builds. */
function connectionsMax(): number {
  // The limit of macOS, on systems that do not tell.
  let limit = 10_240
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? limit)
  } catch {}
  return Math.floor(limit * 0.75)
}

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array }

/**
 * The error for a request that Node's parser refused, from the last bytes that the parser received.
 *
 * Earlier packets are gone. When they contained the method, a packet without a space can only be part of a long target
 * or of a long value. It counts as an unfinished target.
 */
function nonsenseError({ code, rawPacket }: ParserError): readonly [ApiError, ErrorForm] {
  const packet = Buffer.from(rawPacket ?? []).toString('latin1')
  const [line = ''] = packet.split('\n', 1)
  const [, target = ''] = /^[A-Z]+ (\S*)/.exec(line) ?? /^(\S*) HTTP\//.exec(line) ?? []
  const form = errorFormOf(target)
  if (code === 'HPE_HEADER_OVERFLOW') {
    const isMiddle = line === packet && !/\s/.test(line)
    const isTarget = isMiddle || target.length > targetLengthMax
    return [isTarget ? targetTooLong() : headersTooLarge(), form]
  }
  // Many programs send a query as typed; a target is ASCII (RFC 9110 §7.1, RFC 3986 §2.1).
  const hint = /[\x80-\xff]/.test(line)
    ? ' Percent-encode what is not ASCII in its target as UTF-8: é is %C3%A9.'
    : ''
  return [new ApiError(400, `The request is not valid HTTP.${hint}`), form]
}

/** Sends an error on a connection for which Node creates no response, and ends the connection. */
function sendError(socket: Duplex, error: ApiError, form: ErrorForm): void {
  const { status } = error
  const body = errorJson(form, error)
  const head = [
    `HTTP/1.1 ${status} ${errorLabels[status]}`,
    'content-type: application/json',
    'access-control-allow-origin: *',
    'cache-control: no-store',
    ...(status === 405 ? ['allow: GET, HEAD, OPTIONS'] : []),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // The client has a second to read the response, and need not close its side.
  setTimeout(() => socket.destroy(), 1000).unref()
}
