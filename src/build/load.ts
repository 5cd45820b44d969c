// Loads a site: makes the model, renders new bodies, resolves links and images, and reports every problem.

import type { Settings } from '../config.ts'
import { type Diagnostic, warningsIn } from '../diagnostics.ts'
import type { MediaFile } from '../model/destinations.ts'
import { withDrafts } from '../model/drafts.ts'
import { buildLibrary, type Workspace } from '../model/library.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'
import type { ReadPost } from '../model/posts.ts'
import { assetsOf, Images } from './assets.ts'
import { Bodies, type SiteBody } from './bodies.ts'
import type { BuildCache } from './cache.ts'
import { withDerived } from './derived.ts'
import { type Content, rawContent, readBody } from './read.ts'
import { bodiesOf, resolveBodies } from './resolve.ts'
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
    const images = new Images(content.place, cache)
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
