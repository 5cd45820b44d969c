// Images of an export in a separate folder.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { UseError } from 'quarry/authoring'
import type { ImportedImage } from './site.ts'

/** A folder of images. Reads nothing outside of it, not even through links. */
export class MediaFolder {
  readonly #root: string

  /** @throws UseError when the folder does not exist */
  constructor(folder: string) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (!stats?.isDirectory()) throw new UseError(`--media names "${folder}", which is no folder.`)
    this.#root = realpathSync(folder)
  }

  /**
   * Finds an image at one of several paths in the folder.
   *
   * @param paths with `/`, percent-encoded as in a URL; the first existing file is used, and the first path becomes
   *   its name
   * @returns undefined when there is none, or when quarry does not serve its type
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
