// The images and custom fields of a workspace, as listed by the API.
import { posix } from 'node:path'
import type { Assets, FieldItem, MediaItem } from '../api/assets.ts'
import { utf8 } from '../api/bytes.ts'
import { imageTypes } from '../api/media.ts'
import { readImage } from '../content/media.ts'
import type { Scan } from '../content/scan.ts'
import { BuildError } from '../diagnostics.ts'
import type { Memo, StoredRule } from '../memo/memo.ts'
import type { Destination, MediaFile } from '../model/destinations.ts'
import type { FieldDefinition } from '../model/field-definitions.ts'
import type { Workspace } from '../model/library.ts'
import type { ReadPost } from '../model/posts.ts'

/** The source of images. */
export interface ImageSource {
  readonly memo: Memo
  /** Reads an image. */
  readonly read: (file: MediaFile) => Uint8Array
  /** The images of a post: its cover, then those of its body in order. */
  readonly shownBy: (post: ReadPost) => readonly Destination[]
}

/** Size and dimensions of an image, as in `MediaItem`. */
export type ImageFacts = Pick<MediaItem, 'size' | 'width' | 'height'>

/** Rule: the dimensions of an image, by the hash of its bytes. */
const imageFacts: StoredRule<string, ImageFacts> = {
  name: 'image',
  keyOf: (sha256) => sha256,
  valueOf: (record) => JSON.parse(record.text('facts')),
}

/** The assets of a workspace. Cost: O(posts); each image is read once in the lifetime of a cache. */
export async function assetsOf(workspace: Workspace, source: ImageSource): Promise<Assets> {
  const media: MediaItem[] = []
  const known = new Set<string>()
  // An image takes name and date from the oldest post that shows it, so that neither reveals a scheduled post.
  for (const post of workspace.posts.toReversed()) {
    const pictures = post.post.authors.map(({ id, image }): Destination => {
      const media = workspace.authorImages[id]
      return media === undefined ? { url: null } : { url: image, media }
    })
    for (const { url, media: file } of [...source.shownBy(post), ...pictures]) {
      if (!file || url === null || known.has(file.path)) continue
      known.add(file.path)
      media.push(await itemOf(file, url, post, source))
    }
  }
  media.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id))
  return { media, fields: workspace.fields.map(fieldItem) }
}

async function itemOf(
  file: MediaFile,
  url: string,
  { post }: ReadPost,
  source: ImageSource,
): Promise<MediaItem> {
  const facts = await factsOf(file, source)
  const extension = posix.extname(file.path)
  return {
    id: posix.basename(file.path, extension),
    name: posix.basename(file.source),
    url,
    alt: null,
    size: facts.size,
    mimeType: imageTypes.get(extension) ?? '',
    width: facts.width,
    height: facts.height,
    duration: null,
    blurHash: null,
    type: 'image',
    createdAt: post.publishedAt,
    updatedAt: post.publishedAt,
  }
}

/** The facts of an image, which is read once in the lifetime of a cache. */
export async function factsOf(
  file: MediaFile,
  { memo, read }: Pick<ImageSource, 'memo' | 'read'>,
): Promise<ImageFacts> {
  return (
    memo.find(imageFacts, file.sha256) ??
    memo.add(imageFacts, file.sha256, { facts: utf8(JSON.stringify(await measure(read(file)))) })
  )
}

async function measure(bytes: Uint8Array): Promise<ImageFacts> {
  const { imageSize } = await import('image-size')
  const size = bytes.length
  try {
    const { width, height } = imageSize(bytes)
    return { size, width, height }
  } catch {
    // The file begins like an image, but its size cannot be read.
    return { size, width: null, height: null }
  }
}

function fieldItem(field: FieldDefinition, position: number): FieldItem {
  const { name, label, description, isRequired, type, options } = field
  return {
    id: name,
    key: name,
    name: label ?? name,
    description,
    type: type === 'list' ? 'multiselect' : type,
    required: isRequired,
    position,
    options: options.map((value, at) => ({ id: value, value, label: value, position: at })),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Returns a reader of images below a content folder; it throws a BuildError when the bytes have changed since the
 * scan.
 */
export function mediaReader(root: string, mounts: Scan['mounts']): ImageSource['read'] {
  return ({ source, sha256 }) => {
    const { value, diagnostics } = readImage({ root, mounts }, source, sha256)
    if (value === undefined) throw new BuildError(diagnostics)
    return value
  }
}
