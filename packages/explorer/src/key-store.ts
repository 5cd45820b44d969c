// The key that was typed in: in memory and in this tab's session, nowhere else.

/** Keeps one key until the tab is closed. */
export class KeyStore {
  #key: string

  constructor() {
    this.#key = inSession((storage) => storage.getItem(itemName)) ?? ''
  }

  /** Empty when there is none. */
  get key(): string {
    return this.#key
  }

  set key(key: string) {
    this.#key = key
    inSession((storage) =>
      key === '' ? storage.removeItem(itemName) : storage.setItem(itemName, key),
    )
  }
}

const itemName = 'quarry-key'

/** Storage may be forbidden: then the key is in memory alone. */
function inSession<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
