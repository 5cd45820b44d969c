// The output folder: what may be one, its lock, and the last build in it.
import { hash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { explained, OutputError } from './disk.ts'
import { takeLock } from './lock.ts'
import { decodeManifest, type Manifest, wasManifest } from './manifest.ts'

/** An output folder, locked by this process until it is closed. */
export interface OutputFolder {
  /** Absolute, with links resolved. */
  readonly path: string
  /** Manifest of the last build; null for none, and for one that is not as a build wrote it. */
  readonly last: Manifest | null
  /** SHA-256 of the manifest file, hexadecimal; undefined without one. */
  readonly manifestSha256: string | undefined
  /** True if a build was killed while it moved files in. */
  readonly isMarked: boolean
  /** Releases the lock, and removes folders that were created and are still empty. */
  close(): void
}

/** Name of the file that marks the output folder while files are moved in. */
export const unfinishedName = '.unfinished'

/** Folder of the files of a build that is at work. */
export const newFolder = '.new'

/** Names that belong to no build: marks, locks, and new files, also those of earlier versions. */
const ownNames: RegExp = /^\.(?:unfinished|seal|lock(?:\.[0-9a-f-]+)?|new(?:-[0-9a-z-]+)?)$/

/**
 * Validates, creates and locks the output folder.
 *
 * @throws OutputError if it is `/`, the home folder, the working folder, contains the content or is inside it, contains
 *   files of another program, or cannot be written to
 * @throws LockError if another build is writing to it
 */
export async function openOutput(out: string, content: string): Promise<OutputFolder> {
  const path = realPath(resolve(out))
  refuseDangerous(path, realPath(resolve(content)))
  refuseForeign(path)
  try {
    const created = mkdirSync(path, { recursive: true })
    // Two builds that start at once both try, so each tries a few times.
    const release = await takeLock(join(path, '.lock'), 100)
    const file = manifestIn(path)
    return {
      path,
      last: file && decodeManifest(file),
      manifestSha256: file === null ? undefined : hash('sha256', file),
      isMarked: existsSync(join(path, unfinishedName)),
      close: () => {
        release()
        if (created !== undefined) removeEmptyFolders(path, created)
      },
    }
  } catch (error) {
    throw explained(error, path, 'Nothing was changed.')
  }
}

/** @throws OutputError if the folder contains files of another program */
function refuseForeign(path: string): void {
  if (!existsSync(path)) return
  if (!lstatSync(path).isDirectory()) throw new OutputError(`${path} is a file, not a folder.`)
  const manifest = manifestIn(path)
  const isOurs =
    existsSync(join(path, unfinishedName)) || (manifest !== null && wasManifest(manifest))
  if (isOurs || !holdsFiles(path)) return
  throw new OutputError(
    `${path} holds files that quarry did not write. Choose another folder with --out, or empty it.`,
  )
}

function manifestIn(path: string): Buffer | null {
  const file = join(path, 'manifest.json')
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : null
}

/** Reports whether a folder contains, at any depth, a file other than marks, locks and new files. */
function holdsFiles(path: string): boolean {
  return readdirSync(path, { withFileTypes: true }).some(
    (entry) =>
      !ownNames.test(entry.name) &&
      // At the root of a mounted disk.
      entry.name !== 'lost+found' &&
      (!entry.isDirectory() || listFiles(join(path, entry.name)).length > 0),
  )
}

/** Removes folders that were created for a build that wrote nothing, if they are empty. */
function removeEmptyFolders(path: string, made: string): void {
  try {
    for (let folder = path; isInside(folder, made); folder = dirname(folder)) rmdirSync(folder)
  } catch {
    // Not empty: keep it.
  }
}

/** Lists every file below a folder, with `/` between names, without marks, locks and new files. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !ownNames.test(entry.name))
    .map((entry) => join(relative(folder, entry.parentPath), entry.name).split(sep).join('/'))
    .filter((path) => !/^\.(?:lock|new)\b/.test(path))
}

function refuseDangerous(path: string, content: string): void {
  const refuse = (what: string) => {
    throw new OutputError(`The output folder is ${what}: ${path}. Choose another with --out.`)
  }
  if (dirname(path) === path) refuse('the root of the file system')
  if (path === realPath(homedir())) refuse('your home folder')
  if (isInside(realPath(process.cwd()), path)) refuse('the working folder or holds it')
  if (isInside(content, path)) refuse('the content folder or holds it')
  if (isInside(path, content)) refuse('inside the content folder')
}

/** Reports whether `inner` is `outer` or below it. @param inner absolute with links resolved, like `outer` */
function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

/** Resolves links in the existing part of a path. @param path absolute */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path ? path : join(realPath(parent), relative(parent, path))
}
