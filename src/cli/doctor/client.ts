// Requests a deployment with targets exactly as given, without normalization.
import { createHash } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

/** A response that was read completely. */
export interface ApiResponse {
  readonly status: number
  readonly text: string
  /** SHA-256 of the raw body, hexadecimal. */
  readonly sha256: string
  header(name: string): string | null
}

/** A request without its target. */
export interface Asking {
  /** @default 'GET' */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A client of one deployment. */
export interface Client {
  /** Returns the number of requests so far. */
  count(): number
  /** @throws Node's error if there is no response, even after a retry */
  send(target: string, asking?: Asking): Promise<ApiResponse>
  close(): void
}

/** Timeout of a response. */
const patienceMilliseconds = 20_000

/** @param connections maximum number of open connections */
export function createClient(base: URL, connections: number): Client {
  const isSecure = base.protocol === 'https:'
  const options = { keepAlive: true, maxSockets: connections }
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  const send = isSecure ? httpsRequest : httpRequest
  const prefix = base.pathname.replace(/\/$/, '')
  let sent = 0
  const sendOnce = (
    target: string,
    { method = 'GET', headers = {}, body = '' }: Asking,
  ): Promise<ApiResponse> => {
    sent += 1
    return new Promise((resolve, reject) => {
      const { hostname, port } = base
      const path = `${prefix}${target}`
      const all = { 'accept-encoding': 'identity', ...headers }
      const place = { hostname: hostname.replace(/^\[|\]$/g, ''), port, path, method, headers: all }
      const request = send({ ...place, agent, timeout: patienceMilliseconds }, (incoming) =>
        readResponse(incoming).then(resolve, reject),
      )
      request.on('timeout', () => request.destroy(new Error('no response in 20 s')))
      request.on('error', reject)
      request.end(body)
    })
  }
  return {
    count: () => sent,
    // Retries once, as the host may have just closed an idle connection.
    send: (target, asking = {}) => sendOnce(target, asking).catch(() => sendOnce(target, asking)),
    close: () => agent.destroy(),
  }
}

/** Returns a client that waits and retries once when it is rate-limited, as another check may have used the quota. */
export function patientClient(client: Client): Client {
  return {
    ...client,
    send: async (target, asking) => {
      const response = await client.send(target, asking)
      if (response.status !== 429) return response
      const seconds = Number(response.header('retry-after') ?? 1)
      await pause(Math.min(seconds, waitMaxSeconds) * 1000)
      return client.send(target, asking)
    },
  }
}

const waitMaxSeconds = 60

async function readResponse(incoming: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return {
    status: incoming.statusCode ?? 0,
    text: body.toString('utf8'),
    sha256: createHash('sha256').update(body).digest('hex'),
    header: (name) => {
      const value = incoming.headers[name]
      return Array.isArray(value) ? value.join(', ') : (value ?? null)
    },
  }
}
