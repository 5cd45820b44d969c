// Content read and made out, its posts handed on to be rendered as they are read.
// Knows nothing of what is rendered, nor of what answers are made of.
import { setImmediate as turn } from 'node:timers/promises'
import type { Cache } from '../cache/cache.ts'
import type { RawContent } from '../content/raw.ts'
import { ContentReader, type PostReading } from '../content/reader.ts'
import type { Scan } from '../content/scan.ts'
import type { Rendering } from '../markdown/rendering.ts'
import { type Mappings, mappingsOf } from '../model/front-matter-mapping.ts'
import { buildLibrary, type Library } from '../model/library.ts'
import { isSoundDraft, summarisePost } from '../model/post-summary.ts'
import { documentsVersion, type LibrarySettings } from './kept-library.ts'
import { meanwhile, type Steps } from './meanwhile.ts'
import { bodiesOf } from './placed-bodies.ts'
import type { ToolId } from './tool-id.ts'
import { Turns } from './turns.ts'

/** How content is read. */
export interface LibraryOptions extends LibrarySettings {
  /** Keeps in memory what the next reading can use again. @default false */
  readonly isRepeated?: boolean | undefined
}

/** Who goes on with posts while others are read. */
export interface PostTakers {
  readonly rendering: Rendering
  /** What can be done while bodies are rendered. */
  readonly atLeisure: Steps
}

/** Reads one content folder, again and again: what did not change is not made out again. */
export class LibraryReader {
  readonly #options: LibraryOptions
  readonly #reader: ContentReader
  readonly #mappings: Mappings

  /** @param root the content folder: absolute, free of links */
  constructor(root: string, cache: Cache, tool: ToolId, options: LibraryOptions) {
    const { frontMatter, isRepeated } = options
    this.#options = options
    this.#mappings = mappingsOf(frontMatter)
    this.#reader = new ContentReader(root, cache, documentsVersion(tool, options), {
      isRepeated,
      summarise: (document) => summarisePost(document, this.#mappings),
    })
  }

  /** How many posts of a scan no build has read before. */
  newPosts(scan: Scan): number {
    return this.#reader.newPosts(scan)
  }

  /**
   * Reads what was scanned; all bodies are rendered by then. What was read is let go of here: it takes several times
   * the memory of what is made of it.
   *
   * @returns with the diagnostics of the scan, the documents and the library, in this order
   */
  async read(scan: Scan, { rendering, atLeisure }: PostTakers, now: number): Promise<Library> {
    let give: (content: RawContent) => void = () => {}
    const read = new Promise<RawContent>((resolve) => {
      give = resolve
    })
    const rendered = rendering.render(this.#postsAsRead(scan, give))
    const content = await Promise.race([read, rendered.then(() => read)])
    // By the next turn the last batch has gone to the threads: the library is made while they render it.
    await turn()
    const { frontMatter, baseUrl, links } = this.#options
    const { workspaces, diagnostics } = buildLibrary(content, frontMatter, { baseUrl, links }, now)
    await meanwhile(rendered, atLeisure)
    // Drafts with errors, which were passed over as drafts.
    await rendering.renderMissing(workspaces.flatMap(bodiesOf), (body) => this.#reader.bodyOf(body))
    return { workspaces, diagnostics: [...content.diagnostics, ...diagnostics] }
  }

  /** Posts are rendered as they are read: no more of them are in memory than the threads can take. */
  async *#postsAsRead(
    scan: Scan,
    give: (content: RawContent) => void,
  ): AsyncGenerator<PostReading> {
    const mappings = this.#mappings
    const reading = this.#reader.read(scan)
    const turns = new Turns()
    for (let next = reading.next(); ; next = reading.next()) {
      if (next.done) return give(next.value)
      if (!isSoundDraft(next.value.document, mappings)) yield next.value
      await turns.next()
    }
  }
}
