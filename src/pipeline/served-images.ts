// The images of a site that is served from memory.
import { join } from 'node:path'
import { publicFolder } from '../api/paths.ts'
import { BuildError } from '../diagnostics.ts'
import type { Site } from './site.ts'

/** The images of the last valid site. */
export class ServedImages {
  readonly #out: string
  /** A reader of each image, by path relative to the public folder; it throws when the image has changed. */
  #images: ReadonlyMap<string, () => Uint8Array> = new Map()

  /** @param out the output folder */
  constructor(out: string) {
    this.#out = out
  }

  /** Switches to another site. */
  show({ media, readMedia }: Pick<Site, 'media' | 'readMedia'>): void {
    this.#images = new Map(media.map((file) => [file.path, () => readMedia(file)]))
  }

  /** The bytes of an image; the path of its built copy when the content has changed; null for every other path. */
  find(path: string): Uint8Array | string | null {
    const read = this.#images.get(path)
    if (read === undefined) return null
    try {
      return read()
    } catch (error) {
      if (!(error instanceof BuildError)) throw error
      return join(this.#out, publicFolder, path)
    }
  }
}
