// Values that may come at once or later, used without a pause where they are at hand.
import type { Awaitable } from './snapshot.ts'

/** Uses a value: now when it is at hand, else when it is. A promise costs more than most answers do. */
export function whenReady<T, R>(
  value: Awaitable<T>,
  use: (value: T) => Awaitable<R>,
): Awaitable<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}

/** Uses several values: now when all are at hand, else when they are. */
export function whenAllReady<T, R>(
  values: readonly Awaitable<T>[],
  use: (values: readonly T[]) => Awaitable<R>,
): Awaitable<R> {
  const isLater = values.some((value) => value instanceof Promise)
  return isLater ? Promise.all(values).then(use) : use(values as readonly T[])
}
