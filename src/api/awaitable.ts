// Values that are either present or promised, used synchronously where they are present.
import type { Awaitable } from './snapshot.ts'

/** Applies a function to a value, synchronously if the value is present: a promise costs more than most responses. */
export function whenReady<T, R>(
  value: Awaitable<T>,
  use: (value: T) => Awaitable<R>,
): Awaitable<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}

/** Applies a function to several values, synchronously if all are present. */
export function whenAllReady<T, R>(
  values: readonly Awaitable<T>[],
  use: (values: readonly T[]) => Awaitable<R>,
): Awaitable<R> {
  const isLater = values.some((value) => value instanceof Promise)
  return isLater ? Promise.all(values).then(use) : use(values as readonly T[])
}
