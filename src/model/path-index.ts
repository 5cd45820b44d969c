// Suggests an existing path for one that does not exist.
import { posix } from 'node:path'
import { nearest } from '../content/nearest.ts'

/** An index of paths for many lookups. */
export class PathIndex {
  readonly #namesByFolder = new Map<string, string[]>()
  /** By normalized path: `posts/hello/index.md` is `posts/hello.md`, unless that is a file. */
  readonly #pathByPlace = new Map<string, string>()
  /** By lower-cased name; the first of several in code unit order. */
  readonly #pathByName = new Map<string, string>()

  /** @param paths with `/` */
  constructor(paths: Iterable<string>) {
    for (const path of [...paths].sort()) {
      const place = placeOf(path)
      const { dir, base } = posix.parse(place)
      const names = this.#namesByFolder.get(dir)
      if (names === undefined) this.#namesByFolder.set(dir, [base])
      else names.push(base)
      if (place === path || !this.#pathByPlace.has(place)) this.#pathByPlace.set(place, path)
      const key = base.toLowerCase()
      if (!this.#pathByName.has(key)) this.#pathByName.set(key, path)
    }
  }

  /** Returns a file with a similar name in the same folder, or one with the same name elsewhere. */
  nearest(path: string): string | undefined {
    const { dir, base } = posix.parse(placeOf(path))
    const near = nearest(base, this.#namesByFolder.get(dir) ?? [])
    return near === undefined
      ? this.#pathByName.get(base.toLowerCase())
      : this.#pathByPlace.get(posix.join(dir, near))
  }
}

/** Replaces `/index.md` by the folder's name, as every such folder has an `index.md`. */
function placeOf(path: string): string {
  return path.replace(/\/index(\.(?:md|markdown|mdx))$/u, '$1')
}
