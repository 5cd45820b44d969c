// Reads the API key of commands that request v2, from the environment or stdin. There is no flag for a key: every user
// of the machine can read a command in the process list, and the shell's history stores it.
import { text as readText } from 'node:stream/consumers'
import { UseError } from '../config/use-error.ts'
import { environmentText } from './options.ts'

/** Flags of commands with a key. */
export interface KeyFlags {
  readonly keyStdin?: boolean
}

/**
 * Returns the key from stdin if requested, or else from QUARRY_KEY; null for none. @throws UseError for an empty stdin
 */
export async function readApiKey({ keyStdin }: KeyFlags): Promise<string | null> {
  if (keyStdin !== true) return environmentText(process.env, 'QUARRY_KEY')?.trim() ?? null
  if (process.stdin.isTTY) process.stderr.write('API key, then Enter and Ctrl+D: ')
  const key = (await readText(process.stdin)).trim()
  if (key === '') throw new UseError('There is no key on stdin. Send it there, alone on its line.')
  return key
}
