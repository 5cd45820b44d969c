// Programs and servers of a test, which end with the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ListenOptions, listen, type NodeServer } from '../../src/hosts/server.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { atEnd, atEndOfFile } from './cleanup.ts'

/** A running program. */
export interface RunningProgram {
  /** Returns the output so far. */
  output(): string
  /** Ends the program and its child processes. */
  stop(): Promise<void>
}

/** Options of `startProgram`. */
export interface ProgramOptions {
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  /** Output on either stream, or a listening port, that shows that the program is ready. */
  readonly ready: RegExp | number
  /** True for a program that is started in a test and outlives it. */
  readonly isShared?: boolean
}

/** Starts a program and waits until it is ready. It is ended at the end of the test. */
export async function startProgram(
  command: string,
  words: readonly string[],
  { cwd, environment = {}, ready, isShared = false }: ProgramOptions,
): Promise<RunningProgram> {
  const child = spawn(command, words, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const schedule = isShared ? atEndOfFile : atEnd
  schedule(() => stop(child))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (typeof ready !== 'number' && ready.test(output)) resolve()
      })
    }
    if (typeof ready === 'number') void listening(ready).then(resolve)
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${output}`)))
  })
  return { output: () => output, stop: () => stop(child) }
}

/** Resolves when a program accepts connections at a port of this machine. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await pause(20)
  }
}

/** Returns a port on which no program listens. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Responds to requests at a free port of this machine until the end. @returns the URL, without a slash at its end */
export async function respondAt(respond: RequestListener): Promise<string> {
  const server = createHttpServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Serves a handler at a free port until the end. */
export async function listenWith(
  handler: Responder,
  options: Partial<ListenOptions> = {},
): Promise<NodeServer> {
  const server = await listen(handler, { host: '127.0.0.1', port: 0, ...options })
  atEnd(() => server.close(0))
  return server
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exit = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exit
}
