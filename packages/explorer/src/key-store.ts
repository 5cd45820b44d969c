// The key that the user typed. It is stored only in memory and in the session of the tab.

/** Keeps one key until the tab is closed. */
export class KeyStore {
  #key: string

  constructor() {
    this.#key = inSession((storage) => storage.getItem(itemName)) ?? ''
  }

  /** The key; empty for none. */
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

/** Calls a function with the session's storage; null if storage is forbidden. The key is then only in memory. */
function inSession<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
