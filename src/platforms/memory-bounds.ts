// Bounds of the memory that a function over a bucket takes besides the indexes of its workspaces.

/** Sizes in bytes. */
export interface MemoryBounds {
  /** The cache of pages of objects. */
  readonly pages: number
  /** The cache of records of posts. */
  readonly records: number
  /** The cache of posting lists, for each workspace. */
  readonly lists: number
  /** Reads in progress, for each request to the function. */
  readonly requests: number
  /** Texts that all searches in progress hold. A search reads as many at once, or fewer. */
  readonly texts: number
}

/** Size limit of a request for neighbouring pages of an object. */
export const requestBytesMax: number = 4 * 1024 * 1024

const MiB = 1024 * 1024

/** A function with half a gigabyte or more. Texts in batches of 8 MiB save 3 s of a phrase search at 20 ms a read (2026-11). */
export const functionMemory: MemoryBounds = {
  pages: 16 * MiB,
  records: 16 * MiB,
  lists: 8 * MiB,
  requests: 16 * MiB,
  texts: 8 * MiB,
}

/** A worker with 128 MB. */
export const workerMemory: MemoryBounds = {
  pages: 8 * MiB,
  records: 4 * MiB,
  lists: 4 * MiB,
  requests: 8 * MiB,
  texts: 4 * MiB,
}
