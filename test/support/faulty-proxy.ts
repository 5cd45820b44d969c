// A proxy before a real store that loses, delays and damages what goes through it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What happens to a request. */
export type Fault =
  /** The connection ends before the store sees the request. */
  | 'reset'
  /** The store does what it is asked for, and its response is lost. */
  | 'lost'
  | 'slow'
  | '500'
  | '503'
  /** The body ends early; its length says so. */
  | 'broken'
  /** The body ends early, and its length is that of the rest. */
  | 'short'
  /** One bit of the body is another one. */
  | 'wrong'
  /** The bytes are of another range of the object, and the response says that they are of the right one. */
  | 'shifted'

/** The faults of every network; `shifted` is that of a broken cache. */
export const faults: readonly Fault[] = [
  ...(['reset', 'lost', 'slow', '500', '503', 'broken', 'short', 'wrong'] as const),
]

/** A request as a proxy sees it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
}

/** Decides about each request; what it awaits, the request waits for. */
export type Interference = (request: SeenRequest) => Promise<Fault | null> | Fault | null

/** A running proxy. */
export interface FaultyProxy {
  readonly endpoint: string
  /** How often each fault happened. */
  readonly counts: ReadonlyMap<Fault, number>
  stop(): Promise<void>
}

/** Starts a proxy before a server. */
export async function startProxy(target: string, interfere: Interference): Promise<FaultyProxy> {
  const counts = new Map<Fault, number>()
  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming)
    const { method = '', url: path = '' } = incoming
    const fault = await interfere({ method, path })
    if (fault !== null) counts.set(fault, (counts.get(fault) ?? 0) + 1)
    if (fault === 'reset') return void incoming.socket.destroy()
    if (fault === '500' || fault === '503') return void response.writeHead(Number(fault)).end()
    if (fault === 'shifted') shiftRange(incoming)
    const answered = await forward(target, incoming, body).catch(() => null)
    if (answered === null || fault === 'lost') return void incoming.socket.destroy()
    if (fault === 'slow') await pause(slowMilliseconds)
    reply(response, answered, fault)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Of a slow response: a client under test gives up before. */
export const slowMilliseconds = 2000

interface Answered {
  readonly incoming: IncomingMessage
  readonly body: Buffer
}

async function forward(target: string, original: IncomingMessage, body: Buffer): Promise<Answered> {
  const { method, url, headers } = original
  // With the same host, as the signature covers it.
  const outgoing = request(new URL(url ?? '/', target), { method, headers })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { incoming, body: await bodyOf(incoming) }
}

function reply(response: ServerResponse, { incoming, body }: Answered, fault: Fault | null): void {
  if (fault === 'shifted') shiftBack(incoming)
  const { statusCode = 500, headers } = incoming
  const half = body.subarray(0, body.length >> 1)
  if (fault === 'broken') {
    response.writeHead(statusCode, { ...headers, 'content-length': body.length + 1 })
    return void response.write(half, () => response.destroy())
  }
  const sent = fault === 'short' ? half : fault === 'wrong' ? flipped(body) : body
  const { 'transfer-encoding': _, ...kept } = headers
  response.writeHead(
    statusCode,
    statusCode === 204 ? kept : { ...kept, 'content-length': sent.length },
  )
  response.end(sent)
}

function shiftRange({ headers }: IncomingMessage): void {
  const { range } = headers
  if (range !== undefined) headers.range = range.replace(/\d+/g, (at) => `${Number(at) + 1}`)
}

function shiftBack({ headers }: IncomingMessage): void {
  const back = (at: string) => `${Number(at) - 1}`
  headers['content-range'] = headers['content-range']?.replace(/^bytes (\d+)-(\d+)/, (range) =>
    range.replace(/\d+/g, back),
  )
}

function flipped(body: Buffer): Buffer {
  const copy = Buffer.from(body)
  const place = Math.floor(copy.length / 3)
  if (copy.length > 0) copy[place] = (copy[place] ?? 0) ^ 1
  return copy
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
