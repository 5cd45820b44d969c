// A small S3 client. Signs requests, and repeats them after temporary failures.
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { S3Credentials, S3Location } from './s3-location.ts'
import { StoreError } from './store-error.ts'

/** A request for an object or for the bucket. */
export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Name relative to the location's prefix; undefined for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Create the object; 412 if it exists. */
  readonly isNew?: boolean
  /** Requested bytes; the response is a 206. */
  readonly range?: { readonly offset: number; readonly length: number }
  /** Limit of the response body. @default 64 KiB */
  readonly bytesMax?: number
  /** Returns what is wrong with a 200 or 206, which repeats the request; null for a valid response. */
  readonly check?: (body: Uint8Array, response: S3Response) => string | null
}

/** A response with a status of 200 to 299, 404 or 412. */
export interface S3Response {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Limits of requests. */
export interface S3Options {
  /** @default 6 */
  readonly attempts?: number
  /** Pause before the second attempt; doubles with each attempt. @default 100 */
  readonly pauseMilliseconds?: number
  /** Timeout of a request without a large body. @default 30 000 */
  readonly timeoutMilliseconds?: number
  /** Slowest accepted transfer, in bytes per millisecond. @default 64 */
  readonly slowestBytes?: number
  /** Aborts requests and pauses. */
  readonly signal?: AbortSignal
  /** Says what failed, before a request is repeated that has taken longer than `quietMilliseconds`. */
  readonly onRetry?: (message: string) => void
  /** @default 5000 */
  readonly quietMilliseconds?: number
}

/** Sends requests to one bucket. */
export class S3Client {
  readonly location: S3Location
  /** Number of requests sent, including repeated ones. */
  requests = 0
  readonly #aws: AwsClient
  readonly #options: Required<Omit<S3Options, 'signal' | 'onRetry'>>
  readonly #onRetry: ((message: string) => void) | undefined
  readonly #signal: AbortSignal | undefined

  constructor(location: S3Location, credentials: S3Credentials, options: S3Options = {}) {
    const { attempts = 6, pauseMilliseconds = 100, signal, onRetry } = options
    const { timeoutMilliseconds = 30_000, slowestBytes = 64, quietMilliseconds = 5000 } = options
    this.location = location
    this.#aws = new AwsClient({ ...credentials, service: 's3', region: location.region })
    const times = { pauseMilliseconds, timeoutMilliseconds, quietMilliseconds }
    this.#options = { attempts, slowestBytes, ...times }
    this.#signal = signal
    this.#onRetry = onRetry
  }

