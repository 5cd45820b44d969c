// The Node host: `node:http` in front of a responder, with limits on the size and the speed of requests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError, type ErrorForm, errorJson, errorLabels } from '../../api/errors.ts'
import { targetLengthMax, targetTooLong } from '../../api/routes.ts'
import type { HttpReply } from '../../runtime/http.ts'
import type { Responder } from '../../runtime/responder.ts'
import { Connections, connectionsMax } from './connections.ts'
import {
  type AdapterOptions,
  headersBytesMax,
  headersTooLarge,
  NodeAdapter,
} from './node-adapter.ts'
import { headerOf } from './raw-headers.ts'
import { type RequestLine, readRequestLine } from './request-line.ts'
import { type ListenAddress, listenAt } from './server-address.ts'

/** Options of `listen`. */
export interface ListenOptions extends AdapterOptions, ListenAddress {
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
  const connections = new Connections(Math.ceil(most / 2))
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.addResponse(incoming.socket, outgoing)
    const adapter = new NodeAdapter(incoming, outgoing, options)
    const send = (reply: HttpReply) => {
      // A closing server keeps no connection alive.
      if (!server.listening) outgoing.shouldKeepAlive = false
      if (hasLongBody(incoming)) closeUnread(incoming.socket, outgoing)
      adapter.send(reply)
    }
    const reply = adapter.refusal() ?? responder(adapter.request)
    if (reply instanceof Promise) void reply.then(send)
    else send(reply)
  }
  const server = createServer(
    {
      // Fits a target and headers at their limits, with room to spare, so that the adapter can report which is too
      // long.
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
  server.on('connection', (socket) => connections.add(socket))
  server.on('clientError', (error, socket: Socket) => respondToNonsense(error, socket, connections))
  server.on('connect', (_, socket) =>
    sendError(socket, new ApiError(405, 'This server is no proxy.'), 'v2'),
  )
  return {
    url: await listenAt(server, options),
    close: (grace = 10_000) => close(server, connections, grace),
  }
}

/** True while a body is unread that costs more to read than a new connection. */
function hasLongBody({ complete, rawHeaders }: IncomingMessage): boolean {
  if (complete) return false
  const length = Number(headerOf(rawHeaders, 'content-length'))
  return length > drainedBytesMax || headerOf(rawHeaders, 'transfer-encoding') !== null
}

const drainedBytesMax = 16 * 1024

/** Ends the connection after the response, without reading the rest of the request. */
function closeUnread(socket: Socket, outgoing: ServerResponse): void {
  outgoing.shouldKeepAlive = false
  // Node calls it after the response.
  socket.destroySoon = () => {
    socket.end(() => socket.pause())
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  }
}

/** Responds to input that is not HTTP in the format of all errors. */
function respondToNonsense(
  error: Error & { readonly code?: string; readonly rawPacket?: Uint8Array },
  socket: Socket,
  connections: Connections,
): void {
  // While a response is pending, another one would be sent in the middle of it. Silence needs no response.
  const isSilent = socket.bytesRead === 0
  if (
    isSilent ||
    !socket.writable ||
    error.code === 'ECONNRESET' ||
    connections.hasResponse(socket)
  ) {
    socket.destroy()
    return
  }
  const line = readRequestLine(error.rawPacket ?? new Uint8Array())
  sendError(socket, refusalOf(error.code, line), line.form)
}

function refusalOf(code: string | undefined, { targetBytes, isAscii }: RequestLine): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return targetBytes > targetLengthMax ? targetTooLong() : headersTooLarge()
  }
  // Many programs send a query as typed; a target is ASCII (RFC 9110 §7.1, RFC 3986 §2.1).
  const hint = isAscii
    ? ''
    : ' Percent-encode what is not ASCII in its target as UTF-8: é is %C3%A9.'
  return new ApiError(400, `The request is not valid HTTP.${hint}`)
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
  // The client has time to read the response, and need not close its side.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}

const lingerMilliseconds = 1000

function close(server: Server, connections: Connections, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    // Busy connections become idle later, and would stay open for `keepAliveTimeout`.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      connections.closeUnused()
    }, 100)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
