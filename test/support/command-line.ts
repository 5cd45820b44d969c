// Runs the compiled command as a user does: in a separate process and in a separate folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { atEnd } from './cleanup.ts'

/** The compiled command. */
export const main: string = join(import.meta.dirname, '../../.lib/cli/main.js')

/** The result of a run. */
export interface Run {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A running command. */
export interface Running {
  /** Resolves when stdout matches. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>
  /** Resolves when stderr matches. */
  waitForError(pattern: RegExp): Promise<RegExpMatchArray>
  stop(signal: NodeJS.Signals): void
  readonly ended: Promise<Run>
}

/** Starts `quarry` with arguments. @param program arguments of Node before them. @default the command */
export function start(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  program: readonly string[] = [main],
): Running {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment }
  const words = [...program, ...args]
  const stdio = ['ignore', 'pipe', 'pipe'] satisfies ['ignore', 'pipe', 'pipe']
  return follow(spawn(process.execPath, words, { cwd: folder, env, stdio }))
}

/** Follows the output of a process. */
export function follow(
  child: Pick<ChildProcess, 'on' | 'kill'> & Record<'stdout' | 'stderr', Readable>,
): Running {
  const { ended, stdout, stderr } = outputOf(child)
  const match = (stream: Readable, text: () => string, pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const found = text().match(pattern)
        if (found !== null) resolve(found)
      }
      stream.on('data', look)
      ended.then((run) => reject(new Error(`ended before ${pattern}: ${run.stdout}${run.stderr}`)))
      look()
    })
  return {
    ended,
    stop: (signal) => void child.kill(signal),
    waitFor: (pattern) => match(child.stdout, stdout, pattern),
    waitForError: (pattern) => match(child.stderr, stderr, pattern),
  }
}

/** Collects what a process writes. */
export function outputOf(child: Pick<ChildProcess, 'on'> & Record<'stdout' | 'stderr', Readable>) {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Run>((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
  return { ended, stdout: () => stdout, stderr: () => stderr }
}

/** A server at an address. */
export interface Server extends Running {
  readonly url: string
  /** Stops the server as a host does. */
  close(): Promise<Run>
}

/** Starts `quarry serve` or another server, and stops it at the end of the test. @param port @default any port */
export async function serve(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  words: readonly string[] = ['serve'],
  port = '0',
): Promise<Server> {
  const running = start(folder, [...words, '--port', port], environment)
  atEnd(() => running.stop('SIGKILL'))
  const [, url = ''] = await running.waitFor(/Serving (?:build \w+ at )?(http:[^\s,]+)/)
  const close = () => {
    running.stop('SIGTERM')
    return running.ended
  }
  return { ...running, url, close }
}

/** Runs `quarry` with arguments until it ends. */
export function run(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  return start(folder, args, environment).ended
}
