// All of what comes one by one.
// Knows nothing of what it is.

/** Everything that a source gives, in order. */
export async function collect<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
