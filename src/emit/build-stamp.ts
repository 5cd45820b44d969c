// The build stamp of an output folder: up to which moment its files are known to be as a build left them, and in which
// folders.
import { hash } from 'node:crypto'
import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { RealFolders } from './real-folders.ts'

/** The content of a build stamp. */
export interface BuildStamp {
  /** Files that nobody touched since then are as they were left: milliseconds since 1970. */
  readonly time: number
  /** `FolderMarks.digest` of the folders that files are in: one that was put in another's place touches no file. */
  readonly folders: string
}

/** Names the build stamp in an output folder. */
export const stampName = '.seal'

/**
 * The bytes of a build stamp.
 *
 * @param stats of the file that they are written to: a copy of it says nothing
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
 * The build stamp of an output folder. It must be the very file that was made then, not a copy of it. The manifest must
 * be the one that it was made for, and not touched since.
 *
 * @param manifestHash of the manifest that is there; undefined where there is none
 * @returns null where there is no such stamp
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

/** Folders by what tells one from another that is put in its place. */
export class FolderFingerprints {
  readonly #real: RealFolders
  readonly #folders = new Set<string>()
  #latest = ''

  /** @param real as they are known to be now */
  constructor(real: RealFolders) {
    this.#real = real
  }

  /** Those of the folders that files are in. */
  static of(paths: Iterable<string>, real: RealFolders): FolderFingerprints {
    const marks = new FolderFingerprints(real)
    for (const path of paths) marks.add(path)
    return marks
  }

  /** Counts the folder that a file is in. @param path below the root, with `/` */
  add(path: string): void {
    const end = path.lastIndexOf('/')
    // Files come folder by folder.
    if (end === this.#latest.length && path.startsWith(this.#latest)) return
    this.#latest = path.slice(0, Math.max(end, 0))
    this.#folders.add(this.#latest)
  }

  /**
   * Hexadecimal: the sum of a hash for each folder, so that some folders can be taken out and put in.
   *
   * Cost: an `lstat` for each folder that was not looked at before.
   */
  get digest(): string {
    let sum = 0n
    for (const folder of this.#folders) sum += hashOf(folder, this.#real.markOf(folder))
    return hexOf(sum)
  }
}

/** The digest of folders after some were others: what `before` and `after` say of these. */
export function replaceFingerprints(digest: string, before: string, after: string): string {
  return hexOf(BigInt(`0x${digest}`) - BigInt(`0x${before}`) + BigInt(`0x${after}`))
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
