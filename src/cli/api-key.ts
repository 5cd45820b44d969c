// The API key of a command that requests v2: from the environment or from stdin. There is no flag for a key: a command
// is shown to every user of the machine in the list of processes, and kept in the shell's history.
import { text as readText } from 'node:stream/consumers'
import { UseError } from '../config/use-error.ts'
import { environmentText } from './options.ts'

/** A flag that every command with a key has. */
export interface KeyFlags {
  readonly keyStdin?: boolean
}

/** The key, from stdin where that is asked for, else from QUARRY_KEY; null for none. @throws UseError for an empty stdin */
export async function readApiKey({ keyStdin }: KeyFlags): Promise<string | null> {
  if (keyStdin !== true) return environmentText(process.env, 'QUARRY_KEY')?.trim() ?? null
  if (process.stdin.isTTY) process.stderr.write('API key, then Enter and Ctrl+D: ')
  const key = (await readText(process.stdin)).trim()
  if (key === '') throw new UseError('There is no key on stdin. Send it there, alone on its line.')
  return key
}
