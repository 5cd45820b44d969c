// Sends one request, and again as the server asks to wait; what comes back is data or a failure, never a throw.
// Knows nothing of resources.
import { type Failure, failureOf, type Result } from './failure.ts'

/** How requests are sent. */
export interface TransportOptions {
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch
  /** How often a request is sent again after a 429 or 503. @default 2 */
  readonly retries?: number
  /** The longest wait that is obeyed, in seconds; with a longer one the failure comes at once. @default 30 */
  readonly retryAfterMaxSeconds?: number
}

/** What steers one request. */
export interface RequestOptions {
  readonly signal?: AbortSignal
}

/** Sends a GET; retries as `Retry-After` says. */
export async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  { fetch: ask = fetch, retries = 2, retryAfterMaxSeconds = 30 }: TransportOptions,
  { signal = null }: { readonly signal?: AbortSignal | null | undefined },
): Promise<Result<unknown>> {
  for (let left = retries; ; left--) {
    try {
      const response = await ask(url, { headers, signal })
      const body: unknown = await response.json().catch(() => undefined)
      if (response.ok && body !== undefined) return { ok: true, data: body }
      const wait = Number(response.headers.get('retry-after') ?? 1)
      const mayRetry = response.status === 429 || response.status === 503
      if (!mayRetry || left <= 0 || !(wait <= retryAfterMaxSeconds)) {
        return { ok: false, error: failureOf(response.status, body, wait) }
      }
      await pause(wait * 1000, signal)
    } catch (cause) {
      return { ok: false, error: interruption(cause, signal) }
    }
  }
}

function interruption(cause: unknown, signal: AbortSignal | null): Failure {
  const message = cause instanceof Error ? cause.message : String(cause)
  return { type: signal?.aborted === true ? 'aborted' : 'network', message, cause }
}

/** @throws the signal's reason when it ends the wait */
function pause(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
