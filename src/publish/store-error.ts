// Why a store of builds cannot be used, or did not do as it was asked.

/** The store failed, refused, or holds something else than a publication writes. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
