// Images of an export that are in a folder of their own.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { UseError } from '../config/use-error.ts'
import type { ImportedImage } from './site.ts'

/** A folder of images. Nothing outside it is read, through a link neither. */
export class MediaFolder {
  readonly #root: string

  /** @throws UseError when there is no such folder */
  constructor(folder: string) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (!stats?.isDirectory()) throw new UseError(`--media names "${folder}", which is no folder.`)
    this.#root = realpathSync(folder)
  }

  /**
   * An image at one of some paths below the folder.
   *
   * @param paths with `/`, percent-encoded as in a URL; the first file counts, and the first path is its name
   * @returns undefined when there is none, or it is of no kind that quarry serves
   */
  find(paths: readonly string[]): ImportedImage | undefined {
    const candidates = paths.map(decoded)
    const [name = ''] = candidates
    if (!imageName.test(name)) return undefined
    for (const path of candidates) {
      const file = this.#fileAt(path)
      if (file !== undefined) return { path: `media/${name}`, bytes: () => readFileSync(file) }
    }
    return undefined
  }

  #fileAt(path: string): string | undefined {
    if (path.split('/').some((part) => part === '' || part === '.' || part === '..'))
      return undefined
    if (path.includes('\\') || path.includes('\0')) return undefined
    const file = join(this.#root, path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    return realpathSync(file).startsWith(this.#root + sep) ? file : undefined
  }
}

const imageName = /\.(?:png|jpe?g|gif|webp|avif)$/i

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
