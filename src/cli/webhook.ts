// Delivers one signed message to a webhook.
import { createHmac, type KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { UseError } from '../config.ts'

/** A receiver of messages. */
export interface WebhookTarget {
  /** Without credentials and fragment. */
  readonly url: string
  /** Headers with the credentials of the URL. */
  readonly headers: Readonly<Record<string, string>>
  /** Name in messages: its origin and its position among the flags. Path and query may contain a token. */
  readonly name: string
}

/** A message with its signature. */
export interface SignedMessage {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Maximum attempts per target, including the first. */
export const triesMax = 3

/** Returns the targets of URLs. @throws UseError for a URL that is not HTTP; no message repeats a URL */
export function webhookTargets(urls: readonly string[]): readonly WebhookTarget[] {
  return urls.map((text, index) => {
    const place = `--url ${index + 1}`
    const url = URL.canParse(text) ? new URL(text) : null
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new UseError(`${place} is not a URL of http or https.`)
    }
    const headers = credentialHeaders(url, place)
    Object.assign(url, { username: '', password: '', hash: '' })
    return { url: url.href, headers, name: `${url.origin} (${place})` }
  })
}

/** Needed because `fetch` rejects URLs with credentials. */
function credentialHeaders(
  { username, password }: URL,
  place: string,
): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  } catch {
    throw new UseError(`${place} has credentials with a wrong percent-encoding.`)
  }
}

/** Signs a message with an HMAC-SHA-256 over the bytes of its body. */
export function signMessage(body: string, delivery: string, secret: KeyObject): SignedMessage {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-quarry-delivery': delivery,
    'x-quarry-signature': `sha256=${signature}`,
  }
  return { body, headers }
}

/**
 * Posts a message, at most three times, with growing pauses. Does not follow redirects, which could send the message to
 * another host.
 *
 * @param deadlineMilliseconds timeout of each attempt; the pauses are a tenth of it, then three tenths
 * @returns the problem of the last attempt; null if the target accepted the message
 */
export async function deliver(
  target: WebhookTarget,
  message: SignedMessage,
  deadlineMilliseconds: number,
): Promise<string | null> {
  for (let number = 1; ; number++) {
    const { problem, mayPass } = await tryOnce(target, message, deadlineMilliseconds)
    if (problem === null) return null
    if (!mayPass) return problem
    if (number === triesMax) return `${problem}, in ${triesMax} tries`
    await pause((deadlineMilliseconds / 10) * 3 ** (number - 1))
  }
}

interface Outcome {
  /** Null for success. */
  readonly problem: string | null
  /** True if a retry may succeed. */
  readonly mayPass: boolean
}

async function tryOnce(
  { url, headers: credentials }: WebhookTarget,
  { body, headers }: SignedMessage,
  deadlineMilliseconds: number,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(deadlineMilliseconds)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...credentials },
      body,
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return outcomeOf(response.status)
  } catch (error) {
    const seconds = deadlineMilliseconds / 1000
    const problem = signal.aborted ? `no response in ${seconds} s` : reasonOf(error)
    return { problem, mayPass: problem !== badPort }
  }
}

const badPort = 'fetch connects to no receiver at this port'

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { problem: null, mayPass: false }
  const isRedirect = status >= 300 && status < 400
  const problem = isRedirect ? `status ${status}, a redirect` : `status ${status}`
  return { problem, mayPass: status >= 500 || status === 408 || status === 429 }
}

/** Returns the error code in the cause of a `fetch` error, which repeats no part of the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  // Ports of other protocols: https://fetch.spec.whatwg.org/#port-blocking
  if (cause instanceof Error && cause.message === 'bad port') return badPort
  return 'the connection failed'
}
