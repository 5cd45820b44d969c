// The Node host: `node:http` in front of a responder, with limits on what a client may send and how slowly.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError, type ErrorForm, errorJson, errorLabels } from '../../api/errors.ts'
import { targetLengthMax, targetTooLong } from '../../api/routes.ts'
import type { HttpReply } from '../../runtime/http.ts'
import type { Responder } from '../../runtime/responder.ts'
import { Connections } from './connections.ts'
import {
  type AdapterOptions,
  headersBytesMax,
  headersTooLarge,
  NodeAdapter,
} from './node-adapter.ts'
import { type RequestLine, readRequestLine } from './request-line.ts'
import { type ListenAddress, listenAt } from './server-address.ts'

/** How a server listens. */
export interface ListenOptions extends AdapterOptions, ListenAddress {
  /** How long clients may take. */
  readonly patience?: Patience
}

/** How long a client may take before its connection is cut, in milliseconds. */
export interface Patience {
  /** To send a request's headers. */
  readonly headers: number
  /** To send a whole request. */
  readonly request: number
  /** Between two requests on one connection. */
  readonly idle: number
  /** To take something of a response: a reader that takes nothing holds memory that others need. */
  readonly stalled: number
}

const usualPatience: Patience = { headers: 10_000, request: 15_000, idle: 5_000, stalled: 30_000 }

/** A server that listens. */
export interface NodeServer {
  /** `http://127.0.0.1:4321`. */
  readonly url: string
  /**
   * Takes no new connection, ends when the requests under way are answered; after `graceMilliseconds` it
   * ends all the same.
   */
  close(graceMilliseconds?: number): Promise<void>
}

/**
 * Listens with a responder.
 *
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function listen(responder: Responder, options: ListenOptions): Promise<NodeServer> {
  const connections = new Connections()
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.addResponse(incoming.socket, outgoing)
    const adapter = new NodeAdapter(incoming, outgoing, options)
    const send = (reply: HttpReply) => {
      // A server that is closing asks for no more on this connection.
      if (!server.listening) outgoing.shouldKeepAlive = false
      adapter.send(reply)
    }
    const reply = adapter.refusal() ?? responder(adapter.request)
    if (reply instanceof Promise) void reply.then(send)
    else send(reply)
  }
  const { patience = usualPatience } = options
  const server = createServer(
    {
      // A target and headers at their limits fit, and some more, so that an exchange says which of them is too long.
      maxHeaderSize: 2 * headersBytesMax,
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.idle,
      // How late a client that sends slowly on purpose is found; Node looks every 30 s.
      connectionsCheckingInterval: Math.min(1000, patience.headers / 2),
      // Node would answer without a body; so would it to an `Expect` that it does not know.
      requireHostHeader: false,
    },
    onRequest,
  )
  // By itself Node drops what is behind the first thousand unseen: a second Host or Authorization too.
  server.maxHeadersCount = 0
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

/** Input that is not HTTP gets the same kind of response as everything else. */
function respondToNonsense(
  error: Error & { readonly code?: string; readonly rawPacket?: Uint8Array },
  socket: Socket,
  connections: Connections,
): void {
  // Behind a request that is being answered another response would be in the middle of the first.
  if (!socket.writable || error.code === 'ECONNRESET' || connections.hasResponse(socket)) {
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
  // Many programs send a query as it was typed; a target is ASCII (RFC 9110 §7.1, RFC 3986 §2.1).
  const hint = isAscii
    ? ''
    : ' Percent-encode what is not ASCII in its target as UTF-8: é is %C3%A9.'
  return new ApiError(400, `The request is not valid HTTP.${hint}`)
}

/** An error on a connection for which Node makes no response, and the end of it. */
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
}

function close(server: Server, connections: Connections, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    // Connections that were busy become idle later, and would stay for `keepAliveTimeout`.
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
