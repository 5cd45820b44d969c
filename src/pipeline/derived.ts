// Values derived from the bodies of posts, in workspaces that request them.
import { posix } from 'node:path'
import { hex } from '../api/bytes.ts'
import { imageTypes } from '../api/media.ts'
import type { Derived, DerivedName } from '../api/resources.ts'
import { excerptOfBody, type StoredBody } from '../markdown/bodies.ts'
import {
  countWords,
  excerptOf,
  headingsOf,
  imagesOf,
  ownText,
  readingTimeSeconds,
  type ShownImage,
} from '../markdown/derived.ts'
import type { Rendering } from '../markdown/rendering.ts'
import type { StoredRule } from '../memo/memo.ts'
import type { Destination } from '../model/destinations.ts'
import type { Workspace } from '../model/library.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'
import type { ReadPost } from '../model/posts.ts'
import { factsOf, type ImageFacts, type ImageSource } from './assets.ts'

/** The sources of bodies and images. */
export interface DerivedSource extends Pick<ImageSource, 'memo' | 'read'> {
  readonly rendering: Rendering
  /** A body as served. */
  readonly place: (body: MarkdownBody) => StoredBody
  readonly destinationsOf: (body: MarkdownBody) => readonly Destination[]
}

/** Everything that the derived values of a body depend on. */
interface DerivedInput {
  readonly html: Uint8Array
  readonly markdown: Uint8Array
  readonly names: readonly DerivedName[]
  readonly images: Images
}

/** Rule: the derived values of a body. */
const derivedValues: StoredRule<DerivedInput, Derived> = {
  name: 'derived',
  keyOf: ({ html, markdown, names, images }) =>
    JSON.stringify([hex(html), hex(markdown), names, [...images]]),
  valueOf: (record) => JSON.parse(record.text('values')),
}

/** Published images by their URL. */
type Images = ReadonlyMap<string, ImageFacts & { readonly type: string }>

/**
 * Returns the workspaces, with `derived` in the posts of those that request it.
 *
 * Cost: O(posts) of these workspaces; each body is read once in the lifetime of a cache.
 */
export async function withDerived(
  workspaces: readonly Workspace[],
  source: DerivedSource,
): Promise<readonly Workspace[]> {
  return Promise.all(
    workspaces.map(async (workspace) => {
      if (workspace.derived.length === 0) return workspace
      return { ...workspace, posts: await derivedPosts(workspace, source) }
    }),
  )
}

/** A post whose derived values are not stored. */
interface NewValues {
  readonly at: number
  readonly input: DerivedInput
  readonly stored: StoredBody
  /** The text before the mark; null without it. */
  readonly excerpt: string | null
}

async function derivedPosts(
  { posts, derived: names }: Workspace,
  source: DerivedSource,
): Promise<readonly ReadPost[]> {
  const values: Derived[] = []
  const missing: NewValues[] = []
  for (const [at, { body }] of posts.entries()) {
    const stored = source.place(body)
    const images = names.includes('images') ? await imagesIn(body, source) : new Map()
    const [html, markdown] = [stored.digest('html'), stored.digest('markdown')]
    const input = { html, markdown, names, images }
    const found = source.memo.find(derivedValues, input)
    if (found === undefined) {
      const excerpt = excerptOfBody(source.rendering.bodyOf(body))
      missing.push({ at, input, stored, excerpt })
    } else values[at] = found
  }
  for (const { at, input, stored, excerpt } of missing) {
    const json = Buffer.from(JSON.stringify(valuesOf(input, stored, excerpt)))
    values[at] = source.memo.add(derivedValues, input, { values: json })
  }
  return posts.map((post, at) => {
    const derived = values[at]
    return derived === undefined ? post : { ...post, post: { ...post.post, derived } }
  })
}

/** @param excerpt the text before the mark; null without it */
function valuesOf(
  { names, images }: DerivedInput,
  stored: StoredBody,
  excerpt: string | null,
): Derived {
  const html = htmlOf(stored)
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

function htmlOf(body: StoredBody): string {
  return JSON.parse(Buffer.from(body.read('html')).toString())
}

async function imagesIn(body: MarkdownBody, source: DerivedSource): Promise<Images> {
  const images = new Map<string, ImageFacts & { readonly type: string }>()
  for (const { url, media } of source.destinationsOf(body)) {
    if (url === null || media === undefined) continue
    const type = imageTypes.get(posix.extname(media.path)) ?? ''
    images.set(url, { ...(await factsOf(media, source)), type })
  }
  return images
}

function withFacts({ src, alt }: ShownImage, images: Images) {
  const { width = null, height = null, type = null, size = null } = images.get(src) ?? {}
  return { src, alt, width, height, type, bytes: size }
}
