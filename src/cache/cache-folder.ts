// The files of a cache's folder: what they are called, and which of them are nobody's any more.
// Knows nothing of what is in a pack.
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PackReader } from './pack-reader.ts'
import { isRunning } from './process.ts'

/** Packs, latest first; what builds left behind that were killed is removed. */
export function openPacks(folder: string): readonly PackReader[] {
  const packs: PackReader[] = []
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (/^\d{8}-[0-9a-f]+\.pack$/.test(name)) {
      const pack = PackReader.open(path)
      if (pack === undefined) rmSync(path, { force: true })
      else packs.push(pack)
    } else if (/^\d+-[0-9a-f]+\.tmp$/.test(name) && isDead(path, Number.parseInt(name, 10))) {
      rmSync(path, { force: true })
    }
  }
  return packs.reverse()
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** A process of another machine or container cannot be asked: its file is left alone for a day. */
function isDead(path: string, pid: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || pid === process.pid) return false
  return Date.now() - stats.mtimeMs > dayMilliseconds || !isRunning(pid)
}

const dayMilliseconds = 86_400_000

/** The name of a pack that comes after others. @param packs latest first */
export function packName(packs: readonly PackReader[]): string {
  const last = packs[0]?.path.match(/(\d{8})-[0-9a-f]+\.pack$/)?.[1] ?? '0'
  return `${String(Number(last) + 1).padStart(8, '0')}-${randomBytes(6).toString('hex')}.pack`
}

/** Where a pack is written before it is finished. */
export function temporaryPath(folder: string): string {
  return join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
}

/** Tells backups and version control to pass the folder over (bford.info/cachedir). */
export function markAsCache(folder: string): boolean {
  const signature = 'Signature: 8a477f597d28d172789f06886806bc55\n'
  try {
    writeFileSync(join(folder, 'CACHEDIR.TAG'), `${signature}# Made by quarry; may be removed.\n`)
    return true
  } catch {
    return false
  }
}
