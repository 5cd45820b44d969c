// Creates a project completely or not at all.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UseError } from '../../config.ts'

/**
 * Rejects a folder that contains anything except `.git`.
 *
 * @param target absolute
 * @throws UseError with the fix
 */
export function requireFree(target: string): void {
  if (!existsSync(target)) return
  if (!statSync(target).isDirectory()) {
    throw new UseError(`${target} is a file. Name a new folder: npx quarry init my-site`)
  }
  const found = entriesOf(target)
  if (found.length === 0) return
  if (found.includes('package.json')) {
    throw new UseError(
      `${target} already contains a project, and npx quarry init never changes files. Create a project next to it, ` +
        'quarry init my-site, and copy its content folder, its quarry.config.ts, and the scripts and the ' +
        'dependency of its package.json.',
    )
  }
  throw new UseError(
    `${target} is not empty: it holds ${listed(found)}. Name a new folder: npx quarry init my-site`,
  )
}

/** Reports whether a project can be created in a folder. */
export function isFree(target: string): boolean {
  return !existsSync(target) || (statSync(target).isDirectory() && entriesOf(target).length === 0)
}

/**
 * Creates a project next to its target, then moves it there. On failure, everything created is removed.
 *
 * A new folder appears atomically. In an existing folder, which may be in use, the entries are moved one by one.
 *
 * @param target absolute; free
 * @param fillStage writes the project into the given folder
 */
export async function placeWhole(
  target: string,
  fillStage: (stage: string) => Promise<void>,
): Promise<void> {
  const isThere = existsSync(target)
  const parent = isThere ? target : dirname(target)
  const created = isThere ? undefined : mkdirSync(parent, { recursive: true })
  const stage = join(parent, `.quarry-init-${randomUUID().slice(0, 8)}`)
  try {
    mkdirSync(stage)
    await fillStage(stage)
    if (isThere) moveEntries(stage, target)
    else renameSync(stage, target)
  } catch (error) {
    rmSync(stage, { recursive: true, force: true })
    if (created !== undefined) rmSync(resolve(created), { recursive: true, force: true })
    throw error
  }
}

function moveEntries(stage: string, target: string): void {
  const moved: string[] = []
  try {
    for (const name of readdirSync(stage)) {
      const place = join(target, name)
      // Another program may have created it in the meantime.
      if (existsSync(place))
        throw new UseError(`${place} has appeared meanwhile. Nothing was made.`)
      renameSync(join(stage, name), place)
      moved.push(place)
    }
    rmSync(stage, { recursive: true })
  } catch (error) {
    for (const place of moved) rmSync(place, { recursive: true, force: true })
    throw error
  }
}

function entriesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== '.git')
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
