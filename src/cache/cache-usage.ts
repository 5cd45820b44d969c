// Usage statistics of a cache folder. Read-only except `clearCache`; reads no values.
import { statSync } from 'node:fs'
import { packPaths, removeDeadFiles, removeFile } from './cache-folder.ts'
import { PackReader } from './pack-reader.ts'
import { CacheDamageError } from './stored-bytes.ts'

/** Records with the same part names. */
export interface RecordGroup {
  /** Sorted. */
  readonly parts: readonly string[]
  readonly records: number
  /** Compressed size in the pack. */
  readonly bytes: number
}

/** A pack of a cache. */
export interface PackUsage {
  readonly path: string
  /** File size. */
  readonly bytes: number
  /** Time of writing, milliseconds since 1970. */
  readonly writtenAt: number
  /** Largest first; null if the pack cannot be read. */
  readonly groups: readonly RecordGroup[] | null
}

/** Returns every pack of a folder, latest first; none for a missing folder. */
export function cacheUsage(folder: string): readonly PackUsage[] {
  return packPaths(folder).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return []
    return [{ path, bytes: stats.size, writtenAt: stats.mtimeMs, groups: groupsOf(path) }]
  })
}

/** Removes all packs and the files of killed builds. @returns paths that still exist */
export function clearCache(folder: string): readonly string[] {
  removeDeadFiles(folder)
  return packPaths(folder).filter((path) => !removeFile(path))
}

function groupsOf(path: string): readonly RecordGroup[] | null {
  const opened = PackReader.open(path)
  if (opened.kind !== 'pack') return null
  try {
    return readGroups(opened.pack)
  } catch (error) {
    if (error instanceof CacheDamageError) return null
    throw error
  } finally {
    opened.pack.close()
  }
}

function readGroups(pack: PackReader): readonly RecordGroup[] {
  const groups = new Map<string, { parts: readonly string[]; records: number; bytes: number }>()
  for (const key of pack.keys()) {
    const row = pack.find(key) ?? 0
    const parts = [...pack.partsOf(row).keys()].sort()
    const group = groups.get(parts.join()) ?? { parts, records: 0, bytes: 0 }
    group.records += 1
    group.bytes += pack.storedBytesOf(row)
    groups.set(parts.join(), group)
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes)
}
