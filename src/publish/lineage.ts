// Which content is newer: commits of git say so.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { UseError } from '../config/use-error.ts'

/** The commit that a build is from, and what it knows of others. */
export interface Lineage {
  /** Full name of a commit; null where the content is in no repository. */
  readonly source: string | null
  /** True when `other` is the source or an ancestor of it; false when it is none, or not in this clone. */
  descendsFrom(other: string): Promise<boolean>
}

/**
 * The lineage of content in a clone.
 *
 * @param folder of the content
 * @param revision names the commit. @default HEAD, where there is a repository
 * @throws UseError when there is no such commit
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

/** The output of git; null when it fails or is not installed. */
async function git(folder: string, words: readonly string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)('git', ['-C', folder, ...words])).stdout
  } catch {
    return null
  }
}
