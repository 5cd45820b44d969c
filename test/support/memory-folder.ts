// The folder for temporary files of tests, in memory if the machine has enough.
import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const folder = '/dev/shm'

/**
 * Returns the environment that stores temporary files in memory. Empty if `TMPDIR` is set, or if there is no such
 * folder with enough space that allows programs: in a Docker container it has 64 MB and does not.
 *
 * Builds of small sites mostly create folders and files: 35 instead of 60 ms of processor time (ext4, 2026-11-24).
 *
 * @param freeGigabytesMin minimum free memory. @default 4: short tests use less than a tenth; processes need the rest
 */
export function memoryEnvironment(freeGigabytesMin = 4): Readonly<Record<string, string>> {
  if (process.env['TMPDIR'] !== undefined) return {}
  try {
    const mount = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8'))
    const { bavail, bsize } = statfsSync(folder)
    const hasRoom = Math.min(bavail * bsize, freemem()) >= freeGigabytesMin * 1024 ** 3
    return mount !== null && !/\bnoexec\b/.test(mount[1] ?? '') && hasRoom ? { TMPDIR: folder } : {}
  } catch {
    return {}
  }
}
