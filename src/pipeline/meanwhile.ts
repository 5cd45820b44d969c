// Something to do while something else is waited for.
// Knows nothing of either.
import { setImmediate as turn } from 'node:timers/promises'

/** Work in small steps, which may be left at any of them. */
export type Steps = Iterable<unknown>

/** Waits for a promise, and works until it is kept; what is left of the work then is left. */
export async function meanwhile<T>(promise: Promise<T>, steps: Steps): Promise<T> {
  let isWaiting = true
  const kept = promise.finally(() => {
    isWaiting = false
  })
  const works = work(steps, () => isWaiting)
  return (await Promise.all([kept, works]))[0]
}

async function work(steps: Steps, isWaiting: () => boolean): Promise<void> {
  await turn()
  const rest = steps[Symbol.iterator]()
  while (isWaiting() && rest.next().done !== true) await turn()
}
