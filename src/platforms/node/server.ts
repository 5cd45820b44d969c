// The Node host: `node:http` in front of a handler, with limits on what a client may send and how slowly.
// Knows nothing of content; every reply is the handler's, but for requests that are no HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorStatus, errorJson } from '../../api/errors.ts'
import { versionOf } from '../../api/routes.ts'
import type { Handler } from '../../runtime/handler.ts'
import type { HttpReply, HttpRequest } from '../../runtime/http.ts'
import { errorReply } from '../../runtime/replies.ts'
import { Connections } from './connections.ts'

/** How a server listens. */
export interface ListenOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** Whom a request is counted for. @default the socket's address */
  readonly clientAddress?: (incoming: IncomingMessage) => string
  /** Told of every request that was answered. */
  readonly onAnswer?: (entry: AnswerEntry) => void
}

/** A request and what became of it, for a log. */
export interface AnswerEntry {
  readonly method: string
  readonly target: string
  readonly clientAddress: string
  readonly reply: HttpReply
  /** Until the last byte was handed over. */
  readonly milliseconds: number
}

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
 * Listens with a handler.
 *
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function listen(handler: Handler, options: ListenOptions): Promise<NodeServer> {
  const connections = new Connections()
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.addAnswer(incoming.socket, outgoing)
    const answering: Handler = async (request) => {
      const reply = await handler(request)
      // A server that is closing asks for no more on this connection.
      if (!server.listening) outgoing.shouldKeepAlive = false
      return reply
    }
    void answer(answering, options, incoming, outgoing)
  }
  const server = createServer(
    // A request line of 8 KiB and usual headers fit; the times cut off clients that send slowly on purpose.
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 5_000,
      // Node would answer without a body; so would it to an `Expect` that it does not know.
      requireHostHeader: false,
    },
    onRequest,
  )
  // A reader that takes nothing for so long holds memory that others need.
  server.setTimeout(30_000, (socket) => socket.destroy())
  server.on('checkExpectation', onRequest)
  server.on('connection', (socket) => connections.add(socket))
  server.on('clientError', (error, socket: Socket) => answerNonsense(error, socket, connections))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    url: urlOf(server, options.host),
    close: (grace = 10_000) => close(server, connections, grace),
  }
}

async function answer(
  handler: Handler,
  options: ListenOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const started = performance.now()
  const request = requestOf(incoming, options)
  const reply = hostless(incoming, request) ?? (await handler(request))
  try {
    await send(outgoing, reply, performance.now() - started)
  } catch {
    // The body could not be read to its end: a cut answer must not look like a whole one.
    outgoing.destroy()
  }
  // A body that nobody reads would hold the connection.
  incoming.resume()
  const { method, target, clientAddress } = request
  options.onAnswer?.({
    method,
    target,
    clientAddress,
    reply,
    milliseconds: performance.now() - started,
  })
}

function requestOf(incoming: IncomingMessage, options: ListenOptions): HttpRequest {
  return {
    method: incoming.method ?? 'GET',
    target: originForm(incoming.url ?? '/'),
    clientAddress: options.clientAddress?.(incoming) ?? incoming.socket.remoteAddress ?? '',
    header: (name) => headerOf(incoming, name),
  }
}

/** A request of HTTP/1.1 names its host once (RFC 9112 §3.2). */
function hostless(incoming: IncomingMessage, request: HttpRequest): HttpReply | null {
  // Names and values take turns; Node's own list of distinct headers is dear.
  const isHost = (name: string, at: number) => at % 2 === 0 && /^host$/i.test(name)
  const hosts = incoming.rawHeaders.filter(isHost).length
  if (hosts === 1 || (hosts === 0 && incoming.httpVersion !== '1.1')) return null
  const error = new ApiError(400, 'The request needs one Host header.')
  return errorReply(request, versionOf(request.target), error)
}

function headerOf(incoming: IncomingMessage, name: string): string | null {
  // Node keeps the first of two Authorization headers: both must be seen to be refused. To tell headers
  // apart costs more than everything else here, so that it is done for this one alone.
  if (name === 'authorization') return incoming.headersDistinct[name]?.join(', ') ?? null
  const value = incoming.headers[name]
  return typeof value === 'string' ? value : (value?.join(', ') ?? null)
}

/** `http://host/path` as a proxy's client sends it (RFC 9112 §3.2.2) is answered as `/path`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const match = /^https?:\/\/[^/?#]*([^#]*)/i.exec(target)
  const rest = match?.[1] ?? target
  return rest.startsWith('/') ? rest : `/${rest}`
}

async function send(
  outgoing: ServerResponse,
  { status, headers, body, source }: HttpReply,
  milliseconds: number,
): Promise<void> {
  const timing = `app;dur=${milliseconds.toFixed(2)};desc="${source}"`
  outgoing.writeHead(status, [...headers.flat(), 'server-timing', timing])
  if (body === null || body instanceof Uint8Array) {
    outgoing.end(body ?? undefined)
    return
  }
  for await (const part of body) {
    if (outgoing.destroyed) return
    if (!outgoing.write(part)) await drained(outgoing)
  }
  outgoing.end()
}

/** Resolves when there is room again, or nobody reads any more. */
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

/** What cannot be read as HTTP gets the same kind of answer as everything else. */
function answerNonsense(
  error: Error & { readonly code?: string },
  socket: Socket,
  connections: Connections,
): void {
  // Behind a request that is being answered another answer would stand in the middle of the first.
  if (!socket.writable || error.code === 'ECONNRESET' || connections.hasAnswer(socket)) {
    socket.destroy()
    return
  }
  const [status, message]: [ErrorStatus, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [414, 'The target or the headers are too long.']
      : [400, 'The request is not valid HTTP.']
  const body = errorJson('v2', new ApiError(status, message))
  const head = [
    `HTTP/1.1 ${status} ${status === 414 ? 'URI Too Long' : 'Bad Request'}`,
    'content-type: application/json',
    'access-control-allow-origin: *',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
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
