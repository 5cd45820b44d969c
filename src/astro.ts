// Content of quarry as collections of Astro: from the project's own files, or from a deployed API.

import { type ClientOptions, createClient, type Result, unwrap } from '#client'
import type { ResourceKind } from './api/resources.ts'
import {
  type ContentOptions,
  type ListedResource,
  type LocalContent,
  openContent,
} from './loaders/local-content.ts'

/** The context that Astro gives a loader, as far as it is used here. */
interface LoaderContext {
  readonly store: {
    keys(): string[]
    get(id: string): { readonly digest?: string | number } | undefined
    set(entry: {
      readonly id: string
      readonly data: Record<string, unknown>
      readonly digest: string | number
      readonly rendered?: { readonly html: string }
    }): boolean
    delete(id: string): void
  }
  readonly logger: { info(text: string): void; error(text: string): void }
  parseData(entry: { readonly id: string; readonly data: object }): Promise<object>
  generateDigest(data: Record<string, unknown>): string | number
  /** In `astro dev` alone. */
  readonly watcher?: unknown
}

/** A content loader of Astro 5 and later. */
export interface QuarryLoader {
  readonly name: string
  readonly load: (context: LoaderContext) => Promise<void>
}

/** A loader for each kind of resource, by slug; `render(post)` gives the content of a post. */
export type QuarryLoaders = Readonly<Record<ResourceKind, QuarryLoader>>

/** The project's own content, or that of an API. */
export type QuarryOptions =
  | (ContentOptions & { readonly workspace: string; readonly url?: undefined })
  | ClientOptions

/**
 * Loaders of a workspace. Without `url` the content of the project is built in Astro's process, and `astro dev` shows
 * every edit; with `url` the API there is read once.
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
  return {
    posts: loader('posts'),
    categories: loader('categories'),
    tags: loader('tags'),
    authors: loader('authors'),
  }
}

type Collect = (query: { readonly limit: number }) => Promise<Result<readonly ListedResource[]>>

type Loading = (kind: ResourceKind) => (context: LoaderContext) => Promise<void>

function remoteLoading(options: ClientOptions): Loading {
  const client = createClient(options)
  return (kind) => async (context) => {
    const collect: Collect = client[kind].collect
    await fill(context, unwrap(await collect({ limit: 100 })))
  }
}

/** One build for all kinds; it ends with the last of them, in `astro dev` with the process. */
function localLoading(options: ContentOptions & { readonly workspace: string }): Loading {
  let opened: Promise<LocalContent> | undefined
  let loading = 0
  return (kind) => async (context) => {
    loading += 1
    opened ??= openContent('astro', options)
    const content = await opened
    const sync = async () => fill(context, await content.list(options.workspace, kind))
    try {
      await sync()
      if (context.watcher !== undefined) {
        content.onBuilt(() => void sync().catch((error) => context.logger.error(String(error))))
      }
    } finally {
      loading -= 1
      if (loading === 0 && context.watcher === undefined) {
        opened = undefined
        await content.loop.close()
      }
    }
  }
}

/** Puts items into a collection; those that did not change stay as they are, so nothing is rendered again for them. */
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
    const rendered = 'content' in item ? { rendered: { html: String(item.content) } } : {}
    store.set({ id, data, digest, ...rendered })
    changed += 1
  }
  for (const id of stale) store.delete(id)
  logger.info(`${items.length} items, ${changed} changed, ${stale.size} removed`)
}
