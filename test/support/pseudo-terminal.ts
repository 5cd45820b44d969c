// A real terminal for a program: what stands on it, and keys that are pressed.
// Knows nothing of the program.
import { spawn } from 'node:child_process'

/** What stood on the terminal, and how the program ended. */
export interface TerminalRun {
  readonly shown: string
  readonly exitCode: number | null
}

/**
 * Runs a command of the shell on a terminal of its own and types on it.
 *
 * @param steps in order: keys that are pressed once a text has appeared since the step before
 */
export function onTerminal(
  folder: string,
  command: string,
  steps: readonly (readonly [appears: string, keys: string])[],
  environment: Readonly<Record<string, string>> = {},
): Promise<TerminalRun> {
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm', ...environment },
  })
  let shown = ''
  let from = 0
  const left = [...steps]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [next] = left
    const found = next === undefined ? -1 : shown.indexOf(next[0], from)
    if (next === undefined || found === -1) return
    from = shown.length
    left.shift()
    child.stdin.write(next[1])
  })
  return new Promise((resolve) => {
    child.on('close', (exitCode) => resolve({ shown, exitCode }))
  })
}
