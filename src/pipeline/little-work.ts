// How much there is to do, by what has changed since the last build.
import type { FileCounts } from './trace.ts'

/** Files of a site whose search is made again in about the time in which a thread starts. */
const smallSite = 1024

/** Posts that are rendered in about the time in which a thread starts. */
const fewFiles = 8

/**
 * Whether a build has likely so little to do that it has done it by the time that threads are ready to help. What the
 * other cores would do costs more than it saves then: two that are busy are each slower than one alone.
 */
export function isLittleWork({ files, newFiles }: FileCounts): boolean {
  return newFiles <= fewFiles && files < smallSite
}
