// The images of a site: the images that posts show, their published names, and their list in the API.
import { createHmac, hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { posix } from 'node:path'
import pMap from 'p-map'
import { compareCodePoints } from '../api/bytes.ts'
import { downloadType, imageTypes } from '../api/media.ts'
import type { Derived } from '../api/resources.ts'
import type { Scaling } from '../api/schemas.ts'
import type { Assets, FieldItem, MediaItem } from '../api/snapshot.ts'
import { readScanned } from '../content/read-file.ts'
import { BuildError } from '../diagnostics.ts'
import type { FieldDefinition, FieldType } from '../model/custom-fields.ts'
import type { Destination, MediaFile } from '../model/destinations.ts'
import type { Workspace } from '../model/library.ts'
import type { MarkdownBody, ParsedPost } from '../model/posts.ts'
import type { BuildCache } from './cache.ts'

/** Returns the resolved destinations of a body, in order; empty for none. */
export type DestinationsOf = (body: MarkdownBody) => readonly Destination[]

/** An image that a post shows. */
export interface ShownImage {
  readonly url: string
  readonly media: MediaFile
}

/** Returns the images that a post shows: its cover, the images of its body in order, and pictures of its authors. */
export function listImages(
  { post, cover, body, pictures = [] }: ParsedPost,
  { authorImages }: Workspace,
  destinationsOf: DestinationsOf,
): readonly ShownImage[] {
  const images: Destination[] = [...destinationsOf(body)]
  if (cover !== null) images.unshift({ url: post.coverImage, media: cover })
  for (const { id, image } of post.authors) {
    const media = authorImages[id]
    if (media !== undefined) images.push({ url: image, media })
  }
  for (const { media, value } of pictures) images.push({ url: value.src, media })
  return images.flatMap(({ url, media }) => (url !== null && media ? [{ url, media }] : []))
}

/** The values of an image in `derived`, except those from the body. */
export type ImageDescription = Omit<NonNullable<Derived['images']>[number], 'src' | 'alt'>

/** How images are scaled, and the package that scales them, with its version. */
export interface SharpScaling extends Scaling {
  readonly sharp: typeof import('sharp').default
  readonly version: string
}

/** Size and dimensions of an image. */
interface ImageFacts extends Pick<MediaItem, 'size' | 'width' | 'height'> {
  /** True if it may have several frames. */
  readonly isAnimated: boolean
}

/** The image files of the content, and the files that sharp makes from them, each once in the lifetime of a cache. */
export class ImageFiles {
  readonly #root: string
  readonly #cache: BuildCache
  readonly #scaling: SharpScaling | null
  /** Previews by the hash of the image. */
  readonly #previews = new Map<string, string>()

  /** @param root absolute path of the content folder */
  constructor(root: string, cache: BuildCache, scaling: SharpScaling | null) {
    this.#root = root
    this.#cache = cache
    this.#scaling = scaling
  }

  /** Returns the bytes of an image or a smaller copy. @throws BuildError if they changed after they were hashed */
  async read(file: MediaFile): Promise<Uint8Array> {
    // If sharp cannot read an image, browsers get it in its original size.
    return (file.width && (await this.#scaled(file, file.width))) || this.#bytesOf(file)
  }

  facts(file: MediaFile): ImageFacts {
    return this.#cache.json(`facts-${file.sha256}`, () => measure(this.#bytesOf(file)))
  }

  /** Returns smaller copies of an image, ascending by width. Their names are as secret as the name of the image. */
  copiesOf(file: MediaFile): readonly MediaFile[] {
    const { widths = [], version } = this.#scaling ?? {}
    if (widths.length === 0 || !imageTypes.has(posix.extname(file.path))) return []
    const { width, isAnimated } = this.facts(file)
    if (width === null || isAnimated) return []
    return widths
      .filter((each) => each < width)
      .map((each) => {
        // `has` marks the copy as used, so that it stays in the cache even if it is not read.
        this.#cache.has(this.#keyOf(file, each))
        const name = hash('sha256', `${file.path} ${each} ${version}`).slice(0, 32)
        return { ...file, path: file.path.replace(hashInName, name), width: each }
      })
  }

  /** Makes the previews that `describe` needs. */
  async makePreviews(files: readonly MediaFile[]): Promise<void> {
    if (this.#scaling?.preview !== true) return
    const make = async (file: MediaFile) => {
      const bytes = await this.#scaled(file, 16, 'webp')
      const text = bytes && `data:image/webp;base64,${Buffer.from(bytes).toString('base64')}`
      if (text !== null) this.#previews.set(file.sha256, text)
    }
    const each = new Map(files.map((file) => [file.sha256, file])).values()
    await pMap(each, make, { concurrency: 4 })
  }

  /** @param file null for an image that is not published @param src its URL */
  describe(file: MediaFile | null, src: string): ImageDescription {
    const { widths = [], preview = false } = this.#scaling ?? {}
    const { width, height, size } = file === null ? unknownFacts : this.facts(file)
    const type = file && (imageTypes.get(posix.extname(file.path)) ?? '')
    const variants = (file === null ? [] : this.copiesOf(file)).map((copy) => {
      const url = src.slice(0, src.lastIndexOf('/') + 1) + posix.basename(copy.path)
      return { url, width: copy.width ?? 0 }
    })
    const all = width === null ? [] : [...variants, { url: src, width }]
    return {
      ...{ width, height, type, bytes: size },
      ...(widths.length > 0 && { variants: all }),
      ...(preview && { preview: this.#previews.get(file?.sha256 ?? '') ?? null }),
    }
  }

  #bytesOf({ source, sha256 }: MediaFile): Uint8Array {
    const { value, diagnostics } = readScanned(this.#root, source, sha256)
    if (value === undefined) throw new BuildError(diagnostics)
    return value
  }

  /** @returns null if sharp cannot read the image */
  async #scaled(file: MediaFile, width: number, format?: 'webp'): Promise<Uint8Array | null> {
    const key = this.#keyOf(file, width, format)
    const known = this.#cache.get(key)
    if (known !== undefined || this.#scaling === null) return known ?? null
    const image = this.#scaling.sharp(this.#bytesOf(file)).autoOrient().resize({ width })
    const bytes = await (format ? image.toFormat(format) : image).toBuffer().catch(() => null)
    if (bytes !== null) this.#cache.set(key, bytes)
    return bytes
  }

  #keyOf({ sha256 }: MediaFile, width: number, format = ''): string {
    return `scaled ${sha256} ${width} ${format} ${this.#scaling?.version}`
  }
}

const unknownFacts = { size: null, width: null, height: null }

function measure(bytes: Uint8Array): ImageFacts {
  const size = bytes.length
  // The marks of animated formats come before the pixels.
  const isAnimated = /^GIF|acTL|ANIM|avis/.test(Buffer.from(bytes).toString('latin1', 0, 65_536))
  // Loaded with the first new image. A copy, as it reads memory beyond the end of a view.
  const { imageSize }: typeof import('image-size') = createRequire(import.meta.url)('image-size')
  try {
    const { width, height, orientation = 1 } = imageSize(new Uint8Array(bytes))
    // Browsers rotate images with these orientations by 90° (EXIF 2.3, tag 274).
    const isTurned = orientation >= 5
    const turned = isTurned ? { width: height, height: width } : { width, height }
    return { size, ...turned, isAnimated }
  } catch {
    // The file begins like an image, but its size cannot be read.
    return { size, width: null, height: null, isAnimated }
  }
}

/** The name of an image at the end of a path, or of a text in JSON. */
// regex: nothing varies in length before the ending
const hashInName = /[0-9a-f]{32}(?=\.\w+(?:"|$))/g

/**
 * Returns a function that renames the images that only scheduled posts show, in all texts of a value. Their usual name is
 * a hash of their bytes, so anyone with an image could find out whether a scheduled post shows it. The other name is an
 * HMAC whose key is the whole post that shows it first, which nobody knows before its publication.
 *
 * @param now milliseconds since 1970
 */
export function createRename(
  workspace: Workspace,
  destinationsOf: DestinationsOf,
  now: number,
): <T>(value: T) => T {
  /** The oldest post that shows an image, by the hash of the image. */
  const firstShown = new Map<string, ParsedPost>()
  for (const post of workspace.posts.toReversed()) {
    for (const { media } of listImages(post, workspace, destinationsOf)) {
      if (!firstShown.has(media.sha256)) firstShown.set(media.sha256, post)
    }
  }
  // An author with a file is public even without posts.
  const ofPosts = new Set(workspace.created.authors)
  for (const [id, media] of Object.entries(workspace.authorImages)) {
    if (!ofPosts.has(id)) firstShown.delete(media.sha256)
  }
  const hidden = new Map<string, string>()
  for (const [sha256, { post, body, publishedAt }] of firstShown) {
    if (publishedAt <= now) continue
    const secret = JSON.stringify([post, body.bodyHash])
    const name = createHmac('sha256', secret).update(sha256).digest('hex')
    hidden.set(sha256.slice(0, 32), name.slice(0, 32))
  }
  if (hidden.size === 0) return (value) => value
  const newName = (name: string) => hidden.get(name) ?? name
  return (value) => JSON.parse(JSON.stringify(value).replace(hashInName, newName))
}

/** Returns a workspace with renamed images. */
export function renameImages(
  workspace: Workspace,
  renamed: ReturnType<typeof createRename>,
): Workspace {
  const { authors, authorImages, posts, draftPosts } = workspace
  const ofPost = (read: ParsedPost): ParsedPost => {
    const { post, cover, pictures = [] } = read
    return { ...read, ...renamed({ post, cover, pictures }) }
  }
  return {
    ...workspace,
    ...renamed({ authors, authorImages }),
    posts: posts.map(ofPost),
    draftPosts: draftPosts.map(ofPost),
  }
}

/** Returns the images and custom fields of a workspace, as listed by the API. */
export function assetsOf(
  workspace: Workspace,
  destinationsOf: DestinationsOf,
  facts: (file: MediaFile) => ImageFacts,
): Assets {
  const media = new Map<string, MediaItem>()
  /** When the last post that shows an image expires, by image. */
  const until = new Map<string, number>()
  // The name and date of an image are those in the oldest post that shows it, so neither reveals a scheduled post.
  for (const post of workspace.posts.toReversed()) {
    for (const { url, media: file } of listImages(post, workspace, destinationsOf)) {
      const item = media.get(file.path) ?? itemOf(file, url, post, facts(file))
      media.set(file.path, item)
      const end = post.expiresAt ?? Number.POSITIVE_INFINITY
      until.set(item.id, Math.max(until.get(item.id) ?? 0, end))
    }
  }
  const byDate = [...media.values()].sort(
    (a, b) => compareCodePoints(b.createdAt, a.createdAt) || compareCodePoints(b.id, a.id),
  )
  const expiries = [...until].filter(([, at]) => at !== Number.POSITIVE_INFINITY)
  const ends = expiries.length === 0 ? {} : { expiries: Object.fromEntries(expiries) }
  return { media: byDate, fields: workspace.fields.map(fieldItem), ...ends }
}

function itemOf(
  { path, source }: MediaFile,
  url: string,
  { post }: ParsedPost,
  { size, width, height }: ImageFacts,
): MediaItem {
  const extension = posix.extname(path)
  return {
    id: posix.basename(path, extension),
    name: posix.basename(source),
    url,
    alt: null,
    size,
    mimeType: imageTypes.get(extension) ?? downloadType,
    width,
    height,
    duration: null,
    blurHash: null,
    type: imageTypes.has(extension) ? 'image' : 'document',
    createdAt: post.publishedAt,
    updatedAt: post.publishedAt,
  }
}

/** The vendor's name of each type. The vendor has no type for objects. */
const vendorTypes: Partial<Record<FieldType, FieldItem['type']>> = {
  ...{ number: 'number', boolean: 'boolean', date: 'date', select: 'select' },
  ...{ list: 'multiselect', references: 'multiselect' },
}

function fieldItem(field: FieldDefinition, position: number): FieldItem {
  const { name, label, description, isRequired, type, options } = field
  return {
    id: name,
    key: name,
    name: label ?? name,
    description,
    type: vendorTypes[type] ?? 'text',
    required: isRequired,
    position,
    options: options.map((value, at) => ({ id: value, value, label: value, position: at })),
  }
}
