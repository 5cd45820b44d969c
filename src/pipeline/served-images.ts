// The images that a site shows while it is not written down.
import { join } from 'node:path'
import { publicFolder } from '../api/paths.ts'
import { BuildError } from '../diagnostics.ts'
import type { Site } from './site.ts'

/** The images of the last good site. */
export class ServedImages {
  readonly #out: string
  /** The reader of each, by its path below the public folder; throws when it has changed since. */
  #images: ReadonlyMap<string, () => Uint8Array> = new Map()

  /** @param out the output folder */
  constructor(out: string) {
    this.#out = out
  }

  /** From now on another site's. */
  show({ media, readMedia }: Pick<Site, 'media' | 'readMedia'>): void {
    this.#images = new Map(media.map((file) => [file.path, () => readMedia(file)]))
  }

  /** Its bytes; where a build put it, once other bytes are in the content; null for every other path. */
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
