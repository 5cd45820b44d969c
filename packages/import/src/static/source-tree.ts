// The files of a foreign site: listed once, without following symbolic links, and read within limits.

import { realpathSync } from 'node:fs'
import { posix } from 'node:path'
import fastGlob from 'fast-glob'
import { decodeText, imageBytesMax, readFileBytes } from 'quarry/authoring'
import { trimmedEnd } from '../parts.ts'
import type { ImportReport } from '../report.ts'

/** A folder with the sources of a site. */
export class SourceTree {
  readonly root: string
  /** Paths of regular files below the root, with `/`, in code unit order. */
  readonly files: readonly string[]
  readonly #known: ReadonlySet<string>
  /** Paths by last segment; null when several files share it. Computed on first use. */
  #byName: ReadonlyMap<string, string | null> | undefined
  readonly #report: ImportReport

  /** @param root absolute path of a folder */
  constructor(root: string, report: ImportReport) {
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
    this.#known = new Set(this.files)
  }

  /** True for a regular file. */
  has(path: string): boolean {
    return this.#known.has(path)
  }

  /** The only file with a name, in any folder. */
  named(name: string): string | undefined {
    if (this.#byName === undefined) {
      const paths = new Map<string, string | null>()
      for (const path of this.files) {
        const last = posix.basename(path)
        paths.set(last, paths.has(last) ? null : path)
      }
      this.#byName = paths
    }
    return this.#byName.get(name) ?? undefined
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
      this.#report.add('failed', bytes.message, path)
      return undefined
    }
    const { value, diagnostics } = decodeText(path, bytes)
    for (const { line, column, message } of diagnostics)
      this.#report.add('failed', message, `${path}:${line}:${column}`)
    return value?.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  }

  /** Reads an image; returns null and reports it when it is unreadable or larger than 10 MiB. */
  image(path: string): Buffer | null {
    const bytes = readFileBytes(this.root, path, { bytesMax: imageBytesMax })
    if (Buffer.isBuffer(bytes)) return bytes
    this.#report.add('left', `image: ${bytes.message}`, path)
    return null
  }
}
