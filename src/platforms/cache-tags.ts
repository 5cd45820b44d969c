// Tags of responses in shared caches, by which a publication purges those that changed.
//
//   v1/acme                       every response of a workspace
//   v1/acme/posts/hello.json      the response that is this file of the build
//   v1/acme/others                filters, searches, and all else that is no file of the build
import { filePath, publicFolder } from '../api/paths.ts'
import type { ApiRequest } from '../api/request.ts'

/** The header of each kind of cache; the second is put between two tags. */
export const tagHeaders = {
  cloudflare: ['cache-tag', ','],
  fastly: ['surrogate-key', ' '],
  varnish: ['xkey', ' '],
} as const

/** A kind of shared cache that knows tags. */
export type TaggingCache = keyof typeof tagHeaders

/**
 * Tags of a response of v1. They say nothing but which file of the build it is: nothing of posts that are not published.
 *
 * @param isFile whether the build has the file of a path below the output folder
 */
export function tagsOf(request: ApiRequest, isFile: (path: string) => boolean): readonly string[] {
  const path = filePath(request)
  const { workspace } = request
  const own = path !== null && isFile(path) ? fileTag(path) : othersTag(workspace)
  return [workspaceTag(workspace), own]
}

/** The tag of every response of a workspace. */
export function workspaceTag(workspace: string): string {
  return `v1/${encodeURIComponent(workspace)}`
}

/** The tag of a workspace's responses that are no file. */
export function othersTag(workspace: string): string {
  return `${workspaceTag(workspace)}/others`
}

/** The tag of a file. @param path below the output folder: `public/v1/…` */
export function fileTag(path: string): string {
  const segments = path.slice(publicFolder.length + 1).split('/')
  return segments.map(encodeURIComponent).join('/')
}
