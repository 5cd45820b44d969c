// Why a build cannot be written, with the file and a fix.

/** The output folder cannot be used, or cannot be written to: what it is, and what to do. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/**
 * Runs what touches a file, and says which one it was where the system refuses.
 *
 * @param state what is left behind then, as a sentence
 * @throws OutputError for every error of the system
 */
export function touching<T>(file: string, state: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explained(error, file, state)
  }
}

/** An error of the system as an OutputError, as `touching` throws it; any other as it is. */
export function explained(error: unknown, file: string, state: string): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const { reason, remedy } = explanations.get(code) ?? unknownReason(error)
  const text = `${file} cannot be written: ${reason} (${code}). ${remedy} ${state}`
  return new OutputError(text, { cause: error })
}

/** The system's code of an error; undefined when it is none of the system. */
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
  remedy: 'Free some space and build again.',
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
