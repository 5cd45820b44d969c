// The error of a store of builds.

/** The store failed, refused a request, or contains data that no publication wrote. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
