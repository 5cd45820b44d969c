// The content made ready to be answered from: read, made out, rendered, and one snapshot a workspace.
// Knows nothing of the output folder.
import type { Cache } from '../cache/cache.ts'
import { type Derive, deriveWith } from '../cache/derive.ts'
import { readImage } from '../content/media.ts'
import type { Scan } from '../content/scan.ts'
import { BuildError, type Diagnostic, isError, sortDiagnostics } from '../diagnostics.ts'
import { type MemorySnapshot, type PendingSnapshot, pendingSnapshot } from '../emit/snapshot.ts'
import { RenderedBodies } from '../markdown/bodies.ts'
import { Rendering } from '../markdown/rendering.ts'
import type { MediaFile } from '../model/destinations.ts'
import type { Library, Workspace } from '../model/library.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'
import { KeptLibrary, type RecalledLibrary } from './kept-library.ts'
import { recallPieces } from './known-pieces.ts'
import type { LibraryOptions, LibraryReader, PostTakers } from './library-reader.ts'
import { meanwhile, type Steps } from './meanwhile.ts'
import { bodiesOf, resolveBodies } from './placed-bodies.ts'
import { type RenderPool, renderThreads, type ThreadOptions } from './render-threads.ts'
import type { ToolId } from './tool-id.ts'
import { Stopwatch } from './trace.ts'

/** A workspace, ready to be answered from. */
export interface SiteWorkspace {
  readonly workspace: Workspace
  readonly snapshot: MemorySnapshot
}

/** All workspaces, by id in code unit order. */
export interface Site {
  readonly workspaces: readonly SiteWorkspace[]
  /** Every image that a post shows, by path. */
  readonly media: readonly MediaFile[]
  /** The bytes of one of them. @throws BuildError when they are others by now */
  readonly readMedia: (file: MediaFile) => Uint8Array
  /** Keeps what is made of it for the next time, by the version of quarry and what it is made of. */
  readonly derive: Derive
  /** Stands for all posts but their bodies, and all terms; empty where that is not known. */
  readonly library: string
  /** Warnings alone, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Bodies that were not in the cache. */
  readonly rendered: number
  /** Milliseconds; files are read while bodies are rendered. */
  readonly timings: { readonly read: number; readonly render: number }
}

/** What a site is loaded with. */
export interface LoadOptions extends LibraryOptions, ThreadOptions {
  /** Told now and then how many bodies are rendered, and how many are to be as far as is known. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
  /** What can be done while bodies are rendered. */
  readonly atLeisure?: Steps | undefined
}

/** Loads one content folder, again and again: what did not change is not made again. */
export class SiteLoader {
  readonly #options: LoadOptions
  readonly #root: string
  readonly #cache: Cache
  readonly #bodies: RenderedBodies
  readonly #pool: RenderPool
  /** As in `Site`. */
  readonly #derive: Derive
  readonly #tool: ToolId
  readonly #kept: KeptLibrary
  #reader: LibraryReader | undefined

