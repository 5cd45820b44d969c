// The output folder: which folder may be written to, and what the last build left in it.
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { makeFolders } from '../cache/make-folders.ts'
import { takeLock } from './file-lock.ts'
import type { Manifest } from './manifest.ts'
import { ManifestFile } from './manifest-file.ts'
import { explained, OutputError } from './output-error.ts'

/** A folder that may be written to, by this process alone until it is closed. */
export interface OutputFolder {
  /** Absolute, free of links. */
  readonly path: string
  /** The manifest as it lies there; null when there is none. */
  readonly manifestFile: ManifestFile | null
  /** A build was ended while it moved its files in. */
  readonly isMarked: boolean
  /** The files of the last build; null when there was none. */
  readonly previous: Manifest | null
  /** The manifest does not tell what is there: a build was ended, or the manifest is not as it was written. */
  readonly isUnfinished: boolean
  /** @throws LockError when another process took this one for dead */
  assertHeld(): void
  /** Lets the next one in; a folder that was made and is empty still goes away. */
  close(): void
}

/** Name of the file that is in the output folder while files are moved in. */
export const unfinishedName = '.unfinished'

/** The files of an output folder that belong to no build: marks, locks, and stages of builds. */
const ownNames: RegExp =
  /^\.(?:unfinished|seal(?:\.new)?|lock\.[0-9a-f-]+(?:\.new)?|stage-[0-9a-z-]+)$/

/**
 * Looks at the output folder before anything is done, makes it where it is not there, and locks it.
 *
 * @throws OutputError when it is `/`, home, the working folder, holds the content or lies in it, holds
 *   files of somebody else, or cannot be written to
 * @throws LockError when another build is at work in it
 */
export async function openOutput(out: string, content: string): Promise<OutputFolder> {
  const path = realPath(resolve(out))
  refuseDangerous(path, realPath(resolve(content)))
  const before = look(path)
  try {
    const made = makeFolders(path)
    const lock = await takeLock(join(path, lockName), lockPatienceMilliseconds)
    const close = () => {
      lock.release()
      removeEmptyFolders(path, made)
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

// Two that start in the same millisecond both step back: each gets a few tries.
const lockPatienceMilliseconds = 100

interface OutputState extends Pick<OutputFolder, 'manifestFile' | 'isMarked'> {
  /** Changes with the manifest. */
  readonly mark: string | null
}

/** @throws OutputError when what is there is none of ours */
function look(path: string): OutputState {
  if (!existsSync(path)) return { manifestFile: null, isMarked: false, mark: null }
  if (!lstatSync(path).isDirectory()) throw new OutputError(`${path} is a file, not a folder.`)
  const file = join(path, 'manifest.json')
  const mark = manifestMark(file)
  const manifestFile = mark === null ? null : new ManifestFile(readFileSync(file))
  const isMarked = existsSync(join(path, unfinishedName))
  if (isMarked || manifestFile?.isOurs === true || !holdsFiles(path))
    return { manifestFile, isMarked, mark }
  throw new OutputError(
    `${path} holds files that quarry did not write. Choose another folder with --out, or empty it.`,
  )
}

/** Another build may have ended between the first look and the lock. */
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

/** True when there is a file in it, at any depth, that is none of ours for the time of a build. */
function holdsFiles(path: string): boolean {
  return readdirSync(path, { withFileTypes: true }).some(
    (entry) =>
      !ownNames.test(entry.name) &&
      // A mounted disk has these at its root.
      entry.name !== 'lost+found' &&
      (!entry.isDirectory() || listFiles(join(path, entry.name)).length > 0),
  )
}

/** Removes what was made for a build that wrote nothing, as far as it is empty. */
function removeEmptyFolders(path: string, made: string | undefined): void {
  if (made === undefined) return
  try {
    for (let folder = path; isInside(folder, made); folder = dirname(folder)) rmdirSync(folder)
  } catch {
    // Something is in it: it stays.
  }
}

/** Every file below a folder, with `/` between names, but for marks and locks that are in it. */
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

/** True when `inner` is `outer` or lies in it. @param inner absolute, as `outer` is, links resolved */
export function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

/** The path with links resolved as far as it exists. @param path absolute */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path
    ? path
    : join(realPath(parent), path.slice(parent.length).replace(/^[/\\]/u, ''))
}
