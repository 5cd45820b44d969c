/** The output folder is unusable or not writable. The message says why, and the fix. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/**
 * Runs an operation on a file, and names the file if the system refuses it.
 *
 * @param state a sentence about the remaining state
 * @throws OutputError for every system error
 */
export function touching<T>(file: string, state: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explained(error, file, state)
  }
}

/** Converts a system error to the OutputError of `touching`; returns other errors unchanged. */
export function explained(error: unknown, file: string, state: string): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const { reason, remedy } = explanations.get(code) ?? unknownReason(error)
  const text = `${file} cannot be written: ${reason} (${code}). ${remedy} ${state}`
  return new OutputError(text, { cause: error })
}

/** Returns the code of a system error; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = error instanceof Error && 'code' in error && 'syscall' in error
  return hasCode && typeof error.code === 'string' ? error.code : undefined
}

interface Explanation {
  readonly reason: string
  readonly remedy: string
}

const diskFull: Explanation = {
  reason: 'the disk is full',
  remedy: 'Free some space and try again.',
}
const notAllowed: Explanation = {
  reason: 'it is not allowed',
  remedy: 'Let the user who builds write there, or choose another folder with --out.',
}

const explanations: ReadonlyMap<string, Explanation> = new Map([
  ['ENOSPC', diskFull],
  ['EDQUOT', diskFull],
  ['EACCES', notAllowed],
  ['EPERM', notAllowed],
  ['EROFS', notAllowed],
  ['EIO', { reason: 'the disk failed', remedy: 'Check the disk and build again.' }],
])

function unknownReason(error: unknown): Explanation {
  const reason = error instanceof Error ? error.message : String(error)
  return { reason, remedy: 'Mend that and build again.' }
}
