// Loads a site: reads, assembles and renders the content, and creates a snapshot per workspace.

import { setImmediate as turn } from 'node:timers/promises'
import type { Assets } from '../api/assets.ts'
import type { Cache } from '../cache/cache.ts'
import type { Scan } from '../content/scan.ts'
import { type Diagnostic, type DiagnosticCode, isError, warningsIn } from '../diagnostics.ts'
import { makeSnapshot, type SiteSnapshot } from '../emit/site-snapshot.ts'
import { RenderedBodies } from '../markdown/bodies.ts'
import { Rendering } from '../markdown/rendering.ts'
import { Memo } from '../memo/memo.ts'
import type { MediaFile } from '../model/destinations.ts'
import { mappingsOf } from '../model/front-matter-mapping.ts'
import type { Library, Workspace } from '../model/library.ts'
import { assetsOf, type ImageSource, mediaReader } from './assets.ts'
import { withDerived } from './derived.ts'
import { Documents, type NewPost } from './documents.ts'
import { bodiesOf, resolveBodies } from './placed-bodies.ts'
import { type RenderPool, renderThreads, type ThreadOptions } from './render-threads.ts'
import { type LibrarySettings, library, libraryParts } from './rules/library.ts'
import { termsCache } from './rules/terms.ts'
import type { ToolId } from './tool-id.ts'
import { Stopwatch, type Trace } from './trace.ts'

/** A workspace, ready to serve. */
export interface SiteWorkspace extends SiteSnapshot {
  readonly workspace: Workspace
  /** The same with drafts; absent without drafts. */
  readonly preview?: SiteWorkspace | undefined
}

/** All workspaces, by id in code unit order. */
export interface Site {
  readonly workspaces: readonly SiteWorkspace[]
  /** The distinct images of posts and authors, by path. */
  readonly media: readonly MediaFile[]
  /** Reads one of the images. @throws BuildError when its bytes have changed */
  readonly readMedia: (file: MediaFile) => Uint8Array
  /** For rules that run while the site is written. */
  readonly memo: Memo
  /** Warnings only, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** The number of bodies that were not in the cache. */
  readonly rendered: number
  /** Milliseconds; reading and rendering overlap. */
  readonly timings: { readonly read: number; readonly render: number }
}

/** The settings of a load. */
export interface LoadOptions extends LibrarySettings, ThreadOptions {
  readonly trace?: Trace | undefined
  /** Codes of suppressed warnings. @default none */
  readonly ignoredWarnings?: readonly DiagnosticCode[] | undefined
  /** Called occasionally with the number of rendered bodies, and of all bodies as far as known. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
}

/** Loads a content folder repeatedly; reuses everything that did not change. */
export class SiteLoader {
  readonly #options: LoadOptions
  readonly #root: string
  readonly #memo: Memo
  readonly #bodies: RenderedBodies
  readonly #pool: RenderPool

  /**
   * Creates a loader without reading anything.
   *
   * @param root the content folder: absolute, without links
   * @param cache must stay open while a site of this loader is used
   * @param threads render threads; the loader closes them
   */
  constructor(
    root: string,
    cache: Cache,
    tool: ToolId,
    options: LoadOptions,
    threads: RenderPool = renderThreads(options),
  ) {
    this.#options = options
    this.#root = root
    this.#memo = new Memo(cache, { version: tool.tool })
    this.#bodies = new RenderedBodies(cache, tool, options.markdown)
    this.#pool = threads
  }

