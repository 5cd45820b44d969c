// Values in the browser's local storage. A key is never stored there.

/** Returns a stored value; null if there is none, or if storage is forbidden. */
export function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

/** Stores a value, if storage is allowed. */
export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Storage is forbidden or full, so the value is not stored.
  }
}

const historyName = 'quarry-history'
const addressesMax = 20

/** Returns the addresses of the latest requests, latest first, without duplicates. */
export function latestRequests(): readonly string[] {
  const stored = readStored(historyName)
  return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : []
}

/** Adds a request to the latest ones. */
export function storeRequest(address: string): void {
  const others = latestRequests().filter((other) => other !== address)
  store(historyName, [address, ...others].slice(0, addressesMax))
}
