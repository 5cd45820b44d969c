// The images and custom fields of a workspace, as listed by the API.
import { posix } from 'node:path'
import type { Assets, FieldItem, MediaItem } from '../api/assets.ts'
import { imageTypes } from '../api/media.ts'
import { readImage } from '../content/media.ts'
import { BuildError } from '../diagnostics.ts'
import type { FieldDefinition } from '../model/custom-fields.ts'
import type { Destination, MediaFile } from '../model/destinations.ts'
import type { Workspace } from '../model/library.ts'
import type { ReadPost } from '../model/posts.ts'
import type { BuildCache, ImageFacts } from './cache.ts'
import type { ContentPlace } from './read.ts'

/** The images of a content folder. */
export interface Images {
  /** @throws BuildError when the bytes have changed since they were hashed */
  read(file: MediaFile): Uint8Array
  /** Size and dimensions of an image, which is read once in the lifetime of a cache. */
  factsOf(file: MediaFile): Promise<ImageFacts>
}

export function imagesIn(place: ContentPlace, cache: BuildCache): Images {
  const read = ({ source, sha256 }: MediaFile) => {
    const { value, diagnostics } = readImage(place, source, sha256)
    if (value === undefined) throw new BuildError(diagnostics)
    return value
  }
  const factsOf = async (file: MediaFile) => {
    const record = cache.files.get(file.source)
    if (record === undefined) return measure(read(file))
    record.image ??= await measure(read(file))
    return record.image
  }
  return { read, factsOf }
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

/**
 * The assets of a workspace.
 *
 * @param shownBy the images of a post: its cover, then those of its body in order
 *
 * Cost: O(posts); each image is read once in the lifetime of a cache.
 */
export async function assetsOf(
  workspace: Workspace,
  images: Images,
  shownBy: (post: ReadPost) => readonly Destination[],
): Promise<Assets> {
  const media: MediaItem[] = []
  const known = new Set<string>()
  // An image takes name and date from the oldest post that shows it, so that neither reveals a scheduled post.
  for (const post of workspace.posts.toReversed()) {
    const pictures = post.post.authors.map(({ id, image }): Destination => {
      const file = workspace.authorImages[id]
      return file === undefined ? { url: null } : { url: image, media: file }
    })
    for (const { url, media: file } of [...shownBy(post), ...pictures]) {
      if (!file || url === null || known.has(file.path)) continue
      known.add(file.path)
      media.push(itemOf(file, url, post, await images.factsOf(file)))
    }
  }
  media.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id))
  return { media, fields: workspace.fields.map(fieldItem) }
}

function itemOf(
  { path, source }: MediaFile,
  url: string,
  { post }: ReadPost,
  { size, width, height }: ImageFacts,
): MediaItem {
  const extension = posix.extname(path)
  return {
    id: posix.basename(path, extension),
    name: posix.basename(source),
    url,
    alt: null,
    size,
    mimeType: imageTypes.get(extension) ?? '',
    width,
    height,
    duration: null,
    blurHash: null,
    type: 'image',
    createdAt: post.publishedAt,
    updatedAt: post.publishedAt,
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
