// Something that is opened when it is first needed.
// Knows nothing of what it is.

/** Opens with the first call; what failed is tried again with the next. */
export function openedOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined
  return () => {
    opening ??= open()
    const mine = opening
    mine.catch(() => {
      if (opening === mine) opening = undefined
    })
    return mine
  }
}
