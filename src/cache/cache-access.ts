// Access to a cache, in types without Node's: public declarations must not need them.

/** A signing key for packs: a secret `KeyObject` of `node:crypto`. */
export interface CacheSecret {
  readonly type: 'secret' | 'public' | 'private'
}

/** Trust in a cache, and the receiver of its warnings. */
export interface CacheAccess {
  /** Signs saved packs; packs without its signature are discarded. @default none */
  readonly secret?: CacheSecret | undefined
  /** Called with a sentence about discarded files. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}
