// One pass over posts: takes bodies from the cache, and renders and caches the rest.
import type { CacheRecord } from '../cache/cache-record.ts'
import type { Read } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { filesOf, placeIn, type RenderedBodies, type StoredBody, warningsOf } from './bodies.ts'
import type { FileTargets } from './destinations.ts'
import type { Outcome, RenderJob, RenderPool } from './pool.ts'

/** A body and its location. */
interface PlacedBody {
  readonly file: string
  readonly bodyHash: string
  readonly bodyLine: number
}

/** A body that may need rendering, and a way to load its text. */
interface Renderable {
  readonly document: PlacedBody
  body(): Read<string>
}

/** The result of a body; a body in several files is rendered once. */
type Result =
  | { readonly kind: 'kept'; readonly body: StoredBody & CacheRecord }
  /** Located relative to the body, except when its text could not be read. */
  | {
      readonly kind: 'failed'
      readonly diagnostics: readonly Diagnostic[]
      readonly isPlaced: boolean
    }

/** Callbacks of a rendering pass. */
export interface RenderingListeners {
  /** Called occasionally with the number of rendered bodies, and of all bodies as far as known. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
  /** The number of new bodies, as far as known in advance; they come first. */
  readonly newBodies?: number
}

/** Bodies by hash, cached or rendered. */
export class Rendering {
  readonly #pool: RenderPool
  readonly #bodies: RenderedBodies
  readonly #listeners: RenderingListeners
  readonly #results = new Map<string, Result>()
  /** Hashes of the pending bodies, by job key. */
  readonly #pending: string[] = []
  /** The number of requested bodies. */
  #seen = 0
  #rendered = 0

  constructor(pool: RenderPool, bodies: RenderedBodies, listeners: RenderingListeners = {}) {
    this.#pool = pool
    this.#bodies = bodies
    this.#listeners = listeners
  }

  /** The number of rendered bodies. */
  get rendered(): number {
    return this.#rendered
  }

  /** Renders uncached bodies; pulls bodies as threads become ready. */
  async render(bodies: AsyncIterable<Renderable> | Iterable<Renderable>): Promise<void> {
    for await (const outcome of this.#pool.render(this.#jobsOf(bodies))) {
      this.#conclude(outcome)
      this.#listeners.onProgress?.(this.#rendered, this.#pending.length + this.#unseen())
    }
  }

  /** Renders the bodies without a result. */
  async renderMissing(
    bodies: readonly PlacedBody[],
    read: (body: PlacedBody) => Read<string>,
  ): Promise<void> {
    const missing = bodies.filter(({ bodyHash }) => !this.#results.has(bodyHash))
    await this.render(missing.map((document) => ({ document, body: () => read(document) })))
  }

  /** @throws RangeError for a body that was not rendered, or has an error */
  bodyOf(body: PlacedBody): StoredBody & CacheRecord {
    const found = this.find(body)
    if (found !== undefined) return found
    throw new RangeError(`no rendered body of ${body.file}`)
  }

  /** @returns undefined for a body that was not rendered, or has an error */
  find({ bodyHash }: PlacedBody): (StoredBody & CacheRecord) | undefined {
    const result = this.#results.get(bodyHash)
    return result?.kind === 'kept' ? result.body : undefined
  }

  /** Destinations of a body that may refer to files; null for none, and for a body with errors. */
  filesOf({ bodyHash }: PlacedBody): FileTargets | null {
    const result = this.#results.get(bodyHash)
    return result?.kind === 'kept' ? filesOf(result.body) : null
  }

  /** The problems of a body, located in the file that contains it. */
  diagnosticsOf({ bodyHash, file, bodyLine }: PlacedBody): readonly Diagnostic[] {
    const result = this.#results.get(bodyHash)
    if (result === undefined) return []
    if (result.kind === 'kept') return placeIn(file, bodyLine, warningsOf(result.body))
    return result.isPlaced ? result.diagnostics : placeIn(file, bodyLine, result.diagnostics)
  }

  /** The number of new bodies still to come. */
  #unseen(): number {
    return Math.max(0, (this.#listeners.newBodies ?? 0) - this.#seen)
  }

  async *#jobsOf(
    bodies: AsyncIterable<Renderable> | Iterable<Renderable>,
  ): AsyncGenerator<RenderJob, void, undefined> {
    // Bodies with a job; the others have their result already.
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

  /** @returns undefined for a body that is cached, or whose text cannot be read */
  #jobOf({ document, body }: Renderable): RenderJob | undefined {
    if (this.#isKept(document)) return undefined
    const { bodyHash, file } = document
    const { value, diagnostics } = body()
    if (value === undefined) {
      this.#fail(bodyHash, diagnostics, true)
      return undefined
    }
    const key = this.#pending.push(bodyHash) - 1
    return { key, file: '', body: value, bodyLine: 1, isMdx: file.endsWith('.mdx') }
  }

  #isKept({ bodyHash }: PlacedBody): boolean {
    const kept = this.#bodies.find(bodyHash)
    if (kept === undefined) return false
    this.#results.set(bodyHash, { kind: 'kept', body: kept })
    return true
  }

  #conclude({ key, body, diagnostics }: Outcome): void {
    const bodyHash = this.#pending[key] ?? ''
    this.#rendered += 1
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
