// Values that may come at once or later, used without a pause where they are at hand.
// Knows nothing of what the values are.
import type { Awaitable } from './snapshot.ts'

/** Uses a value: now when it is at hand, else when it is. A promise costs more than most answers do. */
export function whenReady<T, R>(
  value: Awaitable<T>,
  use: (value: T) => Awaitable<R>,
): Awaitable<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
