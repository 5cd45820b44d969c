// A project's cache, opened again without what turned out to be damaged.
import { Cache, type CacheOptions } from '../cache/cache.ts'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import { ContentFolderError } from '../content/tree.ts'
import { BuildError } from '../diagnostics.ts'
import { LockError } from '../emit/file-lock.ts'
import { OutputError } from '../emit/output-error.ts'

/** Opens a cache as often as its damage makes that necessary. */
export class CacheSource {
  #folder: string | null
  #options: CacheOptions
  #latest: Cache | undefined

  /** @param folder null for a cache that ends with the process */
  constructor(folder: string | null, options: CacheOptions = {}) {
    this.#folder = folder
    this.#options = options
  }

  open(): Cache {
    this.#latest = Cache.open(this.#folder, this.#options)
    return this.#latest
  }

  /**
   * Sets damage aside after an error: a damaged file, or all that is kept where a record of it was read and quarry
   * itself failed. A checksum proves that a record is the one that was saved, not that a build saved it.
   *
   * @returns false where the error is not the cache's: the work must not begin again
   */
  recovers(error: unknown): boolean {
    if (error instanceof CacheDamageError) {
      this.#folder = Cache.withoutDamage(this.#folder, error, this.#options)
      return true
    }
    if (this.#latest?.hasFound !== true || this.#options.isUnread === true) return false
    if (!isInternal(error)) return false
    this.#options = { ...this.#options, isUnread: true }
    this.#options.onWarning?.(
      `The build failed with what the cache holds (${String(error)}). It begins again without the cache.`,
    )
    return true
  }
}

/** Neither the content's fault, nor the user's, nor the system's. */
function isInternal(error: unknown): boolean {
  const families = [BuildError, ContentFolderError, LockError, OutputError]
  if (families.some((family) => error instanceof family)) return false
  return !(error instanceof Error && 'syscall' in error)
}
