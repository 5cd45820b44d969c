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

/** The folder of downloads in the media folder of a workspace. It lets hosts set other headers for them. */
export const downloadsFolder = 'files'

/** Media type of downloads. Browsers save files of this type instead of showing them. */
export const downloadType = 'application/octet-stream'

/** The parsed name of an image or a download, which may not exist. */
export interface ImageName {
  readonly workspace: string
  /** Path below the media folder: `acme/{hash}.png`. Never leads out of it. */
  readonly path: string
  /** The same path below `/media/`, percent-encoded. */
  readonly address: string
  /** ETag, with quotes: the name without its extension, which changes with the bytes. */
  readonly etag: string
  readonly type: string
  readonly isDownload: boolean
}

/** A regular expression, without anchors, for percent-encoded paths of downloads. Hosts route by it. */
export const downloadPathPattern: string = `/media/[^/]+/${downloadsFolder}/[0-9a-f]{32}\\.[a-z0-9]{1,10}`

/** A regular expression, without anchors, for percent-encoded paths of images and downloads. */
export const imagePathPattern: string = `(?:/media/[^/]+/[0-9a-f]{32}\\.(?:${[...imageTypes.keys()].map((extension) => extension.slice(1)).join('|')})|${downloadPathPattern})`

/** Parses the name in a percent-encoded path, ignoring a query; null if it cannot be an image or a download. */
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
