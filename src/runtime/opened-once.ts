// Something that is opened when it is first needed.
import type { Awaitable } from '../api/snapshot.ts'

/** Opens with the first call, and is at hand from then on; what failed is tried again with the next call. */
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
