// The process of a container, without Docker: the command of a stage that `runDockerfile` made, in its folder.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Stage } from './dockerfile.ts'
import { freePort } from './process.ts'

/** A server that listens. */
export interface Container {
  readonly url: string
  readonly port: string
  /** Runs the health check of the stage to its end. */
  isHealthy(): boolean
  /** Sends a signal and waits for the end. @returns the exit code; null after a signal that killed it */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the server of a stage at a free port. @param changes of its environment */
export async function startContainer(
  stage: Stage,
  changes: Readonly<Record<string, string>>,
): Promise<Container> {
  const port = String(await freePort())
  const options = processOptions(stage, { QUARRY_PORT: port, ...changes })
  const [program = '', ...words] = stage.command
  const child = spawn(program, words, { ...options, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text
    })
  while (!output.includes('Serving build')) {
    const [event] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (!(event instanceof Buffer)) throw new Error(`The server ended with ${event}: ${output}`)
  }
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
    return child.exitCode
  }
  const [check = '', ...checkWords] = stage.healthCheck
  const isHealthy = () => spawnSync(check, checkWords, options).status === 0
  return { url: `http://127.0.0.1:${port}`, port, isHealthy, stop }
}

/** Folder, environment and user. */
function processOptions(stage: Stage, changes: Readonly<Record<string, string>>) {
  // The image of Node gives the user `node` this number.
  const isOther = stage.user === 'node' && process.getuid?.() === 0
  return {
    cwd: join(stage.folder, stage.workingFolder),
    env: { PATH: process.env['PATH'], ...stage.environment, ...changes },
    ...(isOther ? { uid: 1000, gid: 1000 } : {}),
  }
}
