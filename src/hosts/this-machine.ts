// Keeps servers of content that is not published to pages of this machine: no other origin may read them.
import { isIP } from 'node:net'
import { ApiError } from '../api/errors.ts'
import { errorFormOf } from '../api/routes.ts'
import { forOrigin, type HttpRequest } from '../runtime/http.ts'
import { errorReply } from '../runtime/replies.ts'
import type { Responder } from '../runtime/responder.ts'

const otherName = new ApiError(
  403,
  'quarry dev responds to localhost and 127.0.0.1 only. For other host names, start it with --host 0.0.0.0.',
)

/**
 * Wraps a responder for content that is not published: only pages of this machine, on any port, may read it. A server
 * that listens on the loopback address refuses other host names (DNS rebinding).
 *
 * @param host the host name that the server listens on; '' for a server that verifies host names itself
 */
export function onThisMachine(responder: Responder, host: string): Responder {
  return async (request) => {
    const isRefused = isLoopback(host.toLowerCase()) && !isHere(request, host)
    const reply = isRefused
      ? errorReply(request, errorFormOf(request.target), otherName)
      : await responder(request)
    const origin = isRefused ? '' : (request.header('origin') ?? '')
    const name = /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin).hostname : ''
    const isAllowed = name !== '' && (isLoopback(name) || name === hostOf(request))
    return forOrigin(reply, isAllowed ? origin : null)
  }
}

/** True unless the request names another host, as after DNS rebinding. */
export function isHere(request: HttpRequest, host: string): boolean {
  const name = hostOf(request)
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  return isAddress || name === host.toLowerCase() || /(^|\.)localhost$/.test(name)
}

/** The host name of a request in lower case, without the port. */
function hostOf(request: HttpRequest): string {
  return (request.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
}

function isLoopback(name: string): boolean {
  return /(^|\.)localhost$|^\[?::1\]?$/.test(name) || (isIP(name) === 4 && name.startsWith('127.'))
}
