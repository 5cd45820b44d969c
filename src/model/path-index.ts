// The known file that a path to none most likely meant.
import { posix } from 'node:path'
import { NameIndex } from '../content/nearest.ts'

/** Many known paths, for any number of look-ups; the cost is that of a `NameIndex`. */
export class PathIndex {
  readonly #namesByFolder: ReadonlyMap<string, NameIndex>
  /** By place: `posts/hello/index.md` is at `posts/hello.md`, unless that is a file. */
  readonly #pathByPlace = new Map<string, string>()
  /** By name without its case; the first of several in code unit order. */
  readonly #pathByName = new Map<string, string>()

  /** @param paths with `/` */
  constructor(paths: Iterable<string>) {
    const namesByFolder = new Map<string, string[]>()
    for (const path of [...paths].sort()) {
      const place = placeOf(path)
      const { dir, base } = posix.parse(place)
      const names = namesByFolder.get(dir)
      if (names === undefined) namesByFolder.set(dir, [base])
      else names.push(base)
      if (place === path || !this.#pathByPlace.has(place)) this.#pathByPlace.set(place, path)
      const key = base.toLowerCase()
      if (!this.#pathByName.has(key)) this.#pathByName.set(key, path)
    }
    this.#namesByFolder = new Map(
      [...namesByFolder].map(([folder, names]) => [folder, new NameIndex(names)]),
    )
  }

  /** A file of a near name in the same folder, or one of the same name elsewhere. */
  nearest(path: string): string | undefined {
    const { dir, base } = posix.parse(placeOf(path))
    const near = this.#namesByFolder.get(dir)?.nearest(base)
    return near === undefined
      ? this.#pathByName.get(base.toLowerCase())
      : this.#pathByPlace.get(posix.join(dir, near))
  }
}

/** A folder with an `index.md` is known by its own name: all of them have a file of that name. */
function placeOf(path: string): string {
  return path.replace(/\/index(\.(?:md|markdown|mdx))$/u, '$1')
}
