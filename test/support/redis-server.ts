// A Redis of one's own: on a free port, in a folder of its own, keeping nothing.
// Installed where the machine lets us; without it, tests that need it say why they are skipped.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const program = 'redis-server'
const installer = 'apt-get'

/**
 * Makes sure that there is a redis-server, by apt-get if need be.
 *
 * @returns null when there is one, else why there is none
 * @throws Error with that reason where `CI` is set: there nothing is skipped
 */
export function provideRedis(): string | null {
  if (hasRedis()) return null
  const reason = installRedis()
  if (reason !== null && process.env['CI']) throw new Error(`No redis-server: ${reason}`)
  // biome-ignore lint/suspicious/noConsole: a skipped test says why
  if (reason !== null) console.warn(`Tests with Redis are skipped: ${reason}`)
  return reason
}

/** A server under test. */
export class RedisServer {
  readonly port: number
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'quarry-redis-'))
  #process: ChildProcess | null = null

  private constructor(port: number) {
    this.port = port
  }

  /** A server that answers. */
  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort())
    await server.restart()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it again on the same port, with nothing in it. */
  async restart(): Promise<void> {
    const child = spawn(program, this.#options(), { stdio: ['ignore', 'pipe', 'ignore'] })
    this.#process = child
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('Ready to accept connections')) continue
      // Read on, or the server waits for a reader one day.
      child.stdout.resume()
      return
    }
    throw new Error(`redis-server ended with code ${child.exitCode} before it was ready.`)
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }

  /** Lets it hang: it takes connections and commands, and answers none. */
  pause(): void {
    this.#process?.kill('SIGSTOP')
  }

  resume(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #options(): readonly string[] {
    const options = { port: this.port, bind: '127.0.0.1', dir: this.#folder, save: '' }
    return Object.entries({ ...options, appendonly: 'no', daemonize: 'no' }).flatMap(
      ([name, value]) => [`--${name}`, String(value)],
    )
  }
}

function hasRedis(): boolean {
  return spawnSync(program, ['--version']).status === 0
}

function installRedis(): string | null {
  if (process.getuid?.() !== 0) return 'only root may install it; try apt-get install redis-server.'
  if (spawnSync(installer, ['--version']).status !== 0) return 'there is no apt-get to install it.'
  try {
    apt('update')
    apt('install', '-y', '--no-install-recommends', program)
  } catch (error) {
    return `apt-get failed: ${error instanceof Error ? error.message : error}`
  }
  return hasRedis() ? null : 'apt-get installed no redis-server that runs.'
}

function apt(...words: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const wait = ['-o', 'DPkg::Lock::Timeout=60']
  execFileSync(installer, ['-qq', ...wait, ...words], { env, stdio: 'pipe', timeout: 180_000 })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('There is no free port.')
}
