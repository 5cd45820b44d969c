// The output folder: safety checks, its lock, and the last build in it.
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { makeFolders } from '../cache/make-folders.ts'
import { functionFolder } from '../snapshot/format.ts'
import { takeLock } from './file-lock.ts'
import type { Manifest } from './manifest.ts'
import { ManifestFile } from './manifest-file.ts'
import { explained, OutputError } from './output-error.ts'

/** An output folder, locked by this process until it is closed. */
export interface OutputFolder {
  /** Absolute, with links resolved. */
  readonly path: string
  /** The current manifest; null for none. */
  readonly manifestFile: ManifestFile | null
  /** True if a build was killed while it moved files in. */
  readonly isMarked: boolean
  /** Manifest of the last build; null for none. */
  readonly previous: Manifest | null
  /** True if the manifest does not describe the folder: a build was killed, or the manifest was modified. */
  readonly isUnfinished: boolean
  /** @throws LockError if another process considered this one dead */
  assertHeld(): void
  /** Releases the lock, and removes folders that were created and are still empty. */
  close(): void
}

/** Name of the file that marks the output folder while files are moved in. */
export const unfinishedName = '.unfinished'

/** Names that belong to no build: marks, locks, and stages. */
const ownNames: RegExp =
  /^\.(?:unfinished|seal(?:\.new)?|lock\.[0-9a-f-]+(?:\.new)?|stage-[0-9a-z-]+)$/

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
  const before = look(path)
  try {
    const created = makeFolders(path)
    const lock = await takeLock(join(path, lockName), lockPatienceMilliseconds)
    const close = () => {
      lock.release()
      removeEmptyFolders(path, created)
    }
    const { manifestFile, isMarked } = lookAgain(path, before, close)
    return {
      path,
      manifestFile,
      isMarked,
      get previous() {
        return manifestFile?.decoded ?? null
      },
      get isUnfinished() {
        return isMarked || (manifestFile !== null && manifestFile.decoded === null)
      },
      assertHeld: lock.assertHeld,
      close,
    }
  } catch (error) {
    throw explained(error, path, 'Nothing was changed.')
  }
}

const lockName = '.lock'

// Two builds that start in the same millisecond both withdraw, so each retries a few times.
const lockPatienceMilliseconds = 100

interface OutputState extends Pick<OutputFolder, 'manifestFile' | 'isMarked'> {
  /** Changes with the manifest. */
  readonly mark: string | null
}

/** @throws OutputError if the folder contains files of another program */
function look(path: string): OutputState {
  if (!existsSync(path)) return { manifestFile: null, isMarked: false, mark: null }
  if (!lstatSync(path).isDirectory()) throw new OutputError(`${path} is a file, not a folder.`)
  const file = join(path, 'manifest.json')
  const mark = manifestMark(file)
  const manifestFile = mark === null ? null : new ManifestFile(readFileSync(file))
  const isMarked = existsSync(join(path, unfinishedName))
  const isOurs = manifestFile?.isOurs === true || (manifestFile?.isBlank === true && isBuild(path))
  if (isMarked || isOurs || !holdsFiles(path)) return { manifestFile, isMarked, mark }
  throw new OutputError(
    `${path} holds files that quarry did not write. Choose another folder with --out, or empty it.`,
  )
}

/** Another build may have finished between the first look and the lock. */
function lookAgain(path: string, before: OutputState, close: () => void): OutputState {
  try {
    if (manifestMark(join(path, 'manifest.json')) !== before.mark) return look(path)
    return { ...before, isMarked: before.isMarked || existsSync(join(path, unfinishedName)) }
  } catch (error) {
    close()
    throw error
  }
}

function manifestMark(file: string): string | null {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : null
}

/** Reports whether a folder contains, at any depth, a file other than marks, locks and stages. */
function holdsFiles(path: string): boolean {
  return readdirSync(path, { withFileTypes: true }).some(
    (entry) =>
      !ownNames.test(entry.name) &&
      // At the root of a mounted disk.
      entry.name !== 'lost+found' &&
      (!entry.isDirectory() || listFiles(join(path, entry.name)).length > 0),
  )
}

/** Reports whether a folder contains no other names than those of a build. */
function isBuild(path: string): boolean {
  return readdirSync(path).every((name) => buildNames.includes(name) || ownNames.test(name))
}

const buildNames = ['public', 'private', functionFolder, 'manifest.json', 'lost+found']

/** Removes folders that were created for a build that wrote nothing, if they are empty. */
function removeEmptyFolders(path: string, made: string | undefined): void {
  if (made === undefined) return
  try {
    for (let folder = path; isInside(folder, made); folder = dirname(folder)) rmdirSync(folder)
  } catch {
    // Not empty: keep it.
  }
}

/** Lists every file below a folder, with `/` between names, without marks and locks. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name).split(sep).join('/'))
    .filter((path) => !ownNames.test(path))
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
export function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

/** Resolves links in the existing part of a path. @param path absolute */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path
    ? path
    : join(realPath(parent), path.slice(parent.length).replace(/^[/\\]/u, ''))
}
