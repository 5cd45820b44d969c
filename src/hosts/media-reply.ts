// Responds to image requests on every host: request matching and headers. The host provides the files.

import { ApiError, type ErrorStatus } from '../api/errors.ts'
import { type ImageName, imageOfTarget } from '../api/media.ts'
import { errorFormOf } from '../api/routes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { requestOf } from '../runtime/handler.ts'
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
export interface ImageFile<Body> {
  /** In bytes; null when the host reports the length only with the bytes. */
  readonly length: number | null
  /** Called at most once, and only to send the bytes. */
  readonly read: () => Awaitable<Body>
}

/** Finds an image; rejects when it does not exist. */
export type FindImage<Body> = (image: ImageName) => Promise<ImageFile<Body>>

/** A reply whose body has the type in which the host reads files. */
export interface ImageReply<Body> extends Omit<HttpReply, 'body'> {
  readonly body: Body | HttpReply['body']
}

/**
 * Returns the reply to a request below `/media/` for a name of an image. Image requests do not count towards rate
 * limits.
 *
 * @returns null for every other request
 */
export function imageReply<Body>(
  request: HttpRequest,
  find: FindImage<Body>,
): Promise<ImageReply<Body>> | null {
  const image = request.method === 'OPTIONS' ? null : imageOfTarget(request.target)
  if (image === null) return null
  const earned: readonly Header[] = [['x-request-id', crypto.randomUUID()]]
  const refuse = (status: ErrorStatus, message: string) =>
    errorReply(request, errorFormOf(request.target), new ApiError(status, message), earned)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return Promise.resolve(refuse(405, 'Only GET, HEAD and OPTIONS are supported.'))
  }
  return foundReply(request, image, find, earned).catch(() =>
    refuse(404, 'There is no such image.'),
  )
}

/** `imageReply` for hosts with `fetch` requests and responses. */
export function imageResponse<Body extends ReadableStream<Uint8Array> | Blob>(
  request: Request,
  find: FindImage<Body>,
): Promise<Response> | null {
  const replied = imageReply(requestOf(request, ''), find)
  return (
    replied?.then(({ status, headers, body }) => {
      const sent = headers.map(([name, value]): [string, string] => [name, value])
      // The body of an error is bytes; that of an image is the host's.
      return new Response(body as Body | Uint8Array<ArrayBuffer> | null, { status, headers: sent })
    }) ?? null
  )
}

async function foundReply<Body>(
  request: HttpRequest,
  image: ImageName,
  find: FindImage<Body>,
  earned: readonly Header[],
): Promise<ImageReply<Body>> {
  const { length, read } = await find(image)
  const { etag, type } = image
  const headers: readonly Header[] = [...imageHeaders, ...earned, ['etag', etag]]
  if (matchesEtag(request.header('if-none-match'), etag)) {
    return { status: 304, headers, body: null, source: 'file' }
  }
  return {
    status: 200,
    headers: [
      ...headers,
      ['content-type', type],
      ...(length === null ? [] : [['content-length', String(length)] as const]),
    ],
    body: request.method === 'HEAD' ? null : await read(),
    source: 'file',
  }
}
