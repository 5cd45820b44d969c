// Decides by git commits which content is newer.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { UseError } from '../config/use-error.ts'

/** The git commit of a build, and its ancestors. */
export interface Lineage {
  /** Full commit hash; null when the content is in no repository. */
  readonly source: string | null
  /** True when `other` is the source or one of its ancestors; false otherwise, and when the clone lacks it. */
  descendsFrom(other: string): Promise<boolean>
}

/**
 * Reads the lineage of a content folder.
 *
 * @param folder the content folder
 * @param revision of the source. @default HEAD, if there is a repository
 * @throws UseError when the revision is no commit
 */
export async function readLineage(folder: string, revision?: string): Promise<Lineage> {
  const found = await git(folder, [
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${revision ?? 'HEAD'}^{commit}`,
  ])
  if (found === null && revision !== undefined) {
    throw new UseError(`${JSON.stringify(revision)} is no commit of the repository of ${folder}.`)
  }
  const source = found?.trim() ?? null
  const descendsFrom = async (other: string) => {
    if (source === null || !/^[0-9a-f]{40,64}$/.test(other)) return false
    return (await git(folder, ['merge-base', '--is-ancestor', other, source])) !== null
  }
  return { source, descendsFrom }
}

/** The output of git; null when git fails or is not installed. */
async function git(folder: string, words: readonly string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)('git', ['-C', folder, ...words])).stdout
  } catch {
    return null
  }
}
