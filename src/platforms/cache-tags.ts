// Tags of responses in shared caches. A publication purges the tags of the responses that changed.
//
//   v1/acme                       every response of a workspace
//   v1/acme/posts/hello.json      the response that is this file of the build
//   v1/acme/others                filters, searches, and every other response without a file in the build
import { filePath, publicFolder } from '../api/paths.ts'
import type { ApiRequest } from '../api/request.ts'

/** The header of each cache, and its separator between tags. */
export const tagHeaders = {
  cloudflare: ['cache-tag', ','],
  fastly: ['surrogate-key', ' '],
  varnish: ['xkey', ' '],
} as const

/** A shared cache with support for tags. */
export type TaggingCache = keyof typeof tagHeaders

/**
 * The tags of a v1 response. They name only a file of the build, so they reveal no unpublished post.
 *
 * @param isFile reports whether the build has the file at a path below the output folder
 */
export function tagsOf(request: ApiRequest, isFile: (path: string) => boolean): readonly string[] {
  const path = filePath(request)
  const { workspace } = request
  const own = path !== null && isFile(path) ? fileTag(path) : othersTag(workspace)
  return [workspaceTag(workspace), own]
}

/** The tag of all responses of a workspace. */
export function workspaceTag(workspace: string): string {
  return `v1/${encodeURIComponent(workspace)}`
}

/** The tag of a workspace's responses without a file. */
export function othersTag(workspace: string): string {
  return `${workspaceTag(workspace)}/others`
}

/** The tag of a file. @param path below the output folder: `public/v1/…` */
export function fileTag(path: string): string {
  const segments = path.slice(publicFolder.length + 1).split('/')
  return segments.map(encodeURIComponent).join('/')
}
