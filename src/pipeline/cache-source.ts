// A project's cache, reopened without damaged records.
import { Cache, type CacheOptions } from '../cache/cache.ts'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import { ContentFolderError } from '../content/tree.ts'
import { BuildError } from '../diagnostics.ts'
import { LockError } from '../emit/file-lock.ts'
import { OutputError } from '../emit/output-error.ts'

/** Opens a cache, and reopens it after damage. */
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
   * Recovers from an error of the cache: drops a damaged file, or the whole cache after an internal error in a build
   * that read records of it. A checksum proves that a record is the one that was saved, not that a build saved it.
   *
   * @returns false when the cache did not cause the error: the work must not be retried
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

/** True for an error that neither the content, nor the user, nor the system caused. */
function isInternal(error: unknown): boolean {
  const families = [BuildError, ContentFolderError, LockError, OutputError]
  if (families.some((family) => error instanceof family)) return false
  return !(error instanceof Error && 'syscall' in error)
}