  /**
   * Loads a scan.
   *
   * @param now milliseconds since 1970: later posts do not count for their terms
   * @throws BuildError with every problem when one of them is an error
   */
  async load(scan: Scan, now: number = Date.now()): Promise<Site> {
    const started = performance.now()
    const { ignoredWarnings = [], trace } = this.#options
    const stopwatch = new Stopwatch(trace)
    const documents = new Documents(
      this.#root,
      scan,
      mappingsOf(this.#options.frontMatter),
      this.#memo,
    )
    const rendering = this.#rendering(documents)
    const made = await this.#renderAndRead(documents, rendering, now)
    const rendered = performance.now()
    stopwatch.lap('render')
    const resolved = resolveBodies(made, rendering, this.#bodies, now)
    const ofBodies = made.workspaces
      .flatMap(bodiesOf)
      .flatMap((body) => rendering.diagnosticsOf(body))
    const diagnostics = warningsIn(ignoredWarnings, [
      ...documents.diagnostics,
      ...made.diagnostics,
      ...ofBodies,
      ...resolved.diagnostics,
    ])
    const cache = termsCache(this.#memo)
    const readMedia = mediaReader(this.#root, scan.mounts)
    const images: ImageSource = {
      memo: this.#memo,
      read: readMedia,
      shownBy: ({ post, cover, body }) => [
        ...(cover === null ? [] : [{ url: post.coverImage, media: cover }]),
        ...resolved.destinationsOf(body),
      ],
    }
    const derivedSource = { ...resolved, memo: this.#memo, read: readMedia, rendering }
    const complete = await withDerived(resolved.workspaces, derivedSource)
    const previews = await withDerived(await draftWorkspaces(complete), derivedSource)
    const ready = async (
      workspace: Workspace,
      assets: Assets,
      scheduled: number,
    ): Promise<SiteWorkspace> => {
      const bodies = workspace.posts.map(({ body }) => resolved.place(body))
      return { workspace, ...(await makeSnapshot({ workspace, bodies, assets, scheduled }, cache)) }
    }
    const workspaces: SiteWorkspace[] = []
    for (const workspace of complete) {
      const preview = previews.find(({ id }) => id === workspace.id)
      const scheduled = workspace.posts.filter(({ publishedAt }) => publishedAt > now).length
      const assets = await assetsOf(workspace, images)
      workspaces.push({
        ...(await ready(workspace, assets, scheduled)),
        preview: preview && (await ready(preview, { media: [], fields: [] }, 0)),
      })
    }
    stopwatch.lap('assemble')
    return {
      workspaces,
      media: resolved.media,
      readMedia,
      memo: this.#memo,
      diagnostics,
      rendered: rendering.rendered,
      timings: { render: rendered - started, read: performance.now() - rendered },
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  /**
   * Renders new posts while they are read, and assembles the library in the meantime. Resolves when all bodies are
   * rendered.
   */
  async #renderAndRead(documents: Documents, rendering: Rendering, now: number): Promise<Library> {
    let isRead = () => {}
    const read = new Promise<void>((resolve) => {
      isRead = resolve
    })
    async function* newPosts(): AsyncGenerator<NewPost> {
      yield* documents.split()
      isRead()
    }
    const rendered = rendering.render(newPosts())
    await Promise.race([read, rendered])
    // By the next turn the threads have the last batch, and render it while the library is assembled.
    await turn()
    const made = await this.#library(documents, now)
    await rendered
    await rendering.renderMissing(made.workspaces.flatMap(bodiesOf), (body) =>
      documents.bodyOf(body),
    )
    return made
  }

  async #library(documents: Documents, now: number): Promise<Library> {
    const settings = this.#options
    const input = { content: documents.fingerprint, settings }
    const stored = this.#memo.find(library, input)
    if (stored?.isTrueAt(now) === true) return stored.load((path) => documents.bodyHashOf(path))
    const { buildLibrary } = await import('../model/library.ts')
    const content = await documents.content()
    const { workspaces, diagnostics } = buildLibrary(content, settings.frontMatter, settings, now)
    const made = { workspaces, diagnostics: [...content.diagnostics, ...diagnostics] }
    if (!made.diagnostics.some(isError)) this.#memo.add(library, input, libraryParts(made, now))
    return made
  }

  #rendering(documents: Documents): Rendering {
    const { onProgress } = this.#options
    return new Rendering(this.#pool, this.#bodies, {
      onProgress,
      newBodies: onProgress === undefined ? 0 : documents.newPosts,
    })
  }
}

/** The workspaces with drafts; loads its code only when there are drafts. */
async function draftWorkspaces(all: readonly Workspace[]): Promise<readonly Workspace[]> {
  if (all.every(({ draftPosts }) => draftPosts.length === 0)) return []
  const { withDrafts } = await import('../model/drafts.ts')
  return all.flatMap((of) => withDrafts(of) ?? [])
}
