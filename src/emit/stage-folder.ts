// The stage: a folder for a build's files until all are complete. It is next to the output folder, or inside it if
// files cannot be moved from next to it.
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf, touching } from './output-error.ts'
import { RealFolders } from './real-folders.ts'
import { writeNewFile } from './whole-file.ts'

const untouched = 'The last build is as it was.'

/** A stage, created on disk with its first file. */
export class StageFolder {
  readonly #out: string
  readonly #mode: number
  #place: { readonly path: string; readonly folders: RealFolders } | undefined

  /**
   * Removes the stages of killed builds: the lock holder knows that they are unused.
   *
   * @param out the output folder, locked
   * @param isOwnerOnly makes the stage readable only by its owner
   */
  constructor(out: string, isOwnerOnly = false) {
    this.#out = out
    this.#mode = isOwnerOnly ? 0o700 : 0o777
    removeDeadStages(out)
  }

  /** Returns the path of a staged file. */
  pathOf(path: string): string {
    return join(this.#open().path, path)
  }

  /** @throws OutputError if it cannot be written completely */
  write(path: string, bytes: Uint8Array): void {
    this.#touch(path, (file) => writeNewFile(file, bytes))
  }

  /** Links a file to another path, or writes it again where hard links are not supported. */
  link(from: string, path: string, bytes: Uint8Array): void {
    this.#touch(path, (file) => {
      try {
        linkSync(this.pathOf(from), file)
      } catch {
        writeNewFile(file, bytes)
      }
    })
  }

  /** Names at its root. */
  names(): readonly string[] {
    return readdirSync(this.#open().path)
  }

  remove(): void {
    if (this.#place !== undefined) removeTree(this.#place.path)
    this.#place = undefined
  }

  #touch(path: string, work: (file: string) => void): void {
    const { path: root, folders } = this.#open()
    touching(join(root, path), untouched, () => {
      folders.makeFolderOf(path)
      work(join(root, path))
    })
  }

  #open(): { readonly path: string; readonly folders: RealFolders } {
    if (this.#place === undefined) {
      const path = makeStage(this.#out, this.#mode)
      this.#place = { path, folders: new RealFolders(path) }
    }
    return this.#place
  }
}

/** Next to the output folder, if that is allowed and on the same disk. */
function makeStage(out: string, mode: number): string {
  const token = randomUUID()
  const stage = join(dirname(out), `.${basename(out)}.${token}.stage`)
  const inside = join(out, `.stage-${token}`)
  if (isMade(stage, mode)) {
    if (canMove(stage, out)) return stage
    rmdirSync(stage)
  }
  touching(inside, untouched, () => mkdirSync(inside, mode))
  return inside
}

function isMade(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, mode)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    return touching(folder, untouched, () => {
      throw error
    })
  }
}

/**
 * Reports whether files can be moved between two folders. One file system may be mounted at both, with equal device
 * numbers, and still refuse moves (EXDEV). Linux reports that even for a missing file.
 */
function canMove(from: string, to: string): boolean {
  if (statSync(from).dev !== statSync(to).dev) return false
  try {
    renameSync(join(from, 'nothing'), join(to, basename(from)))
  } catch (error) {
    return codeOf(error) === 'ENOENT'
  }
  return true
}

/** Stage tokens contain no `.`, so the stages of a folder `dist.x` do not match those of `dist`. */
function removeDeadStages(out: string): void {
  const parent = dirname(out)
  const prefix = `.${basename(out)}.`
  for (const name of namesIn(parent)) {
    const isStage = name.startsWith(prefix) && /^[0-9a-z-]+\.stage$/.test(name.slice(prefix.length))
    if (isStage) removeTree(join(parent, name))
  }
  for (const name of namesIn(out)) if (name.startsWith('.stage-')) removeTree(join(out, name))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // A process that may not list the parent has staged nothing there.
    return []
  }
}

/** The next build removes a stage that cannot be removed now. */
function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}
