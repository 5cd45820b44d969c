// Runs the compiled command and the programs of hosts, in a folder of their own and at a time that stands still.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { follow, type Run } from '../support/command-line.ts'
import { now } from './site.ts'

const root = join(import.meta.dirname, '../..')
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const command = join(root, bin.quarry)

/** A server at an address. */
export interface Server {
  readonly url: string
  stop(): Promise<Run>
}

/** Runs `quarry` to its end. */
export function quarry(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  return follow(start(folder, [command, ...words], environment)).ended
}

/** Runs `quarry` to its end. @throws Error when it fails */
export async function quarryMust(folder: string, words: readonly string[]): Promise<Run> {
  const run = await quarry(folder, words)
  if (run.exitCode === 0) return run
  throw new Error(`quarry ${words.join(' ')} exited with ${run.exitCode}: ${run.stderr}`)
}

/** Starts `quarry serve`. */
export function startServe(folder: string, environment: Readonly<Record<string, string>>) {
  return startServer(folder, [command, 'serve', '--port', '0'], environment)
}

/** Starts a host of functions. */
export function startHost(folder: string, host: string): Promise<Server> {
  return startServer(folder, [join(import.meta.dirname, 'host.mjs'), host, folder], {})
}

/** Resolves when the program has printed the port at which it listens. */
async function startServer(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Server> {
  const defaults = { QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on' }
  const { waitFor, stop, ended } = follow(start(folder, words, { ...defaults, ...environment }))
  const [, port] = await waitFor(/^(?:.* at http:\/\/127\.0\.0\.1:)?(\d+)$/m)
  const end = () => {
    stop('SIGKILL')
    return ended
  }
  return { url: `http://127.0.0.1:${port}`, stop: end }
}

function start(cwd: string, words: readonly string[], environment: NodeJS.ProcessEnv) {
  const clock = pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href
  return spawn(process.execPath, ['--import', clock, ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: process.env['TMPDIR'],
      BLACKBOX_NOW: now,
      ...environment,
    },
  })
}
