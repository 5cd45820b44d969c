// A cache and a loader of content with it, made anew without the file of the cache that turns out to be damaged.
// Knows nothing of what is done with a site.
import { Cache } from '../cache/cache.ts'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import type { Scan } from '../content/scan.ts'
import { type LoadOptions, type Site, SiteLoader } from './site.ts'
import { readToolId } from './tool-id.ts'

/** Loads one content folder, again and again, whatever becomes of the cache. */
export class Loading {
  readonly #root: string
  readonly #options: LoadOptions
  #folder: string | null
  #cache: Cache
  #loader: SiteLoader
  /** Sites that were loaded with them may still be read from. */
  readonly #retired: Cache[] = []

  /**
   * @param root the content folder: absolute, free of links
   * @param folder of the cache; null for one that ends with this
   */
  constructor(root: string, folder: string | null, options: LoadOptions) {
    this.#root = root
    this.#options = options
    this.#folder = folder
    this.#cache = Cache.open(folder)
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
        if (!(error instanceof CacheDamageError)) throw error
        await this.startAfresh(error)
      }
    }
  }

  /** Goes on without a damaged file: all that was in it is made again. */
  async startAfresh(damage: CacheDamageError): Promise<void> {
    const loader = this.#loader
    this.#retired.push(this.#cache)
    this.#folder = Cache.withoutDamage(this.#folder, damage)
    this.#cache = Cache.open(this.#folder)
    this.#loader = this.#newLoader()
    await loader.close()
  }

  /** Keeps what was made for the next process. */
  save(): void {
    this.#cache.save({ isComplete: false })
  }

  /** Ends what is being loaded. */
  async stop(): Promise<void> {
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
