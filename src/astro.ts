// quarry content as Astro collections, built from the project's own files or read from a deployed API.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ClientOptions, createClient, type Result, unwrap } from '#client'
import { mediaFolder } from './api/paths.ts'
import type { ResourceKind } from './api/resources.ts'
import type { DevEvent } from './build/dev.ts'
import {
  ContentError,
  type ContentOptions,
  type ListedKind,
  type ListedResource,
  type LocalContent,
  openContent,
  toolFolder,
} from './loaders.ts'
import { headingsOf } from './markdown/derived.ts'
import type { QuarryPlugin } from './vite.ts'

/** The used part of Astro's loader context. */
interface LoaderContext {
  readonly store: {
    keys(): string[]
    get(id: string): { readonly digest?: string | number } | undefined
    set(entry: {
      readonly id: string
      readonly data: Record<string, unknown>
      readonly digest: string | number
      readonly rendered?: {
        readonly html: string
        readonly metadata: { headings: { depth: number; slug: string; text: string }[] }
      }
    }): boolean
    delete(id: string): void
  }
  readonly logger: {
    info(text: string): void
    warn(text: string): void
    error(text: string): void
  }
  parseData(entry: { readonly id: string; readonly data: object }): Promise<object>
  generateDigest(data: Record<string, unknown>): string | number
  /** Set only in `astro dev`. */
  readonly watcher?: unknown
}

/** A content loader of Astro 5 and later. */
export interface QuarryLoader {
  readonly name: string
  readonly load: (context: LoaderContext) => Promise<void>
}

/** One loader per kind of resource. Entries are keyed by slug; `render(post)` returns the content of a post. */
export type QuarryLoaders = Readonly<Record<ResourceKind, QuarryLoader>> & {
  /** Returns the loader of a collection of the workspace. */
  collection(name: string): QuarryLoader
}

/** The project's own content, or the content of an API. */
export type QuarryOptions =
  | (ContentOptions & { readonly workspace: string; readonly url?: undefined })
  | ClientOptions

/**
 * Returns the loaders of a workspace. Without `url`, the project's content is built in Astro's process, and `astro dev`
 * shows every edit. With `url`, the API at that URL is read once.
 *
 * ```ts
 * const handbook = quarry({ workspace: 'handbook' })
 * const schema = z.custom<Post<Site>>()
 * export const collections = { posts: defineCollection({ loader: handbook.posts, schema }) }
 * ```
 */
export function quarry(options: QuarryOptions): QuarryLoaders {
  const load = options.url === undefined ? localLoading(options) : remoteLoading(options)
  const loader = (kind: ResourceKind) => ({ name: `quarry-${kind}`, load: load(kind) })
  const collection = (name: string) => ({
    name: `quarry-${name}`,
    load: load({ collection: name }),
  })
  return {
    posts: loader('posts'),
    categories: loader('categories'),
    tags: loader('tags'),
    authors: loader('authors'),
    collection,
  }
}

/** The hooks of an Astro integration. */
export interface QuarryImages {
  readonly name: string
  readonly hooks: {
    'astro:config:setup'(setup: {
      readonly command: string
      updateConfig(config: { vite: { plugins: QuarryPlugin[] } }): unknown
    }): Promise<void>
    'astro:build:done'(built: { readonly dir: URL }): void
  }
}

/**
 * Returns an integration for the images of local content: `astro dev` serves them, and `astro build` copies them to its
 * output.
 */
export function images(options: ContentOptions = {}): QuarryImages {
  return {
    name: 'quarry',
    hooks: {
      'astro:config:setup': async ({ command, updateConfig }) => {
        if (command !== 'dev') return
        const { quarry: plugin } = await import('./vite.ts')
        updateConfig({ vite: { plugins: [plugin(options)] } })
      },
      'astro:build:done': ({ dir }) => {
        const media = join(toolFolder('astro', options.project), mediaFolder)
        if (existsSync(media)) cpSync(media, new URL('media', dir), { recursive: true })
      },
    },
  }
}

type Collect = (query: { readonly limit: number }) => Promise<Result<readonly ListedResource[]>>

type Loading = (kind: ListedKind) => (context: LoaderContext) => Promise<void>

function remoteLoading(options: ClientOptions): Loading {
  const client = createClient(options)
  return (kind) => async (context) => {
    const resources = typeof kind === 'object' ? client.collection(kind.collection) : client[kind]
    const collect: Collect = resources.collect
    await fill(context, unwrap(await collect({ limit: 100 })))
  }
}

/**
 * All kinds share one build. It closes after the last kind; in `astro dev`, with the process. An error in the content
 * ends `astro build`; `astro dev` logs it once for all kinds, and keeps the last good entries.
 */
function localLoading(options: ContentOptions & { readonly workspace: string }): Loading {
  let opened: Promise<LocalContent> | undefined
  let loading = 0
  /** The failed build that has been logged. Each kind gets the same error. */
  let told: DevEvent | undefined
  const load = async (kind: ListedKind, context: LoaderContext): Promise<void> => {
    opened ??= openContent('astro', options, context.logger)
    const content = await opened
    const sync = async () => fill(context, await content.list(options.workspace, kind))
    if (context.watcher === undefined) return sync()
    content.loop.subscribe(({ kind }) => {
      if (kind === 'built') sync().catch((error) => context.logger.error(String(error)))
    })
    try {
      await sync()
    } catch (error) {
      // The server starts with the entries that Astro has stored. The next good build fills the collections.
      if (!(error instanceof ContentError)) throw error
      if (told !== content.loop.latest()) context.logger.error(error.message)
      told = content.loop.latest()
    }
  }
  return (kind) => async (context) => {
    loading += 1
    try {
      await load(kind, context)
    } finally {
      loading -= 1
      if (loading === 0 && context.watcher === undefined) {
        const content = await opened?.catch(() => undefined)
        opened = undefined
        await content?.loop.close()
      }
    }
  }
}

/** Syncs items into a collection. Unchanged items are not replaced, so Astro does not render them again. */
async function fill(
  { store, logger, parseData, generateDigest }: LoaderContext,
  items: readonly ListedResource[],
): Promise<void> {
  const stale = new Set(store.keys())
  let changed = 0
  for (const item of items) {
    const id = item.slug
    stale.delete(id)
    const digest = generateDigest({ ...item })
    if (store.get(id)?.digest === digest) continue
    const data = { ...(await parseData({ id, data: item })) }
    const rendered = 'content' in item ? { rendered: renderedOf(String(item.content)) } : {}
    store.set({ id, data, digest, ...rendered })
    changed += 1
  }
  for (const id of stale) store.delete(id)
  logger.info(`${items.length} items, ${changed} changed, ${stale.size} removed`)
}

function renderedOf(html: string) {
  const headings = headingsOf(html).map(({ id, text, depth }) => ({ depth, slug: id ?? '', text }))
  return { html, metadata: { headings } }
}
