// What builds work with: the identity of this version, the cache of the project, and threads that render.
import { readFileSync } from 'node:fs'
import type { Settings } from '../config.ts'
import type { RenderPool } from '../markdown/pool.ts'
import { BuildCache, type CacheAccess, CacheError } from './cache.ts'

/** Names of a version. Both change with Node's version of Unicode, on which slugs and normalized texts depend. */
interface ToolId {
  /** Changes with any code. */
  readonly tool: string
  /** Changes with everything that rendering depends on, including packages. */
  readonly renderer: string
}

/** Options of `Tools`. */
interface ToolOptions {
  readonly caching?: CacheAccess | undefined
  /** Reads nothing of the cache. @default false */
  readonly isForced?: boolean | undefined
}

/** The tools of one build, or of one after the other. */
export class Tools {
  readonly id: ToolId = readToolId()
  readonly #settings: Settings
  readonly #options: ToolOptions
  #cache: BuildCache
  #pool: RenderPool | undefined

  constructor(settings: Settings, options: ToolOptions = {}) {
    this.#settings = settings
    this.#options = options
    this.#cache = this.#openCache(options.isForced === true)
  }

  get cache(): BuildCache {
    return this.#cache
  }

  /**
   * Runs a function with the cache, and once more with an empty one if the cache is damaged.
   *
   * @param work `isUnread` is true if the cache was not read
   */
  async withCache<T>(work: (cache: BuildCache, isUnread: boolean) => Promise<T>): Promise<T> {
    try {
      return await work(this.#cache, this.#options.isForced === true)
    } catch (error) {
      if (!(error instanceof CacheError)) throw error
      this.#cache.close()
      this.#cache = this.#openCache(true)
      return work(this.#cache, true)
    }
  }

  /** Returns threads that render, which start with the first body. */
  readonly threads = async (): Promise<RenderPool> => {
    if (this.#pool !== undefined) return this.#pool
    const { workers, markdown } = this.#settings
    const { createRenderPool } = await import('../markdown/pool.ts')
    this.#pool = createRenderPool({ ...(workers === undefined ? {} : { workers }), markdown })
    return this.#pool
  }

  /** Ends the threads, and removes a cache that is not kept. */
  async close(): Promise<void> {
    await this.#pool?.close()
    this.#cache.close()
  }

  #openCache(isUnread: boolean): BuildCache {
    const { cache, workspaces, mediaRoots } = this.#settings
    const key = JSON.stringify([this.id.tool, workspaces, mediaRoots])
    return new BuildCache(cache, key, { ...this.#options.caching, isUnread })
  }
}

/** The names of the running version, computed when it was compiled. */
function readToolId(): ToolId {
  const file = new URL(import.meta.resolve('#tool-id'))
  const { tool, renderer }: ToolId = JSON.parse(readFileSync(file, 'utf8'))
  const unicode = `ICU ${process.versions['icu']}, Unicode ${process.versions['unicode']}`
  return { tool: `${tool} ${unicode}`, renderer: `${renderer} ${unicode}` }
}
