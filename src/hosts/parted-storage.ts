// A storage of files cut into parts, for hosts that serve only whole files and no ranges.
import { joinBytes } from '../api/bytes.ts'
import { RecentValues } from '../snapshot/recent-values.ts'
import type { Storage } from '../snapshot/storage.ts'

/** Bytes of a part: a post costs one part at most. */
export const partBytesDefault: number = 1024 * 1024

/** The name of a part, counted from 0. */
export function partName(name: string, part: number): string {
  return `${name}.${part}`
}

/** Cuts a file. The last part is shorter than the others, or empty, so that a reader finds the end. */
export function cutFile(bytes: Uint8Array, partBytes: number): readonly Uint8Array[] {
  const count = Math.floor(bytes.length / partBytes) + 1
  return Array.from({ length: count }, (_, part) =>
    bytes.subarray(part * partBytes, (part + 1) * partBytes),
  )
}

/**
 * Returns a storage that reads from parts. Adjacent ranges in one part cost one fetch, whether read in sequence or
 * concurrently.
 *
 * @param fetchPart returns a whole part; rejects when it does not exist
 * @param cachedBytes size of the cache of parts, in bytes
 */
export function createPartedStorage(
  fetchPart: (name: string) => Promise<Uint8Array>,
  {
    partBytes = partBytesDefault,
    cachedBytes = 8 * 1024 * 1024,
  }: { readonly partBytes?: number; readonly cachedBytes?: number } = {},
): Storage {
  const kept = new RecentValues<Uint8Array>(cachedBytes)
  // Shared only by reads of the same microtask, such as all posts of a response: a cancelled request may abort its
  // fetches and must not affect other requests.
  const fetches = new Map<string, Promise<Uint8Array>>()
  const fetchOnce = async (name: string): Promise<Uint8Array> => {
    if (fetches.size === 0) queueMicrotask(() => fetches.clear())
    const fetched = fetches.get(name) ?? fetchPart(name)
    fetches.set(name, fetched)
    return fetched
  }
  return {
    read: async (name, from = 0, to = Number.POSITIVE_INFINITY) => {
      // The caller caches files that it reads as a whole.
      const isKept = to - from < partBytes
      const found: Uint8Array[] = []
      for (let start = from - (from % partBytes); start < to; start += partBytes) {
        const path = partName(name, start / partBytes)
        const part = kept.get(path) ?? (await fetchOnce(path))
        if (isKept) kept.set(path, part, part.length)
        // Copies: a view would keep the whole part in memory as long as the caller keeps the range.
        found.push(part.slice(Math.max(0, from - start), to - start))
        if (part.length < partBytes) break
      }
      return joinBytes(found)
    },
  }
}
