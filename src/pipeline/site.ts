// The content made ready to be answered from: read, made out, rendered, and one snapshot a workspace.
// Knows nothing of the output folder.
import { setImmediate as turn } from 'node:timers/promises'
import type { Cache } from '../cache/cache.ts'
import { type Derive, deriveWith } from '../cache/derive.ts'
import type { RawContent } from '../content/raw.ts'
import { ContentReader, type PostReading } from '../content/reader.ts'
import type { Scan } from '../content/scan.ts'
import { BuildError, type Diagnostic, isError, sortDiagnostics } from '../diagnostics.ts'
import { type MemorySnapshot, workspaceSnapshot } from '../emit/snapshot.ts'
import { RenderedBodies } from '../markdown/bodies.ts'
import { Rendering } from '../markdown/rendering.ts'
import type { MediaFile } from '../model/destinations.ts'
import type { FrontMatterMapping } from '../model/front-matter-mapping.ts'
import { buildLibrary, type Library, type Workspace } from '../model/library.ts'
import type { LinkInput } from '../model/link-settings.ts'
import { isSoundDraft, summarisePost } from '../model/post-summary.ts'
import { type ExpectedPost, ExpectedPosts } from './expected-posts.ts'
import { recallPieces } from './known-pieces.ts'
import { resolveBodies } from './placed-bodies.ts'
import { type RenderPool, renderThreads, type ThreadOptions } from './render-threads.ts'
import type { ToolId } from './tool-id.ts'
import { Stopwatch } from './trace.ts'
import { Turns } from './turns.ts'

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
  /** Warnings alone, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Bodies that were not in the cache. */
  readonly rendered: number
  /** Milliseconds; files are read while bodies are rendered. */
  readonly timings: { readonly read: number; readonly render: number }
}

/** What a site is loaded with. */
export interface LoadOptions extends LinkInput, ThreadOptions {
  readonly frontMatter: FrontMatterMapping
  /** Keeps in memory what the next load can use again. @default false */
  readonly isRepeated?: boolean | undefined
  /** Told now and then how many bodies are rendered, and how many are to be as far as is known. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
  /** Given each post whose body was rendered, before it is known whether the site has it. */
  readonly onExpected?: ((post: ExpectedPost) => void) | undefined
}

/** Loads one content folder, again and again: what did not change is not made again. */
export class SiteLoader {
  readonly #options: LoadOptions
  readonly #reader: ContentReader
  readonly #bodies: RenderedBodies
  readonly #pool: RenderPool
  /** As in `Site`. */
  readonly #derive: Derive
  /** Made here, as what is made while loading would hold on to all that was read. */
  readonly #readMedia: Site['readMedia']

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
    const { frontMatter, isRepeated } = options
    this.#options = options
    const version = `${tool.tool} ${JSON.stringify(frontMatter)}`
    this.#reader = new ContentReader(root, cache, version, {
      isRepeated,
      summarise: (document) => summarisePost(document, frontMatter),
    })
    this.#readMedia = ({ source, sha256 }) => this.#reader.imageOf(source, sha256)
    this.#bodies = new RenderedBodies(cache, tool)
    this.#derive = deriveWith(cache, tool.tool)
    this.#pool = threads
  }

  /**
   * Loads what was scanned.
   *
   * @throws BuildError with every problem when one of them is an error
   */
  async load(scan: Scan): Promise<Site> {
    const started = performance.now()
    const { frontMatter, isRepeated, onExpected, onProgress, trace } = this.#options
    const stopwatch = new Stopwatch(trace)
    const expected = onExpected && new ExpectedPosts(frontMatter, onExpected)
    const rendering = new Rendering(this.#pool, this.#bodies, {
      onProgress,
      onBody: trace?.onBody,
      onText: expected && ((text) => expected.rendered(text)),
      newBodies: onProgress === undefined ? 0 : this.#reader.newPosts(scan),
    })
    const { library, diagnostics } = await this.#makeOut(scan, rendering, expected)
    const rendered = performance.now()
    stopwatch.lap('render')
    const bodies = bodiesOf(library)
    // Drafts with errors, which were passed over as drafts.
    await rendering.renderMissing(bodies, (body) => this.#reader.bodyOf(body))
    const resolved = resolveBodies(library, rendering, this.#bodies)
    const ofBodies = bodies.flatMap((body) => rendering.diagnosticsOf(body))
    const all = [...diagnostics, ...ofBodies, ...resolved.diagnostics]
    if (all.some(isError)) throw new BuildError(all)
    const workspaces = library.workspaces.map((workspace) => ({
      workspace,
      snapshot: workspaceSnapshot(
        workspace,
        workspace.posts.map(({ body }) => resolved.place(workspace, body)),
        isRepeated === true ? undefined : recallPieces(this.#derive, workspace.id),
      ),
    }))
    stopwatch.lap('assemble')
    return {
      workspaces,
      media: resolved.media,
      readMedia: this.#readMedia,
      derive: this.#derive,
      diagnostics: sortDiagnostics(all),
      rendered: rendering.rendered,
      timings: { render: rendered - started, read: performance.now() - rendered },
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  /** What was read is let go of here: it takes several times the memory of what is made of it. */
  async #makeOut(
    scan: Scan,
    rendering: Rendering,
    expected: ExpectedPosts | undefined,
  ): Promise<{ readonly library: Library; readonly diagnostics: readonly Diagnostic[] }> {
    let give: (content: RawContent) => void = () => {}
    const read = new Promise<RawContent>((resolve) => {
      give = resolve
    })
    const rendered = rendering.render(this.#postsAsRead(scan, { give, expected }))
    const content = await Promise.race([read, rendered.then(() => read)])
    // By the next turn the last batch has gone to the threads: the library is made while they render it.
    await turn()
    const { frontMatter, baseUrl, links } = this.#options
    const library = buildLibrary(content, frontMatter, { baseUrl, links })
    await rendered
    return { library, diagnostics: [...content.diagnostics, ...library.diagnostics] }
  }

  /** Posts are rendered as they are read: no more of them are in memory than the threads can take. */
  async *#postsAsRead(scan: Scan, { give, expected }: PostListeners): AsyncGenerator<PostReading> {
    const { frontMatter } = this.#options
    const reading = this.#reader.read(scan)
    const turns = new Turns()
    for (let next = reading.next(); ; next = reading.next()) {
      if (next.done) return give(next.value)
      const { document, isKnown } = next.value
      if (!isSoundDraft(document, frontMatter)) {
        if (!isKnown) expected?.note(document)
        yield next.value
      }
      await turns.next()
    }
  }
}

/** Who is told while posts are read. */
interface PostListeners {
  readonly give: (content: RawContent) => void
  readonly expected: ExpectedPosts | undefined
}

function bodiesOf({ workspaces }: Library) {
  return workspaces.flatMap(({ posts, brokenBodies }) => [
    ...posts.map((post) => post.body),
    ...brokenBodies,
  ])
}
