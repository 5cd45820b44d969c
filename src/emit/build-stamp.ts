// The build stamp of an output folder: the time until which its files are known to be unmodified, and a digest of its
// folders.
import { hash } from 'node:crypto'
import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { RealFolders } from './real-folders.ts'

/** The content of a build stamp. */
export interface BuildStamp {
  /** Files not modified since then are as the build left them: milliseconds since 1970. */
  readonly time: number
  /** Digest of the folders, as a replaced folder modifies no file: `FolderFingerprints.digest`. */
  readonly folders: string
}

/** File name of the build stamp in an output folder. */
export const stampName = '.seal'

/**
 * Returns the content of a build stamp.
 *
 * @param stats of the stamp file itself, so that a copy of it is invalid
 * @param manifestHash SHA-256 of the manifest that names the files, hexadecimal
 */
export function stampBytes(
  { ino }: Stats,
  { time, folders }: BuildStamp,
  manifestHash: string,
): Uint8Array {
  return Buffer.from(`${ino}\n${time}\n${folders}\n${manifestHash}\n`)
}

/**
 * Reads the build stamp of an output folder. The file must be the original, not a copy. The manifest must be the one
 * that it was written for, not modified since.
 *
 * @param manifestHash of the current manifest; undefined for none
 * @returns null without a valid stamp
 */
export function readStamp(out: string, manifestHash: string | undefined): BuildStamp | null {
  const file = join(out, stampName)
  const stamp = lstatSync(file, { throwIfNoEntry: false })
  const manifest = lstatSync(join(out, 'manifest.json'), { throwIfNoEntry: false })
  if (!stamp?.isFile() || manifest === undefined) return null
  const [ino, since, folders = '', stampedManifest] = readFileSync(file, 'utf8').split('\n')
  const time = Number(since)
  const isOfManifest = stampedManifest === manifestHash && manifest.ctimeMs <= stamp.ctimeMs
  return Number(ino) === stamp.ino && isOfManifest ? { time, folders } : null
}

/** A set of folders, identified so that a replaced folder is detected. */
export class FolderFingerprints {
  readonly #real: RealFolders
  readonly #folders = new Set<string>()
  #latest = ''

  /** @param real the current folders */
  constructor(real: RealFolders) {
    this.#real = real
  }

  /** Returns the fingerprints of the folders that contain files. */
  static of(paths: Iterable<string>, real: RealFolders): FolderFingerprints {
    const marks = new FolderFingerprints(real)
    for (const path of paths) marks.add(path)
    return marks
  }

  /** Adds the folder of a file. @param path below the root, with `/` */
  add(path: string): void {
    const end = path.lastIndexOf('/')
    // Consecutive files are mostly in the same folder.
    if (end === this.#latest.length && path.startsWith(this.#latest)) return
    this.#latest = path.slice(0, Math.max(end, 0))
    this.#folders.add(this.#latest)
  }

  /**
   * A sum of one hash per folder, hexadecimal, so that folders can be subtracted and added.
   *
   * Cost: one `lstat` per folder not seen before.
   */
  get digest(): string {
    let sum = 0n
    for (const folder of this.#folders) sum += hashOf(folder, this.#real.markOf(folder))
    return hexOf(sum)
  }
}

const digestBits = 128

function hashOf(folder: string, mark: string | null): bigint {
  const digits = hash('sha256', `${folder}\0${mark}`).slice(0, digestBits / 4)
  return BigInt(`0x${digits}`)
}

function hexOf(sum: bigint): string {
  return BigInt.asUintN(digestBits, sum)
    .toString(16)
    .padStart(digestBits / 4, '0')
}
