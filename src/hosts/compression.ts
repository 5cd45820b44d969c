// Compresses the responses of `quarry serve` as `Accept-Encoding` allows.
import type { IncomingMessage, ServerResponse } from 'node:http'
import compression from 'compression'

type Express = Parameters<typeof compression.filter>

const compress = compression({
  filter: (incoming, outgoing) => {
    // Like the response that it confirms (RFC 9110 §15.4.5).
    if (outgoing.statusCode === 304) outgoing.appendHeader('vary', 'Accept-Encoding')
    return outgoing.statusCode === 200 && compression.filter(incoming, outgoing)
  },
})

/** Prepares a response, before it is written. */
export function compressing(incoming: IncomingMessage, outgoing: ServerResponse): void {
  compress(incoming as Express[0], outgoing as Express[1], () => {})
}
