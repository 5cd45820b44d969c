// Values derived from the bodies of posts, in workspaces that request them.
import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { hex } from '../api/bytes.ts'
import { imageTypes } from '../api/media.ts'
import type { Derived, DerivedName } from '../api/resources.ts'
import {
  countWords,
  excerptOf,
  headingsOf,
  imagesOf,
  ownText,
  readingTimeSeconds,
  type ShownImage,
} from '../markdown/derived.ts'
import type { Workspace } from '../model/library.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'
import type { ReadPost } from '../model/posts.ts'
import type { Images } from './assets.ts'
import type { SiteBody } from './bodies.ts'
import type { BuildCache, ImageFacts } from './cache.ts'
import type { ResolvedBodies } from './resolve.ts'

/** The sources of bodies and images. */
export interface DerivedSource extends Pick<ResolvedBodies, 'place' | 'destinationsOf'> {
  readonly cache: BuildCache
  readonly images: Images
  /** The text before the mark of a body; null without it. */
  readonly excerptOf: (body: MarkdownBody) => string | null
}

/** Published images by their URL. */
type ImagesByUrl = ReadonlyMap<string, ImageFacts & { readonly type: string }>

/**
 * Returns the posts of a workspace, with `derived` where the workspace requests it.
 *
 * Cost: O(posts); each body is read once in the lifetime of a cache.
 */
export async function withDerived(workspace: Workspace, source: DerivedSource): Promise<Workspace> {
  const { posts, derived: names } = workspace
  if (names.length === 0) return workspace
  const values: Derived[] = []
  for (const { body: document } of posts) {
    const body = source.place(document)
    const images = names.includes('images') ? await imagesIn(document, source) : new Map()
    const digests = [hex(body.digest('html')), hex(body.digest('markdown'))]
    const key = hash('sha256', JSON.stringify([digests, names, [...images]]))
    const record = source.cache.files.get(document.file)
    const known = record?.derived?.key === key ? record.derived.values : undefined
    const made = known ?? valuesOf(names, body, images, source.excerptOf(document))
    values.push(made)
    if (record !== undefined) record.derived = { key, values: made }
  }
  const withValues = (post: ReadPost, at: number): ReadPost => {
    const derived = values[at]
    return derived === undefined ? post : { ...post, post: { ...post.post, derived } }
  }
  return { ...workspace, posts: posts.map(withValues) }
}

/** @param excerpt the text before the mark; null without it */
function valuesOf(
  names: readonly DerivedName[],
  body: SiteBody,
  images: ImagesByUrl,
  excerpt: string | null,
): Derived {
  const html: string = JSON.parse(body.read('html').toString())
  const text = ownText(html)
  const words = countWords(text)
  const makers: Readonly<Record<DerivedName, () => Derived>> = {
    excerpt: () => ({ excerpt: excerpt ?? excerptOf(text) }),
    wordCount: () => ({ wordCount: words }),
    readingTime: () => ({ readingTimeSeconds: readingTimeSeconds(words) }),
    toc: () => ({ toc: headingsOf(html) }),
    images: () => ({ images: imagesOf(html).map((image) => withFacts(image, images)) }),
  }
  return Object.assign({}, ...names.map((name) => makers[name]()))
}

async function imagesIn(
  body: MarkdownBody,
  { destinationsOf, images }: DerivedSource,
): Promise<ImagesByUrl> {
  const found = new Map<string, ImageFacts & { readonly type: string }>()
  for (const { url, media } of destinationsOf(body)) {
    if (url === null || media === undefined) continue
    const type = imageTypes.get(posix.extname(media.path)) ?? ''
    found.set(url, { ...(await images.factsOf(media)), type })
  }
  return found
}

function withFacts({ src, alt }: ShownImage, images: ImagesByUrl) {
  const { width = null, height = null, type = null, size = null } = images.get(src) ?? {}
  return { src, alt, width, height, type, bytes: size }
}
