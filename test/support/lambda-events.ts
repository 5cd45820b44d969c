// Events in payload format 2.0 of function URLs and HTTP APIs, recorded from both and filled in with a request, without
// the fields that no handler reads.
import type { HttpEvent } from '../../src/hosts/aws-lambda.ts'

/** The sender of an event. */
export type EventSource = 'function URL' | 'HTTP API'

/** Returns the event of a request without a body. */
export function eventOf(source: EventSource, request: Request): HttpEvent {
  const { method, url, headers } = request
  const { pathname, search } = new URL(url)
  const isUrl = source === 'function URL'
  // An HTTP API decodes the path and prepends the stage.
  const rawPath = isUrl ? pathname : `/prod${decodeURIComponent(pathname)}`
  const domainName = isUrl
    ? 'abcdefghijklmnopqrstuvwxyz0123456.lambda-url.eu-central-1.on.aws'
    : 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com'
  return {
    rawPath,
    rawQueryString: search.slice(1),
    headers: {
      'x-amzn-trace-id': 'Root=1-674f2a1b-0123456789abcdef01234567',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
      'x-forwarded-for': '192.0.2.7',
      host: domainName,
      ...Object.fromEntries(headers),
    },
    requestContext: {
      domainName,
      http: { method, sourceIp: '192.0.2.7' },
      stage: isUrl ? '$default' : 'prod',
    },
    isBase64Encoded: false,
  }
}
