// The Node host: `node:http` in front of a handler.
// Knows nothing of content; every reply is the handler's, but for requests that are no HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ApiError, errorJson } from '../../api/errors.ts'
import type { Handler } from '../../runtime/handler.ts'
import type { HttpReply, HttpRequest } from '../../runtime/http.ts'

/** A server that listens. */
export interface NodeServer {
  /** `http://127.0.0.1:4321`. */
  readonly url: string
  /** Takes no new request, ends when those under way are answered. */
  close(): Promise<void>
}

/**
 * Listens with a handler.
 *
 * @param port 0 for any that is free
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function listen(
  handler: Handler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<NodeServer> {
  const server = createServer((incoming, outgoing) => {
    handler(requestOf(incoming)).then((reply) => send(outgoing, reply))
  })
  server.on('clientError', (_, socket) => {
    // What cannot be read as HTTP gets the same kind of answer as everything else.
    const body = errorJson('v2', new ApiError(400, 'The request is not valid HTTP.'))
    if (!socket.writable) return
    socket.end(
      `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { url: urlOf(server, host), close: () => close(server) }
}

function requestOf(incoming: IncomingMessage): HttpRequest {
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    header: (name) => {
      const value = incoming.headers[name]
      return value === undefined ? null : String(value)
    },
  }
}

function send(outgoing: ServerResponse, { status, headers, body }: HttpReply): void {
  const flat = headers.flat()
  if (body !== null) flat.push('content-length', String(body.length))
  outgoing.writeHead(status, flat)
  outgoing.end(body ?? undefined)
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}
