// Where the report goes: a separate file next to the project, never among what is served.
import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UseError } from '../../config.ts'
import { isInside, realPath } from '../../emit/output-folder.ts'
import { writeNewFile } from '../../emit/whole-file.ts'

/** Where it goes when nothing is said, below the working folder. */
export const defaultReportFile = 'quarry-report.html'

/**
 * Refuses a place before a build has spent any time.
 *
 * @param folders of the content and of the output, in which it must not lie
 * @returns the absolute path
 * @throws UseError when it is no HTML file, or lies in one of them
 */
export function reportPlace(file: string, folders: readonly string[]): string {
  const path = resolve(file)
  if (!path.endsWith('.html')) {
    throw new UseError(`--report is ${JSON.stringify(file)}. Its name must end in .html.`)
  }
  // A link with its own name is replaced, not followed.
  const place = join(realPath(dirname(path)), basename(path))
  const inside = folders.find((folder) => isInside(place, realPath(resolve(folder))))
  if (inside !== undefined) {
    throw new UseError(
      `--report is ${JSON.stringify(file)}, in ${inside}. Put it outside of the content and the output folder.`,
    )
  }
  return path
}

/** Writes the file atomically: a reader sees the old report or the new one. @throws Error of the system */
export function writeReport(path: string, page: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  const staged = join(realpathSync(folder), `.${basename(path)}.${randomUUID()}`)
  writeNewFile(staged, Buffer.from(page))
  try {
    renameSync(staged, path)
  } catch (error) {
    rmSync(staged, { force: true })
    throw error
  }
}
