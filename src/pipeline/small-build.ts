// When a build is too small for threads, by the number of changed files.
import type { FileCounts } from './trace.ts'

/** Files of a site whose search is made again in about the time in which a thread starts. */
const smallSite = 1024

/** Posts that are rendered in about the time in which a thread starts. */
const fewFiles = 8

/**
 * True where a build has likely ended before threads are ready to help. Threads cost more than they save then: two busy
 * cores are each slower than one alone.
 */
export function isSmallBuild({ files, newFiles }: FileCounts): boolean {
  return newFiles <= fewFiles && files < smallSite
}
