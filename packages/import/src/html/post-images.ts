// Images of an export in a separate folder, `--media`.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { UseError } from 'quarry/authoring'
import { decoded } from '../parts.ts'
import type { ImportContext, ImportedImage } from '../site.ts'

/** Collects the images of a post. Reads nothing outside of the folder, not even through links. */
export class PostImages {
  readonly #media: string | undefined
  readonly #report: ImportContext['report']
  readonly #from: string
  readonly #images = new Map<string, ImportedImage>()

  /** @param from location of the post, for the report @throws UseError when the folder does not exist */
  constructor({ media, report }: ImportContext, from: string) {
    if (media !== undefined && !statSync(media, { throwIfNoEntry: false })?.isDirectory())
      throw new UseError(`--media names "${media}", which is no folder.`)
    this.#media = media && realpathSync(media)
    this.#report = report
    this.#from = from
  }

  /** The distinct images found so far. */
  get found(): readonly ImportedImage[] {
    return [...this.#images.values()]
  }

  /**
   * Takes an image at one of several paths in the folder, and returns its path as written in a post.
   *
   * @param paths with `/`, percent-encoded as in a URL; the first existing file is used, and the first path becomes
   *   its name
   * @returns undefined, with a report if there is a folder, when it does not contain the image
   */
  take(paths: readonly string[]): string | undefined {
    if (this.#media === undefined) return undefined
    const candidates = paths.map(decoded)
    const [name = ''] = candidates
    const file = candidates.map((path) => this.#fileAt(path)).find((found) => found !== undefined)
    if (file === undefined || !/\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)) {
      this.#report.add('left', 'image not found below --media', `${this.#from} (${paths[0]})`)
      return undefined
    }
    this.#images.set(name, { path: `media/${name}`, bytes: () => readFileSync(file) })
    return `../media/${name}`
  }

  #fileAt(path: string): string | undefined {
    const parts = path.split('/')
    if (/[\\\0]/.test(path) || parts.some((part) => ['', '.', '..'].includes(part)))
      return undefined
    const file = join(this.#media ?? '', path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    return realpathSync(file).startsWith(this.#media + sep) ? file : undefined
  }
}
