// The files of a cache's folder: their names, and their removal.
import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PackReader } from './pack-reader.ts'
import { isRunning } from './process.ts'

/** The content of a folder. */
export interface FolderContents {
  /** Latest first. */
  readonly packs: readonly PackReader[]
  /** Number of packs removed because of damage. */
  readonly damaged: number
}

/** Opens all packs. Removes unusable packs, and files of killed builds. */
export function openPacks(folder: string): FolderContents {
  const packs: PackReader[] = []
  let damaged = 0
  for (const path of packPaths(folder)) {
    const opened = PackReader.open(path)
    if (opened.kind === 'pack') packs.push(opened.pack)
    else if (opened.kind !== 'absent') {
      if (opened.kind === 'damaged') damaged += 1
      removeFile(path)
    }
  }
  return { packs, damaged }
}

/** Returns the paths of packs, latest first. */
export function packPaths(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => packPattern.test(name))
  return names.map((name) => join(folder, name)).reverse()
}

const packPattern = /^(\d{8})-[0-9a-f]+\.pack$/

/** Removes files that killed builds left behind. */
export function removeDeadFiles(folder: string): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (/^\d+-[0-9a-f]+\.tmp$/.test(name) && isDead(path, Number.parseInt(name, 10))) {
      removeFile(path)
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** @returns false if the file still exists */
export function removeFile(path: string): boolean {
  try {
    rmSync(path, { force: true })
    return true
  } catch {
    return false
  }
}

/** A process in another container or on another machine cannot be checked: its file is kept for a day. */
function isDead(path: string, pid: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || pid === process.pid) return false
  return Date.now() - stats.mtimeMs > dayMilliseconds || !isRunning(pid)
}

const dayMilliseconds = 86_400_000

/** Returns the name of a pack that follows others. @param latest path of the latest pack, if any */
export function packName(latest: string | undefined): string {
  const last = packPattern.exec(basename(latest ?? ''))?.[1] ?? '0'
  // The number wraps around: no cache has that many packs, but a file name can be forged.
  const next = (Number(last) + 1) % 100_000_000
  return `${String(next).padStart(8, '0')}-${randomBytes(6).toString('hex')}.pack`
}

/** Returns the path of a pack while it is written. */
export function temporaryPath(folder: string): string {
  return join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
}

/** Marks the folder for exclusion from backups and version control (bford.info/cachedir). */
export function markAsCache(folder: string): boolean {
  const signature = 'Signature: 8a477f597d28d172789f06886806bc55\n'
  try {
    writeFileSync(join(folder, 'CACHEDIR.TAG'), `${signature}# Made by quarry; may be removed.\n`)
    return true
  } catch {
    return false
  }
}
