// The handlers for AWS Lambda: function URLs and HTTP APIs, whose events are of the payload format 2.0.
import { ApiError } from '../../api/errors.ts'
import { internalError } from '../../runtime/replies.ts'
import { errorResponse } from '../error-response.ts'
import { createFunctionHandler, type FunctionHandler, logError } from '../function-host.ts'
import { functionFolder } from '../node/function-folder.ts'

/** The part of an event of the payload format 2.0 that is read. */
export interface HttpEvent {
  readonly rawPath: string
  readonly rawQueryString: string
  /** Names in lower case; several of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: string
  readonly isBase64Encoded?: boolean
  readonly requestContext: {
    readonly domainName: string
    readonly stage: string
    readonly http: { readonly method: string; readonly sourceIp: string }
  }
}

/** A result of the payload format 2.0. */
export interface HttpResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded: false
}

/** Both handlers of a Lambda function. */
export interface LambdaHandlers {
  /** For HTTP APIs, and for function URLs with `InvokeMode: BUFFERED`. */
  readonly handler: (event: HttpEvent) => Promise<HttpResult>
  /** For function URLs with `InvokeMode: RESPONSE_STREAM`; undefined outside Lambda. */
  readonly streaming: unknown
}

/** The event that a front door represents; an error for one that it refuses. */
export type ReadEvent = (event: HttpEvent) => HttpEvent | ApiError

/**
 * A Lambda function over the function's files.
 *
 * @param folder of the function's files, with `/` at its end
 * @param read @default events are taken as they are
 */
export function createLambdaHandlers(folder: URL, read?: ReadEvent): LambdaHandlers {
  return lambdaHandlers(createFunctionHandler(functionFolder(folder)), read)
}

/** Both handlers over a function. */
export function lambdaHandlers(
  handler: FunctionHandler,
  read: ReadEvent = (event) => event,
): LambdaHandlers {
  const { awslambda } = globalThis as { readonly awslambda?: LambdaRuntime }
  const reply = (event: HttpEvent) => respond(handler, event, read(event))
  return {
    handler: bufferedHandler(reply),
    streaming: awslambda === undefined ? undefined : streamingHandler(reply, awslambda),
  }
}

type ResponseEvent = (event: HttpEvent) => Promise<Response>

/** The largest response of a handler that does not stream, in bytes: 6 MiB, less its envelope. */
const bufferedBytesMax: number = 6 * 1024 * 1024 - 64 * 1024

/** Never rejects: Lambda would answer with an error of its own form. */
function bufferedHandler(reply: ResponseEvent): (event: HttpEvent) => Promise<HttpResult> {
  return async (event) => {
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
  }
}

/** The response to an event; an error for a request that `Request` does not take. */
async function respond(
  handler: FunctionHandler,
  sent: HttpEvent,
  read: HttpEvent | ApiError,
): Promise<Response> {
  const refuse = (error: ApiError) => errorResponse(aboutOf(sent), error, crypto.randomUUID())
  if (read instanceof ApiError) return refuse(read)
  const request = requestOf(read)
  if (request instanceof ApiError) return refuse(request)
  return handler(request, read.requestContext.http.sourceIp)
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

/** In a result's JSON a quotation mark of the body is two bytes. */
function isTooLarge(body: string): boolean {
  return (
    body.length > bufferedBytesMax / 6 && Buffer.byteLength(JSON.stringify(body)) > bufferedBytesMax
  )
}

function resultOf({ status, headers }: Response, body: string): HttpResult {
  return { statusCode: status, headers: Object.fromEntries(headers), body, isBase64Encoded: false }
}

/** The response stream that the runtime gives a handler. */
export interface ResponseStream {
  write(part: Uint8Array): boolean
  end(): void
  once(event: 'drain' | 'close', listener: () => void): unknown
}

/** Lambda's own global, in its Node.js runtimes alone. */
export interface LambdaRuntime {
  streamifyResponse(handler: (event: HttpEvent, stream: ResponseStream) => Promise<void>): unknown
  readonly HttpResponseStream: {
    from(
      stream: ResponseStream,
      head: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> },
    ): ResponseStream
  }
}

/** `limit=all` in fragments, of any size. It rejects only where a body fails halfway: a cut response must not look whole. */
function streamingHandler(reply: ResponseEvent, runtime: LambdaRuntime): unknown {
  return runtime.streamifyResponse(async (event, raw) => {
    const response = await reply(event)
    const head = { statusCode: response.status, headers: Object.fromEntries(response.headers) }
    const stream = runtime.HttpResponseStream.from(raw, head)
    if (response.body === null) stream.write(new Uint8Array(0))
    for await (const part of response.body ?? []) {
      if (!stream.write(part)) await drained(stream)
    }
    stream.end()
  })
}

function drained(stream: ResponseStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve)
    stream.once('close', resolve)
  })
}

/** An error for methods (`TRACE`) and header values that `Request` does not take. */
function requestOf(event: HttpEvent): Request | ApiError {
  const { rawQueryString, headers, requestContext } = event
  const { method } = requestContext.http
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const all = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const url = `https://${requestContext.domainName}${pathOf(event)}${query}`
  try {
    return new Request(url, { method, headers: all, body: bodyOf(event) })
  } catch {
    return /^(CONNECT|TRACE|TRACK)$/i.test(method) ? wrongMethod : malformed
  }
}

/** Null for a method that has no body. */
function bodyOf({
  body,
  isBase64Encoded,
  requestContext,
}: HttpEvent): Uint8Array<ArrayBuffer> | null {
  if (body === undefined || /^(GET|HEAD)$/i.test(requestContext.http.method)) return null
  return new Uint8Array(Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'))
}

const wrongMethod = new ApiError(405, 'Only GET, HEAD and OPTIONS are supported.')
const malformed = new ApiError(400, 'The request is not valid HTTP.')

/** A function URL leaves the path as it was sent. An HTTP API decodes it, and puts its stage before it. */
function pathOf({ rawPath, requestContext: { domainName, stage } }: HttpEvent): string {
  const isEncoded = domainName.includes('.lambda-url.')
  const prefix = isEncoded || stage === '$default' ? '' : `/${stage}`
  const below = rawPath.startsWith(`${prefix}/`) ? rawPath.slice(prefix.length) : rawPath
  return isEncoded ? below : below.split('/').map(encodeURIComponent).join('/')
}

/** The part of a request that an error depends on; an event of another format is as good as `GET /`. */
function aboutOf(event: HttpEvent): Pick<Request, 'method' | 'url'> {
  try {
    const { href: url } = new URL(`https://lambda.invalid${pathOf(event)}`)
    return { method: event.requestContext.http.method, url }
  } catch {
    return { method: 'GET', url: 'https://lambda.invalid/' }
  }
}
