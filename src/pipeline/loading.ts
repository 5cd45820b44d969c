// A cache and its content loader, reopened without damaged records.
import type { Cache } from '../cache/cache.ts'
import type { Scan } from '../content/scan.ts'
import type { CacheSource } from './cache-source.ts'
import { type LoadOptions, type Site, SiteLoader } from './site.ts'
import { readToolId } from './tool-id.ts'

/** Loads a content folder repeatedly, and recovers from cache damage. */
export class Loading {
  readonly #root: string
  readonly #options: LoadOptions
  readonly #source: CacheSource
  #cache: Cache
  #loader: SiteLoader
  /** Kept open, as loaded sites may still read from them. */
  readonly #retired: Cache[] = []
  #isStopped = false

  /**
   * @param root the content folder: absolute, without links
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
   * Loads a scan.
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
   * Recovers from cache damage that caused an error: the damaged records are computed again.
   *
   * @returns false when the cache is not the cause
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

  /** Saves the cache for the next process. */
  save(): void {
    this.#cache.save({ isComplete: false })
  }

  /** Stops the current load. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#loader.close()
  }

  /** Closes everything: sites become unreadable. */
  async close(): Promise<void> {
    await this.stop()
    this.save()
    for (const cache of [...this.#retired, this.#cache]) cache.close()
  }

  #newLoader(): SiteLoader {
    return new SiteLoader(this.#root, this.#cache, readToolId(), this.#options)
  }
}
