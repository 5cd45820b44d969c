// The dates of the first and the last commit of each file. One `git log` reads them all; they are cached by commit.
import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import type { GitDates } from '../model/posts.ts'

/** The cached history of a commit. */
export interface GitRecord {
  readonly commit: string
  readonly isShallow: boolean
  /** First and last author date in milliseconds since 1970, by path below the content folder. */
  readonly dates: Readonly<Record<string, readonly [first: number, last: number]>>
}

/** Returns the id of the checked-out commit; null outside a repository. */
export function headCommit(root: string): string | null {
  return git(root, ['rev-parse', 'HEAD'])?.trim() ?? null
}

/**
 * Returns the dates of the files in a repository; null without a repository. Renames are not followed.
 *
 * @param root absolute path of the content folder
 * @param commit the checked-out commit
 *
 * Cost: a log of the commits since the cached one. Without a cache, 20,000 commits take 0.4 s of processor
 * time with 2,000 files in 20 folders, and 4 s with 5,000 in one, whose tree Git reads for each commit (2026-11).
 */
export function gitDates(
  root: string,
  commit: string | null,
  cache: { git: GitRecord | undefined },
): GitDates | null {
  if (commit === null) return null
  if (cache.git?.commit !== commit) cache.git = readLog(root, commit, cache.git)
  const { isShallow, dates } = cache.git
  return {
    isShallow,
    of: (file) => {
      const [first, last] = Object.hasOwn(dates, file) ? (dates[file] ?? []) : []
      if (first === undefined || last === undefined) return undefined
      return { first: new Date(first).toISOString(), last: new Date(last).toISOString() }
    },
  }
}

function readLog(root: string, commit: string, known: GitRecord | undefined): GitRecord {
  const about = git(root, ['rev-parse', '--is-shallow-repository', '--show-prefix']) ?? ''
  const [shallow, prefix = ''] = about.split('\n')
  const isShallow = shallow === 'true'
  const isLater =
    known?.isShallow === false &&
    git(root, ['merge-base', '--is-ancestor', known.commit, commit]) !== null
  const dates = Object.assign(Object.create(null), isLater ? known.dates : {})
  const range = isLater ? `${known.commit}..${commit}` : commit
  // A date line begins with a character with which no path begins.
  const log = ['log', '--format=%x01%aI', '--name-only', '--no-renames', '--no-color', range]
  let time = 0
  for (const line of isShallow ? [] : (git(root, log) ?? '').split('\n')) {
    if (line.startsWith('\x01')) time = Date.parse(line.slice(1))
    else if (line !== '') {
      const path = posix.relative(prefix, line)
      const [first, last] = dates[path] ?? [time, time]
      dates[path] = [Math.min(first, time), Math.max(last, time)]
    }
  }
  return { commit, isShallow, dates }
}

/** Runs Git. Returns null if the command fails, or if there is no Git. */
function git(folder: string, words: readonly string[]): string | null {
  try {
    const args = ['-C', folder, '-c', 'core.quotePath=false', ...words]
    const options = { encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', args, options as { readonly encoding: 'utf8' })
  } catch {
    return null
  }
}
