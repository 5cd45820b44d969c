// Names of objects in a bucket, relative to the prefix.

/** The object name of a file. It has the same digits as the name of a function's file. */
export function objectKey(sha256: string): string {
  return `objects/${sha256.slice(0, 32)}`
}

export const hintKey = 'current.json'

export function commitKey(sequence: number): string {
  return `commits/${String(sequence).padStart(12, '0')}.json`
}

export function doneKey(sequence: number): string {
  return commitKey(sequence).replace(/json$/, 'done')
}
