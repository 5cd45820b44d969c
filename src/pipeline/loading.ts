// A cache and a loader of content with it, opened again without what of the cache turns out to be damaged.
import type { Cache } from '../cache/cache.ts'
import type { Scan } from '../content/scan.ts'
import type { CacheSource } from './cache-source.ts'
import { type LoadOptions, type Site, SiteLoader } from './site.ts'
import { readToolId } from './tool-id.ts'

/** Loads one content folder, again and again, whatever becomes of the cache. */
export class Loading {
  readonly #root: string
  readonly #options: LoadOptions
  readonly #source: CacheSource
  #cache: Cache
  #loader: SiteLoader
  /** Sites that were loaded with them may still be read from. */
  readonly #retired: Cache[] = []
  #isStopped = false

  /**
   * @param root the content folder: absolute, free of links
   * @param source of its cache
   */
  constructor(root: string, source: CacheSource, options: LoadOptions) {
    this.#root = root
    this.#options = options
    this.#source = source
    this.#cache = source.open()
    this.#loader = this.#newLoader()
  }

  /**
   * Loads what was scanned.
   *
   * @throws BuildError with every problem when one of them is an error
   */
  async load(scan: Scan, now: number): Promise<Site> {
    for (;;) {
      try {
        return await this.#loader.load(scan, now)
      } catch (error) {
        if (!(await this.recovers(error))) throw error
      }
    }
  }

  /**
   * Goes on without damage that caused an error: what was in it is made again.
   *
   * @returns false where the cache is not the cause
   */
  async recovers(error: unknown): Promise<boolean> {
    if (this.#isStopped || !this.#source.recovers(error)) return false
    const loader = this.#loader
    this.#retired.push(this.#cache)
    this.#cache = this.#source.open()
    this.#loader = this.#newLoader()
    await loader.close()
    return true
  }

  /** Keeps what was made for the next process. */
  save(): void {
    this.#cache.save({ isComplete: false })
  }

  /** Ends what is being loaded. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#loader.close()
  }

  /** Ends all: sites cannot be read from any more. */
  async close(): Promise<void> {
    await this.stop()
    this.save()
    for (const cache of [...this.#retired, this.#cache]) cache.close()
  }

  #newLoader(): SiteLoader {
    return new SiteLoader(this.#root, this.#cache, readToolId(), this.#options)
  }
}
