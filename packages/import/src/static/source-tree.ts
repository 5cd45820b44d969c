// The files of a foreign site: listed once, without following symbolic links, and read within limits.

import { realpathSync } from 'node:fs'
import { posix } from 'node:path'
import fastGlob from 'fast-glob'
import { decodeText, imageBytesMax, imageTypeOf, readFileBytes } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import { trimmedEnd } from '../parts.ts'

/** A folder with the sources of a site. */
export class SourceTree {
  readonly root: string
  /** Paths of regular files below the root, with `/`, in code unit order. */
  readonly files: readonly string[]
  readonly #known: ReadonlySet<string>
  /** Paths by last segment. Computed on first use. */
  #byName: ReadonlyMap<string, readonly string[]> | undefined
  readonly #report: Ledger
  /** Extensions by path; empty for no image. */
  readonly #types = new Map<string, string>()

  /** @param root absolute path of a folder */
  constructor(root: string, report: Ledger) {
    this.root = realpathSync(root)
    this.#report = report
    const entries = fastGlob.sync('**/*', {
      cwd: this.root,
      dot: true,
      followSymbolicLinks: false,
      ignore: ['**/{.git,node_modules,.bundle,_site,.cache}/**'],
      objectMode: true,
      onlyFiles: false,
    })
    for (const { path, dirent } of entries) {
      if (dirent.isSymbolicLink()) report.add('left', 'symbolic link: not followed', path)
    }
    const paths = entries.filter(({ dirent }) => dirent.isFile()).map(({ path }) => path)
    this.files = paths.sort()
    for (const path of this.files) report.find(path)
    this.#known = new Set(this.files)
  }

  /** True for a regular file. */
  has(path: string): boolean {
    return this.#known.has(path)
  }

  /** The only file whose path ends with segments, in any folder. */
  endingWith(end: string): string | undefined {
    this.#byName ??= byName(this.files)
    const found = this.#byName.get(posix.basename(end)) ?? []
    const [only, ...others] = found.filter((path) => `/${path}`.endsWith(`/${end}`))
    return others.length === 0 ? only : undefined
  }

  /** Files in a folder; `''` for all. */
  below(folder: string): readonly string[] {
    const start = folder === '' ? '' : `${trimmedEnd(folder, '/')}/`
    return this.files.filter((path) => path.startsWith(start))
  }

  /**
   * Reads a text of at most 1 MiB, with LF line ends; returns undefined and reports a failure when it is unreadable.
   */
  text(path: string): string | undefined {
    const bytes = readFileBytes(this.root, path)
    if (!Buffer.isBuffer(bytes)) {
      this.#report.settle(path, 'skipped', bytes.message)
      this.#report.add('failed', bytes.message, path)
      return undefined
    }
    const { value, diagnostics } = decodeText(path, bytes)
    for (const { line, column, message } of diagnostics)
      this.#report.add('failed', message, `${path}:${line}:${column}`)
    return value?.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  }

  /** Reads the text of a configuration or of a data file. */
  data(path: string): string | undefined {
    this.#report.settle(path, 'data')
    return this.text(path)
  }

  /** The extension for the bytes of an image, which its name may not have; undefined for a file that a build refuses. */
  imageType(path: string): string | undefined {
    const known = this.#types.get(path)
    if (known !== undefined) return known || undefined
    const bytes = readFileBytes(this.root, path, { bytesMax: imageBytesMax })
    const type = Buffer.isBuffer(bytes) ? imageTypeOf(bytes) : undefined
    const reason = Buffer.isBuffer(bytes) ? 'its bytes are none' : bytes.message
    if (type === undefined) this.#report.settle(path, 'skipped', `image: ${reason}`)
    this.#types.set(path, type ?? '')
    return type
  }

  /** Reads an image; returns null and reports it when it is unreadable or larger than 10 MiB. */
  image(path: string): Buffer | null {
    const bytes = readFileBytes(this.root, path, { bytesMax: imageBytesMax })
    if (Buffer.isBuffer(bytes)) {
      this.#report.settle(path, 'images')
      return bytes
    }
    this.#report.settle(path, 'skipped', `image: ${bytes.message}`)
    return null
  }
}

function byName(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const path of paths) {
    const name = posix.basename(path)
    const known = found.get(name)
    if (known === undefined) found.set(name, [path])
    else known.push(path)
  }
  return found
}
