// Images that posts show, as they are asked for: `/media/{workspace}/{hash}.png`.
import { leavesFolder } from './paths.ts'

/** Ends of names of images that are published, by what browsers take them for. SVG is none: it can run scripts. */
export const imageTypes: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
])

/** An image by its name. Nobody knows from it alone whether there is one. */
export interface ImageName {
  readonly workspace: string
  /** Below the folder of all images: `acme/{hash}.png`. Leads to no other folder. */
  readonly path: string
  /** The same below `/media/`, percent-encoded. */
  readonly address: string
  /** The ETag of its bytes: other bytes have another name. */
  readonly etag: string
  /** As `Content-Type` says it. */
  readonly type: string
}

/** Paths of images, percent-encoded; a regular expression without its ends, for hosts that route by one. */
export const imagePathPattern: string = `/media/[^/]+/[0-9a-f]{32}\\.(?:${[...imageTypes.keys()].map((extension) => extension.slice(1)).join('|')})`

/**
 * The image that a request's target names.
 *
 * @param target path and query, percent-encoded
 * @returns null when it is the name of none
 */
export function imageOfTarget(target: string): ImageName | null {
  const [path = ''] = target.split('?')
  if (!imagePath.test(path)) return null
  const [, , id = '', file = ''] = path.split('/')
  const workspace = decode(id)
  if (leavesFolder(workspace)) return null
  const dot = file.indexOf('.')
  return {
    workspace,
    path: `${workspace}/${file}`,
    address: `${encodeURIComponent(workspace)}/${file}`,
    etag: `"${file.slice(0, dot)}"`,
    type: imageTypes.get(file.slice(dot)) ?? '',
  }
}

const imagePath = new RegExp(`^${imagePathPattern}$`)

/** A malformed encoding names no workspace. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return ''
  }
}