  /**
   * Sends a request, repeatedly if it fails in a way that may be temporary.
   *
   * @throws StoreError when the last attempt fails or the store refuses; the reason of `signal`
   */
  async send(request: S3Request): Promise<S3Response> {
    const { attempts, quietMilliseconds } = this.#options
    const started = performance.now()
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try(request)
      if ('status' in outcome) return outcome
      const { problem, mayPass, remedy } = outcome
      const failed = `${this.#describe(request)} failed: ${problem}`
      if (!mayPass || attempt === attempts) {
        throw new StoreError(`${failed}.${remedy === undefined ? '' : ` ${remedy}`}`)
      }
      if (performance.now() - started >= quietMilliseconds) {
        this.#onRetry?.(`${failed}. Attempt ${attempt + 1} of ${attempts} follows.`)
      }
      const longest = Math.min(this.#options.pauseMilliseconds * 2 ** attempt, longestPause)
      await pause(longest * (0.5 + Math.random() / 2), undefined, { signal: this.#signal })
    }
  }

  async #try(request: S3Request): Promise<S3Response | Failure> {
    this.requests++
    try {
      const response = await this.#fetch(request)
      const failure = failureOf(response)
      if (failure !== null) return failure
      const isContent = response.status === 200 || response.status === 206
      const wrong = isContent ? (request.check?.(response.body, response) ?? null) : null
      return wrong === null ? response : { problem: wrong, mayPass: true }
    } catch (error) {
      this.#signal?.throwIfAborted()
      return failureOfFetch(error)
    }
  }

  async #fetch({
    method,
    key,
    query,
    body,
    isNew,
    range,
    bytesMax,
  }: S3Request): Promise<S3Response> {
    const { bucketUrl, prefix } = this.location
    const url = new URL(key === undefined ? bucketUrl : `${bucketUrl}${prefix}${key}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const headers = {
      // The store compares the received body with this hash.
      'x-amz-content-sha256': hash('sha256', body ?? ''),
      ...(isNew === true ? { 'if-none-match': '*' } : {}),
      ...(range && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    }
    const signed = await this.#aws.sign(url, { method, headers, ...(body && { body }) })
    const size = Math.max(body?.length ?? 0, bytesMax ?? 0)
    const time = AbortSignal.timeout(this.#timeout(size))
    const signal = this.#signal === undefined ? time : AbortSignal.any([time, this.#signal])
    const response = await fetch(signed, { signal, redirect: 'manual' })
    const { status, headers: received } = response
    // The description of an error may be longer than the object.
    const most = response.ok ? (bytesMax ?? shortBytes) : shortBytes
    return { status, headers: received, body: await readBody(response, most) }
  }

  #timeout(bytes: number): number {
    return Math.ceil(this.#options.timeoutMilliseconds + bytes / this.#options.slowestBytes)
  }

  #describe({ method, key = '' }: S3Request): string {
    return `${method} ${this.location.name}/${key} at ${new URL(this.location.bucketUrl).origin}`
  }
}

const longestPause = 5000

/** Limit of the body of most responses, and of errors. */
const shortBytes = 64 * 1024

interface Failure {
  readonly problem: string
  /** Another attempt may succeed. */
  readonly mayPass: boolean
  /** A sentence. */
  readonly remedy?: string
}

/** Remedies of refusals, by the code in the response. */
const remedies: Readonly<Record<string, string>> = {
  AccessDenied: 'Give these credentials the permission, and that to list the bucket.',
  ExpiredToken: 'Renew AWS_SESSION_TOKEN and its keys.',
  InvalidAccessKeyId: 'Check AWS_ACCESS_KEY_ID.',
  NoSuchBucket: 'Create the bucket, or correct its name.',
  SignatureDoesNotMatch: 'Check AWS_SECRET_ACCESS_KEY and AWS_REGION.',
}

/** Null for a response that callers handle. */
function failureOf({ status, body }: S3Response): Failure | null {
  const text = new TextDecoder().decode(body.subarray(0, 4096))
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(text) ?? []
  const isKnown = (status >= 200 && status < 300) || status === 412
  if (isKnown) return null
  // Some stores send no body, or a code of their own.
  const isMissing = body.length === 0 || code === 'NoSuchKey' || code === 'NotFound'
  if (status === 404 && isMissing) return null
  if (status === 404 && code === '') {
    const problem = 'a 404 without the code of S3'
    return { problem, mayPass: true, remedy: 'Check the endpoint: it may be no service of S3.' }
  }
  // 409: another creation of the same object is in progress.
  const mayPass = status >= 500 || [408, 409, 429].includes(status) || code === 'RequestTimeout'
  const problem = `status ${status}${code === '' ? '' : ` ${code}`}`
  const remedy = remedies[code]
  return { problem, mayPass, ...(remedy === undefined ? {} : { remedy }) }
}

/** @throws Error when it is longer than `bytesMax`, or breaks off */
async function readBody(response: Response, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // A body is null after a 204.
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > bytesMax) throw new Error(`the response is longer than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

/** The failure of a `fetch`, whose reason is in the error's cause. */
function failureOfFetch(error: unknown): Failure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return { problem: String(cause), mayPass: true }
  if (cause.name === 'TimeoutError')
    return { problem: 'no complete response in time', mayPass: true }
  if (cause.message === 'bad port') {
    const remedy = 'Choose another port for the endpoint.'
    return { problem: 'the port is reserved for another protocol', mayPass: false, remedy }
  }
  const code = 'code' in cause ? String(cause.code) : ''
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    const remedy = 'Check the endpoint: it may be one of http.'
    return { problem: 'the service does not use TLS', mayPass: false, remedy }
  }
  return { problem: cause.message === '' ? code : cause.message, mayPass: true }
}
