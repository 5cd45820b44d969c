// Runs the compiled command and the programs of hosts, in a folder of their own and at a time that stands still.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { main, type Run, start } from '../support/command-line.ts'
import { now } from './site.ts'

type Environment = Readonly<Record<string, string>>

const stopped = ['--import', pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href]
const always = { TMPDIR: tmpdir(), BLACKBOX_NOW: now }

/** A server at an address. */
export interface Server {
  readonly url: string
  stop(): Promise<Run>
}

/** Runs `quarry` to its end. */
export function quarry(
  folder: string,
  words: readonly string[],
  environment: Environment = {},
): Promise<Run> {
  return start(folder, words, { ...always, ...environment }, [...stopped, main]).ended
}

/** Runs `quarry` to its end. @throws Error when it fails */
export async function quarryMust(folder: string, words: readonly string[]): Promise<Run> {
  const run = await quarry(folder, words)
  if (run.exitCode === 0) return run
  throw new Error(`quarry ${words.join(' ')} exited with ${run.exitCode}: ${run.stderr}`)
}

/** Starts `quarry serve`. */
export function startServe(folder: string, environment: Environment): Promise<Server> {
  return startServer(folder, [main, 'serve', '--port', '0'], environment)
}

/** Starts a host of functions. */
export function startHost(folder: string, host: string): Promise<Server> {
  return startServer(folder, [join(import.meta.dirname, 'host.mjs'), host, folder], {})
}

/** Resolves when the program has printed the port at which it listens. */
async function startServer(
  folder: string,
  words: readonly string[],
  environment: Environment,
): Promise<Server> {
  const own = { ...always, QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on', ...environment }
  const { waitFor, stop, ended } = start(folder, words, own, stopped)
  const [, port] = await waitFor(/^(?:.* at http:\/\/127\.0\.0\.1:)?(\d+)$/m)
  const end = () => {
    stop('SIGKILL')
    return ended
  }
  return { url: `http://127.0.0.1:${port}`, stop: end }
}
