// V8 flags for short-lived processes.
import { setFlagsFromString } from 'node:v8'
import type { FileCounts } from '../pipeline/trace.ts'

/**
 * Has V8 put fewer functions into one another where it optimises them, in this thread and all others: that makes code
 * a little faster, and takes more of a build's processor time than is ever earned back by it (an eighth).
 */
export function expectShortLife(): void {
  if (nodeMajor >= 20 && nodeMajor <= 26) {
    setFlagsFromString('--max-inlined-bytecode-size-cumulative=100')
  }
}

/**
 * Has V8 optimise functions later where a few files of a small site are all that is new: what the other cores would
 * compile is hardly run any more, and takes a twelfth to a fifth of such a build. Where functions run longer it costs
 * more than it saves, and later versions of V8 gain nothing by it.
 */
export function expectWork({ files, newFiles }: FileCounts): void {
  if (nodeMajor > 21 || files > smallSite || newFiles > fewFiles) return
  setFlagsFromString('--interrupt-budget=400000')
}

/**
 * Lets the heaps of all threads grow by a fifth at a time, for a process that reads more than fits into memory: 186 MB
 * instead of 211 for an export of 270 MB, in the same time (2026-11).
 */
export function keepHeapSmall(): void {
  if (nodeMajor >= 20 && nodeMajor <= 26) setFlagsFromString('--heap-growing-percent=20')
}

const smallSite = 3000
const fewFiles = 30

/** An unknown flag is complained of on stderr: each is set only where it is known. */
const nodeMajor: number = Number.parseInt(process.versions.node, 10)
