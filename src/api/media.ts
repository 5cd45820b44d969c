// URLs of published files: `/media/{workspace}/{hash}.png`, and `/media/{workspace}/files/{hash}.pdf` for downloads.
import decode from 'fast-decode-uri-component'
import { isUnsafeName } from './paths.ts'

/** Media types of published images, by extension. SVG is excluded: it can contain scripts. */
export const imageTypes: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
])

/** The folder of downloads among the images of a workspace, so that hosts can give them other headers. */
export const downloadsFolder = 'files'

/** Media type of downloads: no browser shows them. */
export const downloadType = 'application/octet-stream'

/** The parsed name of an image or a download, which may not exist. */
export interface ImageName {
  readonly workspace: string
  /** Path below the media folder: `acme/{hash}.png`. Never leads out of it. */
  readonly path: string
  /** The same path below `/media/`, percent-encoded. */
  readonly address: string
  /** ETag of its bytes: other bytes have another name. */
  readonly etag: string
  readonly type: string
  readonly isDownload: boolean
}

/** Paths of downloads, percent-encoded: a regular expression without anchors, for hosts that route by one. */
export const downloadPathPattern: string = `/media/[^/]+/${downloadsFolder}/[0-9a-f]{32}\\.[a-z0-9]{1,10}`

/** The same for images and downloads. */
export const imagePathPattern: string = `(?:/media/[^/]+/[0-9a-f]{32}\\.(?:${[...imageTypes.keys()].map((extension) => extension.slice(1)).join('|')})|${downloadPathPattern})`

/** Parses the image name in a path and query, percent-encoded; null if it names no image. */
export function imageOfTarget(target: string): ImageName | null {
  const [path = ''] = target.split('?')
  if (!imagePath.test(path)) return null
  const [, , id = '', ...below] = path.split('/')
  const file = below.join('/')
  const isDownload = below.length > 1
  const [name = '', extension = ''] = below.at(-1)?.split('.') ?? []
  const workspace = decode(id) ?? ''
  if (isUnsafeName(workspace)) return null
  return {
    workspace,
    path: `${workspace}/${file}`,
    address: `${encodeURIComponent(workspace)}/${file}`,
    etag: `"${name}"`,
    type: isDownload ? downloadType : (imageTypes.get(`.${extension}`) ?? ''),
    isDownload,
  }
}

// regex: anchored, and a slash ends the only part without a fixed length
const imagePath = new RegExp(`^${imagePathPattern}$`)
