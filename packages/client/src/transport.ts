// Sends a GET with retries. Every outcome is data or a failure. It never throws.
import { type Failure, failureOf, type Result } from './failure.ts'

/** Options of one request, as for `fetch`: `signal`, `cache`, or `next` in Next.js. `method` and `body` are fixed. */
export type RequestOptions = Omit<RequestInit, 'method' | 'body'>

/** Options for all requests of a client. */
export interface TransportOptions {
  /** @default the global `fetch`, looked up for each request */
  readonly fetch?: typeof fetch
  /** Options of every request. The options of a call take precedence. */
  readonly init?: RequestOptions
  /** The number of retries after a 429 or 503. @default 2 */
  readonly retries?: number
  /** The longest accepted wait, in seconds. A longer `Retry-After` fails immediately. @default 30 */
  readonly retryAfterMaxSeconds?: number
}

/** Sends a GET. Retries after the time in `Retry-After`. */
export async function send(
  url: string,
  authorization: string | undefined,
  { fetch: ask, init, retries = 2, retryAfterMaxSeconds = 30 }: TransportOptions,
  options: RequestOptions | undefined,
): Promise<Result<unknown>> {
  const { signal } = { ...init, ...options }
  for (let tries = 0; ; tries++) {
    try {
      const headers = new Headers(init?.headers)
      new Headers(options?.headers).forEach((value, name) => {
        headers.set(name, value)
      })
      if (authorization !== undefined) headers.set('authorization', authorization)
      const response = await (ask ?? fetch)(url, { ...init, ...options, headers })
      const body = parse(await response.text())
      // The function of a site does not know the signal.
      signal?.throwIfAborted()
      if (response.ok && body !== undefined) return { ok: true, data: body }
      const { status } = response
      const wait = waitOf(response, 2 ** tries)
      if ((status !== 429 && status !== 503) || tries >= retries || wait > retryAfterMaxSeconds) {
        return { ok: false, error: failureOf(status, body, wait) }
      }
      await pause(wait * 1000, signal)
    } catch (cause) {
      return { ok: false, error: interruption(cause, signal) }
    }
  }
}

/** Parses JSON; returns undefined if `text` is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the number of seconds to wait. `Retry-After` has seconds or a date (RFC 9110 §10.2.3). */
function waitOf({ headers }: Response, fallback: number): number {
  const text = headers.get('retry-after') ?? ''
  const isDate = Number.isNaN(Number(text))
  const seconds = isDate ? (Date.parse(text) - Date.now()) / 1000 : Number.parseFloat(text)
  return seconds >= 0 ? Math.ceil(seconds) : fallback
}

function interruption(cause: unknown, signal: AbortSignal | null | undefined): Failure {
  const { message, cause: reason } = cause instanceof Error ? cause : new Error(String(cause))
  // Node and Bun report "fetch failed", with the reason in `cause`.
  const more = reason instanceof Error && reason.message !== '' ? `: ${reason.message}` : ''
  return { type: signal?.aborted ? 'aborted' : 'network', message: `${message}${more}`, cause }
}

/** Waits. Rejects with the signal's reason if the signal aborts the wait. */
function pause(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
