// Events of the payload format 2.0, as function URLs and HTTP APIs send them, recorded from both and filled with
// a request. Knows nothing of who handles them.
import type { HttpEvent } from '../../src/hosts/aws-lambda.ts'

/** What sends the event. */
export type EventSource = 'function URL' | 'HTTP API'

/** The event of a request. */
export function eventOf(
  source: EventSource,
  request: Request,
  body: Buffer = Buffer.alloc(0),
): HttpEvent {
  const event = emptyEvent(source, request)
  if (body.length === 0) return event
  // A function URL leaves text as it is, an HTTP API encodes everything.
  return source === 'function URL'
    ? { ...event, body: body.toString('utf8') }
    : { ...event, body: body.toString('base64'), isBase64Encoded: true }
}

function emptyEvent(source: EventSource, request: Request): HttpEvent {
  const { pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  return source === 'function URL'
    ? functionUrlEvent(request.method, pathname, search, headers)
    : httpApiEvent(request.method, pathname, search, headers)
}

type Headers = Readonly<Record<string, string>>

function functionUrlEvent(method: string, path: string, search: string, headers: Headers) {
  const domainName = 'abcdefghijklmnopqrstuvwxyz0123456.lambda-url.eu-central-1.on.aws'
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: search.slice(1),
    headers: {
      'x-amzn-trace-id': 'Root=1-674f2a1b-0123456789abcdef01234567',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
      'x-forwarded-for': '192.0.2.7',
      host: domainName,
      ...headers,
    },
    requestContext: {
      accountId: 'anonymous',
      apiId: 'abcdefghijklmnopqrstuvwxyz0123456',
      domainName,
      domainPrefix: 'abcdefghijklmnopqrstuvwxyz0123456',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.7', userAgent: 'curl/8.5.0' },
      requestId: '6b1f7a52-1111-4222-8333-944455556666',
      routeKey: '$default',
      stage: '$default',
      time: '03/Dec/2025:16:01:15 +0000',
      timeEpoch: 1_764_777_675_123,
    },
    isBase64Encoded: false,
  }
}

/** An HTTP API decodes the path and puts the stage before it. */
function httpApiEvent(method: string, path: string, search: string, headers: Headers) {
  const rawPath = `/prod${decodeURIComponent(path)}`
  return {
    version: '2.0',
    routeKey: 'ANY /{proxy+}',
    rawPath,
    rawQueryString: search.slice(1),
    headers: {
      'content-length': '0',
      host: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
      'x-amzn-trace-id': 'Root=1-674f2a1b-0123456789abcdef01234568',
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      ...headers,
    },
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3d4e5',
      domainName: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
      domainPrefix: 'a1b2c3d4e5',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.7',
        userAgent: 'curl/8.5.0',
      },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey: 'ANY /{proxy+}',
      stage: 'prod',
      time: '03/Dec/2025:16:01:15 +0000',
      timeEpoch: 1_764_777_675_123,
    },
    pathParameters: { proxy: rawPath.slice('/prod/'.length) },
    isBase64Encoded: false,
  }
}
