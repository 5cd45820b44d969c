// Decides by the number of changed files whether a build is too small for threads.
import type { FileCounts } from './trace.ts'

/** Number of files of a site whose search index is rebuilt in about the time that a thread takes to start. */
const smallSite = 1024

/** Number of posts that are rendered in about the time that a thread takes to start. */
const fewFiles = 8

/**
 * True when a build likely ends before threads are ready. Threads then cost more than they save: two busy cores are
 * each slower than a single one.
 */
export function isSmallBuild({ files, newFiles }: FileCounts): boolean {
  return newFiles <= fewFiles && files < smallSite
}
