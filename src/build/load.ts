// Loads a site: makes the model, renders new bodies, resolves links and images, and reports every problem.

import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { hex, parseJson } from '../api/bytes.ts'
import { imageTypes } from '../api/media.ts'
import type { Derived, DerivedName } from '../api/resources.ts'
import type { Settings } from '../config.ts'
import { type Diagnostic, warningsIn } from '../diagnostics.ts'
import {
  countWords,
  excerptOf,
  headingsOf,
  imagesOf,
  ownText,
  readingTimeSeconds,
  type ShownImage,
} from '../markdown/derived.ts'
import type { MediaFile } from '../model/destinations.ts'
import { buildLibrary, type Workspace, withDrafts } from '../model/library.ts'
import type { MarkdownBody, ReadPost } from '../model/posts.ts'
import { assetsOf, type Images, imagesIn } from './assets.ts'
import { Bodies, type SiteBody } from './bodies.ts'
import type { BuildCache, ImageFacts } from './cache.ts'
import { type Content, rawContent, readBody } from './read.ts'
import { bodiesOf, type ResolvedBodies, resolveBodies } from './resolve.ts'
import type { Tools } from './tools.ts'

/** The steps of a build that may take long, in order. */
export type BuildStepName = 'read' | 'render' | 'snapshot' | 'respond' | 'write'

/** Options of a site. */
export interface LoadOptions {
  /** Time in milliseconds since 1970. Later posts are scheduled. @default the clock */
  readonly now?: number | undefined
  /** Adds drafts, for readers who may see them. @default false */
  readonly drafts?: boolean | undefined
  /** Called occasionally with the number of rendered bodies, and of all that are to be rendered. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
  /** Called when a step begins. */
  readonly onStep?: ((step: BuildStepName) => void) | undefined
}

/** A site in memory. */
export interface Site {
  /** By id, in code unit order. */
  readonly workspaces: readonly SiteWorkspace[]
  /** The distinct images of posts and authors, by path. */
  readonly media: readonly MediaFile[]
  readonly images: Images
  readonly bodies: Bodies
  readonly cache: BuildCache
  /** Milliseconds spent on rendering. */
  readonly rendering: number
  /** Warnings only, sorted. */
  readonly diagnostics: readonly Diagnostic[]
}

interface SiteWorkspace {
  readonly workspace: Workspace
  /** The same with drafts; null without drafts. */
  readonly preview: Workspace | null
  /** The body of a post, as served. */
  readonly bodyOf: (post: ReadPost) => SiteBody
  readonly assets: () => ReturnType<typeof assetsOf>
}

/**
 * Reads, checks and renders the content. Saves the cache before it fails, so that no body is rendered twice.
 *
 * @throws BuildError with every problem when one of them is an error
 */
export async function loadSite(
  content: Content,
  tools: Tools,
  settings: Settings,
  options: LoadOptions,
): Promise<Site> {
  const { cache } = tools
  const { now = Date.now() } = options
  try {
    const raw = await rawContent(content, cache)
    const library = buildLibrary(raw, settings.frontMatter, { ...settings, ...options }, now)
    const bodies = new Bodies(cache, { ...settings, ...options, renderer: tools.id.renderer })
    const all = library.workspaces.flatMap(bodiesOf)
    options.onStep?.('render')
    const rendersFrom = performance.now()
    const read = (body: MarkdownBody) => readBody(content.place, cache, body)
    await bodies.render(all, read, tools.threads)
    const rendering = performance.now() - rendersFrom
    const resolved = resolveBodies(library, bodies, now)
    const diagnostics = warningsIn(settings.ignoredWarnings, [
      ...raw.diagnostics,
      ...library.diagnostics,
      ...all.flatMap((body) => bodies.diagnosticsOf(body)),
      ...resolved.diagnostics,
    ])
    const images = imagesIn(content.place, cache)
    const excerptOf = (body: MarkdownBody) => bodies.excerptOf(body)
    const source = { ...resolved, cache, images, excerptOf }
    const workspaces: SiteWorkspace[] = []
    for (const workspace of resolved.workspaces) {
      const whole = await withDerived(workspace, source)
      const preview = withDrafts(whole)
      const shownBy = ({ post, cover, body }: ReadPost) => [
        ...(cover === null ? [] : [{ url: post.coverImage, media: cover }]),
        ...resolved.destinationsOf(body),
      ]
      workspaces.push({
        workspace: whole,
        preview: preview && (await withDerived(preview, source)),
        bodyOf: ({ body }) => resolved.place(body),
        assets: () => assetsOf(whole, images, shownBy),
      })
    }
    return { workspaces, media: resolved.media, images, bodies, cache, rendering, diagnostics }
  } catch (error) {
    cache.save()
    throw error
  }
}

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
    const images = names.includes('images') ? await imagesByUrl(document, source) : new Map()
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
  const html: string = parseJson(body.read('html'))
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

async function imagesByUrl(
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
