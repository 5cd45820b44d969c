// Responds to image requests on every host: request matching and headers. The host provides the files.

import { ApiError, type ErrorStatus } from '../api/errors.ts'
import { type ImageName, imageOfTarget } from '../api/media.ts'
import { errorFormOf } from '../api/routes.ts'
import { requestOf, responseOf } from '../runtime/handler.ts'
import {
  corsHeaders,
  type Header,
  type HttpReply,
  type HttpRequest,
  matchesEtag,
} from '../runtime/http.ts'
import { errorReply } from '../runtime/replies.ts'

/** Immutable: changed bytes get another name. */
export const imageCacheControl = 'public, max-age=31536000, immutable'

/** The headers of every image, also on hosts that serve images without the function. */
export const imageHeaders: readonly Header[] = [
  ...corsHeaders,
  ['cache-control', imageCacheControl],
  ['x-content-type-options', 'nosniff'],
  ['cross-origin-resource-policy', 'cross-origin'],
]

/** An existing image. */
export interface ImageFile {
  /** In bytes; null when the host reports the length only with the bytes. */
  readonly length: number | null
  /** Called at most once, and only to send the bytes. */
  readonly read: () => NonNullable<HttpReply['body']>
}

/** Finds an image; rejects when it does not exist. */
export type FindImage = (image: ImageName) => Promise<ImageFile>

/**
 * Returns the reply to a request below `/media/` for a name of an image. Image requests do not count towards rate
 * limits.
 *
 * @returns null for every other request
 */
export function imageReply(request: HttpRequest, find: FindImage): Promise<HttpReply> | null {
  const { method, target } = request
  const image = method === 'OPTIONS' ? null : imageOfTarget(target)
  if (image === null) return null
  const earned: readonly Header[] = [['x-request-id', crypto.randomUUID()]]
  const refuse = (status: ErrorStatus, message: string) =>
    errorReply(request, errorFormOf(target), new ApiError(status, message), earned)
  if (method !== 'GET' && method !== 'HEAD') {
    return Promise.resolve(refuse(405, 'Only GET, HEAD and OPTIONS are supported.'))
  }
  const { etag, type } = image
  const headers: Header[] = [...imageHeaders, ...earned, ['etag', etag]]
  const reply = ({ length, read }: ImageFile): HttpReply => {
    if (matchesEtag(request.header('if-none-match'), etag)) {
      return { status: 304, headers, body: null, source: 'file' }
    }
    headers.push(['content-type', type])
    if (length !== null) headers.push(['content-length', String(length)])
    return { status: 200, headers, body: method === 'HEAD' ? null : read(), source: 'file' }
  }
  return find(image).then(reply, () => refuse(404, 'There is no such image.'))
}

/** `imageReply` for hosts with `fetch` requests and responses. */
export function imageResponse(request: Request, find: FindImage): Promise<Response> | null {
  const reply = imageReply(requestOf(request, ''), find)
  return reply?.then((found) => responseOf(found)) ?? null
}
