// Opens a resource on first use.
import type { Awaitable } from '../api/snapshot.ts'

/** Opens with the first call and caches the result; a failure is retried by the next call. */
export function openedOnce<T>(open: () => Awaitable<T>): () => Awaitable<T> {
  let opened: { readonly value: Awaitable<T> } | undefined
  return () => {
    if (opened !== undefined) return opened.value
    const value = open()
    const mine = { value }
    opened = mine
    if (value instanceof Promise) {
      value.then(
        (value) => {
          if (opened === mine) opened = { value }
        },
        () => {
          if (opened === mine) opened = undefined
        },
      )
    }
    return value
  }
}
