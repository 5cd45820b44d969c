// A Redis of one's own: on a free port, in a folder of its own, keeping nothing.
// Knows nothing of what is kept in it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './process.ts'
import { provideProgram } from './programs.ts'

const program = 'redis-server'

/** Makes sure that there is a redis-server; null, or why there is none. */
export function provideRedis(): string | null {
  return provideProgram(program)
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
