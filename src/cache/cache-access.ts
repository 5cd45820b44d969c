// The access of a program to a cache, in types without Node's: declarations that a configuration reaches need none.

/** The key that signs packs: a secret `KeyObject` of `node:crypto`. */
export interface CacheSecret {
  readonly type: 'secret' | 'public' | 'private'
}

/** The trust in a cache, and the receiver of warnings about it. */
export interface CacheAccess {
  /** Signs what is saved; what it has not signed is discarded. @default none */
  readonly secret?: CacheSecret | undefined
  /** Receives a sentence about files that were discarded. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}
