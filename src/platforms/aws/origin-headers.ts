// The headers by which CloudFront says to the function what it was asked and by whom.
import { ApiError } from '../../api/errors.ts'
import type { HttpEvent } from '../aws-lambda/handler.ts'

/** The secret that CloudFront shares with the function. Other requests are refused, so that the other two can be trusted. */
export const originHeader = 'x-quarry-origin'

/** Path and query of a request whose path was changed to that of a file. */
export const targetHeader = 'x-quarry-target'

/** The address of the client. */
export const clientHeader = 'x-quarry-client'

const notThere = new ApiError(403, 'This service responds through CloudFront.')

/**
 * The event as it would be without CloudFront in between.
 *
 * @param secret undefined where there is no CloudFront: the headers mean nothing then
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
