// Headers in which CloudFront passes the original request to the function.
import { ApiError } from '../../api/errors.ts'
import type { HttpEvent } from './handler.ts'

/**
 * The shared secret of CloudFront and the function. Requests without it are refused, so that the other two headers
 * can be trusted.
 */
const originHeader = 'x-quarry-origin'

/** The original path and query of a request whose path was rewritten to that of a file. */
const targetHeader = 'x-quarry-target'

/** The client's address. */
const clientHeader = 'x-quarry-client'

const notThere = new ApiError(403, 'This service responds through CloudFront.')

/**
 * Restores the event that the function would receive without CloudFront.
 *
 * @param secret undefined without CloudFront: the headers are then ignored
 * @returns an error for an event that CloudFront did not send
 */
export function originEvent(event: HttpEvent, secret: string | undefined): HttpEvent | ApiError {
  const {
    [originHeader]: sent,
    [targetHeader]: target,
    [clientHeader]: sourceIp,
    ...headers
  } = event.headers
  if (secret === undefined) return { ...event, headers }
  if (sent !== secret) return notThere
  const { requestContext } = event
  const [rawPath = '', rawQueryString = ''] = target?.split(/\?(.*)/s) ?? [
    event.rawPath,
    event.rawQueryString,
  ]
  const http = { ...requestContext.http, sourceIp: sourceIp ?? requestContext.http.sourceIp }
  return { ...event, rawPath, rawQueryString, headers, requestContext: { ...requestContext, http } }
}
