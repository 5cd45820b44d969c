// How V8 is told that this process will not live for long.
// Knows nothing of what the process does.
import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 put fewer functions into one another where it optimises them, in this thread and all others: that makes code
 * a little faster, and takes more of a build's processor time than is ever earned back by it (an eighth).
 */
export function expectShortLife(): void {
  // An unknown flag is complained of on stderr; these know it.
  const major = Number.parseInt(process.versions.node, 10)
  if (major >= 20 && major <= 26) setFlagsFromString('--max-inlined-bytecode-size-cumulative=100')
}
