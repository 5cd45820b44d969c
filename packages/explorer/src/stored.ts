// Values that outlive the page, in the browser's local storage. No key is among them.

/** A kept value; null if there is none, or storage is forbidden. */
export function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps a value, where storage is allowed. */
export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Storage is forbidden or full: the value is for this page only.
  }
}

const historyName = 'quarry-history'
const addressesMax = 20

/** Addresses of the latest requests, the latest first, each once. */
export function latestRequests(): readonly string[] {
  const stored = readStored(historyName)
  return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : []
}

/** Adds a request to the latest ones. */
export function storeRequest(address: string): void {
  const others = latestRequests().filter((other) => other !== address)
  store(historyName, [address, ...others].slice(0, addressesMax))
}
