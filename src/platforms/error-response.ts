// Responds with an error of the host itself, in the format of all other errors.
import type { ApiError } from '../api/errors.ts'
import { errorFormOf } from '../api/routes.ts'
import { errorReply } from '../runtime/replies.ts'

/** Returns the response for an error, without a body for HEAD. */
export function errorResponse(
  { method, url }: Pick<Request, 'method' | 'url'>,
  error: ApiError,
  requestId: string,
): Response {
  const { pathname } = new URL(url)
  const request = { method, target: pathname, clientAddress: '', header: () => null }
  const { status, headers, body } = errorReply(request, errorFormOf(pathname), error)
  return new Response(body as Uint8Array<ArrayBuffer> | null, {
    status,
    headers: [
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ['x-request-id', requestId],
    ],
  })
}
