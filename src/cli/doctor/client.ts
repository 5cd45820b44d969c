// Requests a deployment with targets exactly as given: `fetch` would normalize them.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { urlToHttpOptions } from 'node:url'

/** A request. @default method 'GET' */
export interface Asking {
  readonly target: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

/** A whole response: the SHA-256 of the body is hexadecimal, and an absent header is ''. */
export interface ApiResponse {
  readonly status: number
  readonly text: string
  readonly sha256: string
  header(name: string): string
}

/** Sends a request, and once more if there is no response: the host may have just closed an idle connection. */
export type Send = (asking: Asking) => Promise<ApiResponse>

/** @param connections maximum number of open connections */
export function createClient(
  base: URL,
  connections: number,
): { readonly send: Send; close(): void } {
  const [Agent, request] =
    base.protocol === 'https:' ? [HttpsAgent, httpsRequest] : [HttpAgent, httpRequest]
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const sendOnce: Send = async ({ target, method = 'GET', headers, body }) => {
    const outgoing = request({
      ...{ ...urlToHttpOptions(base), agent, method, timeout: 20_000 },
      path: `${base.pathname.replace(/\/$/, '')}${target}`,
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in 20 s')))
    outgoing.end(body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const bytes = await buffer(incoming)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const header = (name: string) => String(incoming.headers[name] ?? '')
    return { status: incoming.statusCode ?? 0, text: bytes.toString(), sha256, header }
  }
  const send: Send = (asking) => sendOnce(asking).catch(() => sendOnce(asking))
  return { send, close: () => agent.destroy() }
}
