// The output folder: which folder may be written to, and what the last build left in it.
// Knows nothing of what the files hold.
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { decodeManifest, type Manifest } from './manifest.ts'

/** The output folder cannot be used: what it is, and what to do. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/** A folder that may be written to. */
export interface OutputFolder {
  /** Absolute. */
  readonly path: string
  /** What the last build wrote; null when there was none. */
  readonly previous: Manifest | null
  /** Files that are there now, below the folder, with `/`. */
  readonly existing: ReadonlySet<string>
  /** A build was ended while it moved its files in: the manifest does not tell what is there. */
  readonly isUnfinished: boolean
}

/** Stands in the output folder while files are moved in. */
export const unfinishedName = '.unfinished'

/**
 * Looks at the output folder before anything is done.
 *
 * @throws OutputError when it is `/`, home, the working folder, holds the content or lies in it, or holds
 *   files of somebody else
 */
export async function openOutput(out: string, content: string): Promise<OutputFolder> {
  const path = realPath(resolve(out))
  refuseDangerous(path, realPath(resolve(content)))
  if (!existsSync(path)) return { path, previous: null, existing: new Set(), isUnfinished: false }
  if (!lstatSync(path).isDirectory()) throw new OutputError(`${path} is a file, not a folder.`)
  const previous = readManifest(join(path, 'manifest.json'))
  const existing = new Set(listFiles(path))
  if (previous === null && existing.size > 0) {
    throw new OutputError(
      `${path} holds files that quarry did not write. Choose another folder with --out, or empty it.`,
    )
  }
  const isUnfinished = existing.delete(unfinishedName)
  return { path, previous, existing, isUnfinished }
}

/** Every file below a folder, with `/` between names. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name).split(sep).join('/'))
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

/** True when `inner` is `outer` or lies in it. */
function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

/** The path with links resolved as far as it exists. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path
    ? path
    : join(realPath(parent), path.slice(parent.length).replace(/^[/\\]/u, ''))
}

function readManifest(path: string): Manifest | null {
  return existsSync(path) ? decodeManifest(readFileSync(path, 'utf8')) : null
}
