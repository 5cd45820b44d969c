// The latest requests, as addresses of the page: no key is part of one.
import { readStored, store } from './stored.ts'

const itemName = 'quarry-history'
const addressesMax = 20

/** Addresses of the latest requests, the latest first, each once. */
export function latestRequests(): readonly string[] {
  const stored = readStored(itemName)
  return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : []
}

/** Adds a request to the latest ones. */
export function storeRequest(address: string): void {
  const others = latestRequests().filter((other) => other !== address)
  store(itemName, [address, ...others].slice(0, addressesMax))
}
