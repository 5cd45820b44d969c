// Many lists of ordinals in two arrays, so that they lie in a file as they are in memory.

/** Lists one behind the other; `offsets` has one entry more than there are lists. */
export interface PackedLists {
  readonly offsets: Uint32Array
  readonly ordinals: Uint32Array
}

/** Packs lists, in order. */
export function packLists(lists: readonly (readonly number[])[]): PackedLists {
  const offsets = offsetsOf(lists.map((list) => list.length))
  const ordinals = new Uint32Array(offsets.at(-1) ?? 0)
  lists.forEach((list, index) => {
    ordinals.set(list, offsets[index])
  })
  return { offsets, ordinals }
}

/** One list, a view; empty where there is none. */
export function listAt({ offsets, ordinals }: PackedLists, index: number): Uint32Array {
  const start = offsets[index] ?? 0
  return ordinals.subarray(start, offsets[index + 1] ?? start)
}

/** Where each of so many things begins, and where the last one ends. */
export function offsetsOf(lengths: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1)
  lengths.forEach((length, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + length
  })
  return offsets
}