  /**
   * A loader; nothing is read yet.
   *
   * @param root the content folder: absolute, free of links
   * @param cache open for as long as a site of this loader is used
   * @param threads that render; the loader closes them
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
    this.#cache = cache
    this.#tool = tool
    this.#kept = new KeptLibrary(root, cache, tool, options)
    this.#bodies = new RenderedBodies(cache, tool, options.markdown)
    this.#derive = deriveWith(cache, tool.tool)
    this.#pool = threads
  }

  /**
   * Loads what was scanned.
   *
   * @param now milliseconds since 1970: later posts add nothing to the terms that they name
   * @throws BuildError with every problem when one of them is an error
   */
  async load(scan: Scan, now: number = Date.now()): Promise<Site> {
    const started = performance.now()
    const stopwatch = new Stopwatch(this.#options.trace)
    const recalled = this.#recalled(scan, now)
    const takers = this.#takers(recalled?.changed.size ?? (await this.#newPosts(scan)))
    const { rendering } = takers
    const { library, id, snapshots } =
      (recalled && (await this.#renderChanged(recalled, takers))) ??
      (await this.#read(scan, takers, now))
    const rendered = performance.now()
    stopwatch.lap('render')
    const bodies = library.workspaces.flatMap(bodiesOf)
    const resolved = resolveBodies(library, rendering, this.#bodies)
    const ofBodies = bodies.flatMap((body) => rendering.diagnosticsOf(body))
    const all = [...library.diagnostics, ...ofBodies, ...resolved.diagnostics]
    if (all.some(isError)) throw new BuildError(all)
    const workspaces = snapshots().map(([workspace, pending]) => {
      const bodies = workspace.posts.map(({ body }) => resolved.place(body))
      return { workspace, snapshot: pending.withBodies(bodies) }
    })
    stopwatch.lap('assemble')
    return {
      workspaces,
      media: resolved.media,
      readMedia: mediaReader(this.#root, scan.mounts),
      derive: this.#derive,
      library: id,
      diagnostics: sortDiagnostics(all),
      rendered: rendering.rendered,
      timings: { render: rendered - started, read: performance.now() - rendered },
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  /** @returns undefined where more has changed than bodies */
  #recalled(scan: Scan, now: number): RecalledLibrary | undefined {
    // A loader that is used again has what it read before.
    return this.#options.isRepeated === true ? undefined : this.#kept.find(scan, now)
  }

  async #newPosts(scan: Scan): Promise<number> {
    return this.#options.onProgress === undefined ? 0 : (await this.#libraryReader()).newPosts(scan)
  }

  async #read(scan: Scan, takers: PostTakers, now: number): Promise<LoadedLibrary> {
    const library = await (await this.#libraryReader()).read(scan, takers, now)
    const id = this.#options.isRepeated === true ? '' : this.#kept.keep(scan, library, now)
    return { library, id, snapshots: () => this.#snapshots(library) }
  }

  /**
   * Renders the bodies that are others since, and takes all others.
   *
   * @returns undefined where not all of those are kept
   */
  async #renderChanged(
    recalled: RecalledLibrary,
    { rendering, atLeisure }: PostTakers,
  ): Promise<LoadedLibrary | undefined> {
    const { changed, workspaces } = recalled
    const posts = workspaces.flatMap(({ posts }) => posts)
    const fresh = posts.flatMap(({ body: document }) => {
      const read = changed.get(document.file)
      if (read === undefined) return []
      return [{ document, body: () => ({ value: read.text, diagnostics: [] }) }]
    })
    const old = posts.filter(({ body }) => !changed.has(body.file)).map(({ body }) => body)
    let missing: readonly MarkdownBody[] | undefined
    let begun: Snapshots | undefined
    const takeOld = () => (missing ??= rendering.take(old))
    const snapshots = () => (begun ??= this.#snapshots(recalled, recalled.id))
    function* steps(): Generator<unknown> {
      yield takeOld()
      for (const [, pending] of snapshots()) yield* pending.steps()
      yield* atLeisure
    }
    await meanwhile(rendering.render(fresh), steps())
    return takeOld().length === 0 ? { library: recalled, id: recalled.id, snapshots } : undefined
  }

  /** @param id stands for the library, where it is that of a build before */
  #snapshots({ workspaces }: Library, id?: string): Snapshots {
    const isLast = this.#options.isRepeated === true
    return workspaces.map((workspace) => {
      if (isLast) return [workspace, pendingSnapshot(workspace)]
      const { learned, library } = recallPieces(this.#derive, workspace.id)
      return [workspace, pendingSnapshot(workspace, { learned, isSame: id === library })]
    })
  }

  /** Loaded when there is something to read: its packages take a while. */
  async #libraryReader(): Promise<LibraryReader> {
    const { LibraryReader } = await import('./library-reader.ts')
    this.#reader ??= new LibraryReader(this.#root, this.#cache, this.#tool, this.#options)
    return this.#reader
  }

  #takers(newBodies: number): PostTakers {
    const { atLeisure = [], onProgress, trace } = this.#options
    const rendering = new Rendering(this.#pool, this.#bodies, {
      onProgress,
      onBody: trace?.onBody,
      newBodies,
    })
    return { rendering, atLeisure }
  }
}

type Snapshots = readonly (readonly [Workspace, PendingSnapshot])[]

/** A library whose bodies are rendered, and what its workspaces are answered from once they have them. */
interface LoadedLibrary {
  readonly library: Library
  readonly id: string
  readonly snapshots: () => Snapshots
}

/** Made here, as what is made while loading would hold on to all that was read. */
function mediaReader(root: string, mounts: Scan['mounts']): Site['readMedia'] {
  return ({ source, sha256 }) => {
    const { value, diagnostics } = readImage({ root, mounts }, source, sha256)
    if (value === undefined) throw new BuildError(diagnostics)
    return value
  }
}
