// Responds to image requests on every host: request matching and headers. The host provides the files.
import { ApiError, type ErrorStatus } from '../api/errors.ts'
import { type ImageName, imageOfTarget } from '../api/media.ts'
import { errorFormOf } from '../api/routes.ts'
import { corsHeaders, type Header, type HttpReply, matchesEtag } from '../runtime/http.ts'
import { errorReply } from '../runtime/replies.ts'
import type { Responder } from '../runtime/responder.ts'

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
 * Wraps a responder: also responds to requests below `/media/` for a name of an image. They do not count towards rate
 * limits.
 */
export function withImages(responder: Responder, find: FindImage): Responder {
  return async (request) => {
    const { method, target } = request
    const image = method === 'OPTIONS' ? null : imageOfTarget(target)
    if (image === null) return responder(request)
    const id: Header = ['x-request-id', crypto.randomUUID()]
    const refuse = (status: ErrorStatus, message: string) =>
      errorReply(request, errorFormOf(target), new ApiError(status, message), [id])
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(405, 'Only GET, HEAD and OPTIONS are supported.')
    const file = await find(image).catch(() => null)
    if (file === null) return refuse(404, 'There is no such image.')
    const headers: Header[] = [...imageHeaders, id, ['etag', image.etag]]
    if (matchesEtag(request.header('if-none-match'), image.etag))
      return { status: 304, headers, body: null, source: 'file' }
    headers.push(['content-type', image.type])
    if (file.length !== null) headers.push(['content-length', String(file.length)])
    return { status: 200, headers, body: method === 'HEAD' ? null : file.read(), source: 'file' }
  }
}
