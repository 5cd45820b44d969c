// One pass over posts: what is kept is taken as it is, what is not is rendered and kept.
import type { CacheRecord } from '../cache/cache-record.ts'
import type { Read } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { filesOf, placeIn, type RenderedBodies, type StoredBody, warningsOf } from './bodies.ts'
import type { FileTargets } from './file-targets.ts'
import type { Outcome, RenderJob, RenderPool } from './pool.ts'

/** A body, and where it stands. */
interface PlacedBody {
  readonly file: string
  readonly bodyHash: string
  readonly bodyLine: number
}

/** A body that may have to be rendered, and how to come by its text. */
interface Renderable {
  readonly document: PlacedBody
  body(): Read<string>
}

/** The outcome of one body; a body that is in several files is rendered once. */
type Result =
  | { readonly kind: 'kept'; readonly body: StoredBody & CacheRecord }
  /** Relative to the body, but where its text could not be read. */
  | {
      readonly kind: 'failed'
      readonly diagnostics: readonly Diagnostic[]
      readonly isPlaced: boolean
    }

/** Where a body came from. */
export type BodyEvent =
  | { readonly kind: 'cached'; readonly file: string }
  | {
      readonly kind: 'rendered'
      readonly file: string
      /** The time of one thread. */
      readonly milliseconds: number
      /** The sizes of Markdown and HTML as JSON string literals; 0 where it could not be rendered. */
      readonly markdownBytes: number
      readonly htmlBytes: number
    }

/** Callbacks while bodies are rendered. */
export interface RenderingListeners {
  /** Called now and then with the number of rendered bodies, and of all bodies as far as is known. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
  /** How many bodies are new, as far as is known before they are read; they come first. */
  readonly newBodies?: number
  /** Called for every body; times need a pool that is timed. */
  readonly onBody?: ((event: BodyEvent) => void) | undefined
}

/** Bodies by their hash, found or rendered. */
export class Rendering {
  readonly #pool: RenderPool
  readonly #bodies: RenderedBodies
  readonly #listeners: RenderingListeners
  readonly #results = new Map<string, Result>()
  /** Hashes of what is being rendered, by the job's key. */
  readonly #pending: string[] = []
  /** Files of what is being rendered, by the job's key; only where a listener wants them. */
  readonly #files = new Map<number, string>()
  /** Bodies that were asked for. */
  #seen = 0
  #rendered = 0

  constructor(pool: RenderPool, bodies: RenderedBodies, listeners: RenderingListeners = {}) {
    this.#pool = pool
    this.#bodies = bodies
    this.#listeners = listeners
  }

  /** How many bodies were rendered. */
  get rendered(): number {
    return this.#rendered
  }

  /** Renders what is not kept; bodies are pulled as threads are ready for them. */
  async render(bodies: AsyncIterable<Renderable> | Iterable<Renderable>): Promise<void> {
    for await (const outcome of this.#pool.render(this.#jobsOf(bodies))) {
      this.#conclude(outcome)
      this.#listeners.onProgress?.(this.#rendered, this.#pending.length + this.#unseen())
    }
  }

  /** Renders those of the bodies that are not there yet. */
  async renderMissing(
    bodies: readonly PlacedBody[],
    read: (body: PlacedBody) => Read<string>,
  ): Promise<void> {
    const missing = bodies.filter(({ bodyHash }) => !this.#results.has(bodyHash))
    await this.render(missing.map((document) => ({ document, body: () => read(document) })))
  }

  /** @throws RangeError for a body that was not rendered, or had an error */
  bodyOf(body: PlacedBody): StoredBody & CacheRecord {
    const found = this.find(body)
    if (found !== undefined) return found
    throw new RangeError(`no rendered body of ${body.file}`)
  }

  /** @returns undefined for a body that was not rendered, or had an error */
  find({ bodyHash }: PlacedBody): (StoredBody & CacheRecord) | undefined {
    const result = this.#results.get(bodyHash)
    return result?.kind === 'kept' ? result.body : undefined
  }

  /** Destinations of a body that may mean files; null for none, and for a body with errors. */
  filesOf({ bodyHash }: PlacedBody): FileTargets | null {
    const result = this.#results.get(bodyHash)
    return result?.kind === 'kept' ? filesOf(result.body) : null
  }

  /** The problems of a body, in the file that has it. */
  diagnosticsOf({ bodyHash, file, bodyLine }: PlacedBody): readonly Diagnostic[] {
    const result = this.#results.get(bodyHash)
    if (result === undefined) return []
    if (result.kind === 'kept') return placeIn(file, bodyLine, warningsOf(result.body))
    return result.isPlaced ? result.diagnostics : placeIn(file, bodyLine, result.diagnostics)
  }

  /** New bodies that are still to come. */
  #unseen(): number {
    return Math.max(0, (this.#listeners.newBodies ?? 0) - this.#seen)
  }

  async *#jobsOf(
    bodies: AsyncIterable<Renderable> | Iterable<Renderable>,
  ): AsyncGenerator<RenderJob, void, undefined> {
    // Bodies that are rendered; the others have their result at once.
    const requested = new Set<string>()
    for await (const one of bodies) {
      const { bodyHash } = one.document
      this.#seen += 1
      if (requested.has(bodyHash) || this.#results.has(bodyHash)) continue
      const job = this.#jobOf(one)
      if (job === undefined) continue
      requested.add(bodyHash)
      yield job
    }
  }

  /** @returns undefined for a body that is kept, or whose text cannot be read */
  #jobOf({ document, body }: Renderable): RenderJob | undefined {
    if (this.#isKept(document)) return undefined
    const { bodyHash, file } = document
    const { value, diagnostics } = body()
    if (value === undefined) {
      this.#fail(bodyHash, diagnostics, true)
      return undefined
    }
    if (this.#pending.length === 0) this.#pool.prepare()
    const key = this.#pending.push(bodyHash) - 1
    if (this.#listeners.onBody !== undefined) this.#files.set(key, file)
    return { key, file: '', body: value, bodyLine: 1, isMdx: file.endsWith('.mdx') }
  }

  #isKept({ bodyHash, file }: PlacedBody): boolean {
    const kept = this.#bodies.find(bodyHash)
    if (kept === undefined) return false
    this.#results.set(bodyHash, { kind: 'kept', body: kept })
    this.#listeners.onBody?.({ kind: 'cached', file })
    return true
  }

  #conclude({ key, body, diagnostics, milliseconds = 0 }: Outcome): void {
    const bodyHash = this.#pending[key] ?? ''
    this.#rendered += 1
    this.#listeners.onBody?.({
      kind: 'rendered',
      file: this.#files.get(key) ?? '',
      milliseconds,
      markdownBytes: body?.markdown.bytes.length ?? 0,
      htmlBytes: body?.html.bytes.length ?? 0,
    })
    if (body === undefined) this.#fail(bodyHash, diagnostics, false)
    else {
      const kept = this.#bodies.add(bodyHash, body, diagnostics)
      this.#results.set(bodyHash, { kind: 'kept', body: kept })
    }
  }

  #fail(bodyHash: string, diagnostics: readonly Diagnostic[], isPlaced: boolean): void {
    this.#results.set(bodyHash, { kind: 'failed', diagnostics, isPlaced })
  }
}
