// Handlers for AWS Lambda, for events in payload format 2.0 (function URLs and HTTP APIs).
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../api/errors.ts'
import { responseOf } from '../runtime/handler.ts'
import { errorReply, internalError } from '../runtime/replies.ts'
import { functionHost } from './folder.ts'
import { createFunctionHandler, logError } from './function.ts'

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

/** The handlers of a Lambda function. */
export interface LambdaHandlers {
  /** For HTTP APIs, and for function URLs with `InvokeMode: BUFFERED`. */
  readonly handler: (event: HttpEvent) => Promise<HttpResult>
  /** For function URLs with `InvokeMode: RESPONSE_STREAM`. Undefined outside Lambda. */
  readonly streaming: unknown
}

/** The largest result of a buffered response, in bytes: 6 MiB less 64 KiB for its envelope. */
const bufferedBytesMax: number = 6 * 1024 * 1024 - 64 * 1024

/**
 * Returns the handlers for a function's files.
 *
 * @param folder the folder of the function's files, ending in `/`
 * @param read restores the client's event from the event of a proxy, or throws an ApiError. @default no proxy
 */
export function createLambdaHandlers(
  folder: URL,
  read: (event: HttpEvent) => HttpEvent = (event) => event,
): LambdaHandlers {
  const respond = createFunctionHandler(functionHost(folder))
  const reply = async (sent: HttpEvent): Promise<Response> => {
    try {
      const event = read(sent)
      return await respond(requestOf(event), event.requestContext.http.sourceIp)
    } catch (error) {
      return errorResponse(sent, error, crypto.randomUUID())
    }
  }
  const { awslambda } = globalThis as { readonly awslambda?: LambdaRuntime }
  return {
    handler: async (event) => {
      const response = await reply(event)
      const requestId = response.headers.get('x-request-id') ?? ''
      return resultOf(response).catch((error) => resultOf(errorResponse(event, error, requestId)))
    },
    streaming: awslambda?.streamifyResponse(async (event, raw) => {
      const response = await reply(event)
      const stream = awslambda.HttpResponseStream.from(raw, headOf(response))
      // Rejects if a body fails midway, so that a truncated response does not look complete.
      await pipeline(response.body ?? [new Uint8Array(0)], stream)
    }),
  }
}

/** Returns the response for an error of the host itself, without a body for HEAD. Logs errors that are faults. */
function errorResponse(event: HttpEvent, error: unknown, requestId: string): Response {
  const request = { method: event.requestContext.http.method, target: pathOf(event) }
  const isKnown = error instanceof ApiError
  if (!isKnown) logError(error, requestId)
  const shown = isKnown ? error : internalError(requestId)
  return responseOf(errorReply(request, shown, [['x-request-id', requestId]]))
}

function headOf({ status, headers }: Response): Pick<HttpResult, 'statusCode' | 'headers'> {
  return { statusCode: status, headers: Object.fromEntries(headers) }
}

/** @throws ApiError for a body that is too long; what reading the body throws */
async function resultOf(response: Response): Promise<HttpResult> {
  const body = await response.text()
  // A quotation mark in the body takes two bytes in the result's JSON.
  if (Buffer.byteLength(JSON.stringify(body)) <= bufferedBytesMax)
    return { ...headOf(response), body, isBase64Encoded: false }
  throw new ApiError(
    400,
    'The response is larger than this host can send at once (6 MB). Request it page by page.',
  )
}

/** The global of Lambda's Node.js runtimes. */
interface LambdaRuntime {
  streamifyResponse(handler: (event: HttpEvent, stream: Writable) => Promise<void>): unknown
  readonly HttpResponseStream: {
    from(stream: Writable, head: Pick<HttpResult, 'statusCode' | 'headers'>): Writable
  }
}

/** @throws ApiError for methods (`TRACE`) and header values that `Request` does not accept */
function requestOf(event: HttpEvent): Request {
  const { rawQueryString, headers, body, isBase64Encoded, requestContext } = event
  const { method } = requestContext.http
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  const hasBody = body !== undefined && !/^(GET|HEAD)$/i.test(method)
  try {
    return new Request(`https://${requestContext.domainName}${pathOf(event)}${query}`, {
      method,
      headers: Object.entries(headers).map(([name, value = '']): [string, string] => [name, value]),
      body: hasBody ? Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8') : null,
    })
  } catch {
    throw /^(CONNECT|TRACE|TRACK)$/i.test(method)
      ? new ApiError(405, 'Only GET, HEAD and OPTIONS are supported.')
      : new ApiError(400, 'The request is not valid HTTP.')
  }
}

/** Returns the path. Function URLs pass it as sent; HTTP APIs decode it and prepend the stage. */
function pathOf({ rawPath, requestContext: { domainName, stage } }: HttpEvent): string {
  if (domainName.includes('.lambda-url.')) return rawPath
  const below = rawPath.startsWith(`/${stage}/`) ? rawPath.slice(stage.length + 1) : rawPath
  return below.split('/').map(encodeURIComponent).join('/')
}

/**
 * Restores the event that the function would receive without CloudFront, which sends the shared secret, the original
 * path and query of a request whose path was rewritten to that of a file, and the client's address.
 *
 * @param secret undefined without CloudFront, whose headers are then ignored
 * @throws ApiError for an event that CloudFront did not send
 */
export function originEvent(event: HttpEvent, secret: string | undefined): HttpEvent {
  const {
    'x-quarry-origin': sent,
    'x-quarry-target': target,
    'x-quarry-client': client,
    ...headers
  } = event.headers
  if (secret === undefined) return { ...event, headers }
  if (sent !== secret) throw new ApiError(403, 'This service is reached through CloudFront.')
  const { requestContext, rawPath, rawQueryString } = event
  const [path = '', query = ''] = target?.split(/\?(.*)/s) ?? [rawPath, rawQueryString]
  const http = { ...requestContext.http, sourceIp: client ?? requestContext.http.sourceIp }
  return {
    ...event,
    ...{ rawPath: path, rawQueryString: query, headers },
    requestContext: { ...requestContext, http },
  }
}
