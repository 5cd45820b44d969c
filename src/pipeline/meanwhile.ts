// Something to do while something else is waited for.
// Knows nothing of either.
import { setImmediate as turn } from 'node:timers/promises'

/** Work in small steps, which may be left at any of them. */
export type Steps = Iterable<unknown>

/** Waits for a promise, and works until it is kept; what is left of the work then is left. Work that fails waits too. */
export async function meanwhile<T>(promise: Promise<T>, steps: Steps): Promise<T> {
  let isWaiting = true
  const works = work(steps, () => isWaiting)
  // Thrown below, once what is waited for is there.
  works.catch(() => {})
  try {
    return await promise
  } finally {
    isWaiting = false
    await works
  }
}

async function work(steps: Steps, isWaiting: () => boolean): Promise<void> {
  await turn()
  const rest = steps[Symbol.iterator]()
  while (isWaiting() && rest.next().done !== true) await turn()
}
