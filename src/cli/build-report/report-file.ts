// The report file, which must not be among the served files.
import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UseError } from '../../config.ts'
import { isInside, realPath } from '../../emit/output-folder.ts'
import { writeNewFile } from '../../emit/whole-file.ts'

/** Default file, below the working folder. */
export const defaultReportFile = 'quarry-report.html'

/**
 * Validates the path of a report, before the build.
 *
 * @param folders of the content and of the output, which must not contain it
 * @returns the absolute path
 * @throws UseError if it is not an HTML file, or is in one of them
 */
export function reportPlace(file: string, folders: readonly string[]): string {
  const path = resolve(file)
  if (!path.endsWith('.html')) {
    throw new UseError(`--report is ${JSON.stringify(file)}. Its name must end in .html.`)
  }
  // The write replaces a link at this path, so only the folder is resolved.
  const place = join(realPath(dirname(path)), basename(path))
  const inside = folders.find((folder) => isInside(place, realPath(resolve(folder))))
  if (inside !== undefined) {
    throw new UseError(
      `--report is ${JSON.stringify(file)}, in ${inside}. Put it outside of the content and the output folder.`,
    )
  }
  return path
}

/** Writes the file atomically: a reader gets the old report or the new one. @throws system errors */
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
