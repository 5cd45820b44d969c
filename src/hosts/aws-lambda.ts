// Handlers for AWS Lambda, for events in payload format 2.0 (function URLs and HTTP APIs).
import { ApiError } from '../api/errors.ts'
import { internalError } from '../runtime/replies.ts'
import { functionFolder } from './folder.ts'
import { createFunctionHandler, errorResponse, logError } from './function.ts'

/** The fields of a format 2.0 event that the handlers read. */
export interface HttpEvent {
  readonly rawPath: string
  readonly rawQueryString: string
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: string
  readonly isBase64Encoded?: boolean
  readonly requestContext: {
    readonly domainName: string
    readonly stage: string
    readonly http: { readonly method: string; readonly sourceIp: string }
  }
}

/** A result in payload format 2.0. */
export interface HttpResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded: false
}

/** The two handlers of a Lambda function. */
export interface LambdaHandlers {
  /** For HTTP APIs, and for function URLs with `InvokeMode: BUFFERED`. Never rejects. */
  readonly handler: (event: HttpEvent) => Promise<HttpResult>
  /** For function URLs with `InvokeMode: RESPONSE_STREAM`. Undefined outside Lambda. */
  readonly streaming: unknown
}

/** Recovers the client's event from the event of a proxy; returns an error to refuse the event. */
export type ReadEvent = (event: HttpEvent) => HttpEvent | ApiError

/** The largest body of a buffered response, in bytes: 6 MiB less 64 KiB for its envelope. */
const bufferedBytesMax: number = 6 * 1024 * 1024 - 64 * 1024

/**
 * Returns the handlers for a function's files.
 *
 * @param folder the folder of the function's files, ending in `/`
 * @param read @default returns events unchanged
 */
export function createLambdaHandlers(
  folder: URL,
  read: ReadEvent = (event) => event,
): LambdaHandlers {
  const respond = createFunctionHandler({ ...functionFolder(folder), hasResponses: true })
  const reply = async (sent: HttpEvent): Promise<Response> => {
    const event = read(sent)
    const request = event instanceof ApiError ? event : requestOf(event)
    return request instanceof ApiError || event instanceof ApiError
      ? errorResponse(aboutOf(sent), request as ApiError, crypto.randomUUID())
      : respond(request, event.requestContext.http.sourceIp)
  }
  const { awslambda } = globalThis as { readonly awslambda?: LambdaRuntime }
  return {
    handler: async (event) => {
      try {
        const response = await reply(event)
        const body = await response.text()
        if (!isTooLarge(body)) return resultOf(response, body)
        return await errorResult(event, tooLarge, response.headers.get('x-request-id') ?? '')
      } catch (error) {
        const requestId = crypto.randomUUID()
        logError(error, requestId)
        return errorResult(event, internalError(requestId), requestId)
      }
    },
    streaming: awslambda?.streamifyResponse(async (event, raw) => {
      const response = await reply(event)
      const head = { statusCode: response.status, headers: Object.fromEntries(response.headers) }
      const stream = awslambda.HttpResponseStream.from(raw, head)
      if (response.body === null) stream.write(new Uint8Array(0))
      // Rejects when a body fails midway, so that a truncated response does not look complete.
      for await (const part of response.body ?? []) {
        if (!stream.write(part)) await drained(stream)
      }
      stream.end()
    }),
  }
}

async function errorResult(
  event: HttpEvent,
  error: ApiError,
  requestId: string,
): Promise<HttpResult> {
  const response = errorResponse(aboutOf(event), error, requestId)
  return resultOf(response, await response.text())
}

const tooLarge = new ApiError(
  400,
  'The response is larger than this host sends at once (6 MB). Request it page by page.',
)

/** A quotation mark in the body takes two bytes in the result's JSON. */
function isTooLarge(body: string): boolean {
  return (
    body.length > bufferedBytesMax / 6 && Buffer.byteLength(JSON.stringify(body)) > bufferedBytesMax
  )
}

function resultOf({ status, headers }: Response, body: string): HttpResult {
  return { statusCode: status, headers: Object.fromEntries(headers), body, isBase64Encoded: false }
}

/** The response stream that the runtime passes to a handler. */
export interface ResponseStream {
  write(part: Uint8Array): boolean
  end(): void
  once(event: 'drain' | 'close', listener: () => void): unknown
}

/** The global of Lambda's Node.js runtimes. */
export interface LambdaRuntime {
  streamifyResponse(handler: (event: HttpEvent, stream: ResponseStream) => Promise<void>): unknown
  readonly HttpResponseStream: {
    from(
      stream: ResponseStream,
      head: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> },
    ): ResponseStream
  }
}

function drained(stream: ResponseStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve)
    stream.once('close', resolve)
  })
}

/** Returns an error for methods (`TRACE`) and header values that `Request` does not accept. */
function requestOf(event: HttpEvent): Request | ApiError {
  const { rawQueryString, headers, body, isBase64Encoded, requestContext } = event
  const { method } = requestContext.http
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const sent = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const hasBody = body !== undefined && !/^(GET|HEAD)$/i.test(method)
  const bytes = hasBody ? Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8') : null
  try {
    return new Request(`https://${requestContext.domainName}${pathOf(event)}${query}`, {
      method,
      headers: sent,
      body: bytes && new Uint8Array(bytes),
    })
  } catch {
    return /^(CONNECT|TRACE|TRACK)$/i.test(method)
      ? new ApiError(405, 'Only GET, HEAD and OPTIONS are supported.')
      : new ApiError(400, 'The request is not valid HTTP.')
  }
}

/** Function URLs pass the path as sent. HTTP APIs decode it and prepend the stage. */
function pathOf({ rawPath, requestContext: { domainName, stage } }: HttpEvent): string {
  const isEncoded = domainName.includes('.lambda-url.')
  const prefix = isEncoded || stage === '$default' ? '' : `/${stage}`
  const below = rawPath.startsWith(`${prefix}/`) ? rawPath.slice(prefix.length) : rawPath
  return isEncoded ? below : below.split('/').map(encodeURIComponent).join('/')
}

/** The request properties that an error depends on. An event in another format counts as `GET /`. */
function aboutOf(event: HttpEvent): Pick<Request, 'method' | 'url'> {
  try {
    const { href: url } = new URL(`https://lambda.invalid${pathOf(event)}`)
    return { method: event.requestContext.http.method, url }
  } catch {
    return { method: 'GET', url: 'https://lambda.invalid/' }
  }
}

/**
 * Restores the event that the function would receive without CloudFront, which sends the shared secret, the original
 * path and query of a request whose path was rewritten to that of a file, and the client's address.
 *
 * @param secret undefined without CloudFront: the headers are then ignored
 * @returns an error for an event that CloudFront did not send
 */
export function originEvent(event: HttpEvent, secret: string | undefined): HttpEvent | ApiError {
  const {
    'x-quarry-origin': sent,
    'x-quarry-target': target,
    'x-quarry-client': sourceIp,
    ...headers
  } = event.headers
  if (secret === undefined) return { ...event, headers }
  if (sent !== secret) return new ApiError(403, 'This service responds through CloudFront.')
  const { requestContext } = event
  const [rawPath = '', rawQueryString = ''] = target?.split(/\?(.*)/s) ?? [
    event.rawPath,
    event.rawQueryString,
  ]
  const http = { ...requestContext.http, sourceIp: sourceIp ?? requestContext.http.sourceIp }
  return { ...event, rawPath, rawQueryString, headers, requestContext: { ...requestContext, http } }
}
