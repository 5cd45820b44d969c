// Images of a build, read from the disk: before a responder, which answers all other requests.
// Knows nothing of posts. A name is made of hexadecimal digits, so that no path leads anywhere else.
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError, type ErrorStatus } from '../../api/errors.ts'
import { publicFolder } from '../../api/paths.ts'
import { versionOf } from '../../api/routes.ts'
import { imageTypes } from '../../content/media.ts'
import { corsHeaders, matchesEtag } from '../../runtime/headers.ts'
import type { Header, HttpReply, HttpRequest } from '../../runtime/http.ts'
import { errorReply } from '../../runtime/replies.ts'
import type { Responder } from '../../runtime/responder.ts'
import type { ServedSite } from '../../runtime/site.ts'

/** Where an image lies. @param path below the public folder: `media/acme/0f….png` @returns null for none */
export type LocateImage = (path: string) => string | null

/** Images where a build put them. @param out the output folder */
export function builtImages(out: string): LocateImage {
  return (path) => join(out, publicFolder, path)
}

/**
 * A responder that answers `/media/{workspace}/{hash}.png` too. Images are not counted for rate limits.
 *
 * @param site asked with every image: a workspace that is not served, or closed, has none
 */
export function withMedia(
  responder: Responder,
  locate: LocateImage,
  site: () => ServedSite,
): Responder {
  return (request) => {
    const match = imagePath.exec(request.target)
    if (match === null || request.method === 'OPTIONS') return responder(request)
    const headers: readonly Header[] = [['x-request-id', crypto.randomUUID()]]
    const refuse = (status: ErrorStatus, message: string) =>
      errorReply(request, versionOf(request.target), new ApiError(status, message), headers)
    const { id = '', hash = '', extension = '' } = match.groups ?? {}
    const type = imageTypes.get(extension)
    const workspace = decode(id)
    if (type === undefined || site().workspaces.get(workspace)?.isV1Private !== false) {
      return refuse(404, noImage)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(405, 'Only GET, HEAD and OPTIONS are answered.')
    }
    const file = locate(`media/${workspace}/${hash}${extension}`)
    if (file === null) return refuse(404, noImage)
    return readImage(request, file, { etag: `"${hash}"`, type, headers }).catch(() =>
      refuse(404, noImage),
    )
  }
}

const imagePath = /^\/media\/(?<id>[^/?]+)\/(?<hash>[0-9a-f]{32})(?<extension>\.\w+)(?:\?|$)/
const noImage = 'There is no such image.'

/** @throws an error of the system when there is no such file */
async function readImage(
  request: HttpRequest,
  file: string,
  about: { readonly etag: string; readonly type: string; readonly headers: readonly Header[] },
): Promise<HttpReply> {
  const stats = await lstat(file)
  if (!stats.isFile()) throw new Error(`${file} is no file`)
  const headers: Header[] = [
    ...corsHeaders,
    ...about.headers,
    ['etag', about.etag],
    // Other bytes have another name.
    ['cache-control', 'public, max-age=31536000, immutable'],
    ['x-content-type-options', 'nosniff'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ]
  if (matchesEtag(request.header('if-none-match'), about.etag)) {
    return { status: 304, headers, body: null, source: 'file' }
  }
  headers.push(['content-type', about.type], ['content-length', String(stats.size)])
  const body = request.method === 'HEAD' ? null : piecesOf(file)
  return { status: 200, headers, body, source: 'file' }
}

/** Opened when somebody reads. */
async function* piecesOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  yield* handle.createReadStream()
}

/** What is no encoding names no workspace. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return ''
  }
}
