// Access to a cache.

/** The receiver of a cache's warnings. */
export interface CacheAccess {
  /** Called with a sentence about discarded files. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}
