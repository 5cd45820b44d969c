// Lists of ordinals packed into two arrays, with the same layout in a file and in memory.

/** Concatenated lists; `offsets` has one entry more than there are lists. */
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

/** A view of one list; empty when out of range. */
export function listAt({ offsets, ordinals }: PackedLists, index: number): Uint32Array {
  const start = offsets[index] ?? 0
  return ordinals.subarray(start, offsets[index + 1] ?? start)
}

/** Offsets of consecutive ranges, plus the end. */
export function offsetsOf(lengths: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1)
  lengths.forEach((length, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + length
  })
  return offsets
}
