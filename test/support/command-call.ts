// Runs a command of `src` in the process of the test, with a tenth of the processor time of a separate process.
import { vi } from 'vitest'
import { runCommandLine } from '../../src/cli/program.ts'
import type { Run } from './command-line.ts'

let isCalled = false

/**
 * Does the same as `run`, with the command's working folder, environment and output. A command that a signal ends, that
 * reads stdin, or that runs beside another command needs `run` or `start`.
 */
export async function call(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  if (isCalled) throw new Error('Another command is being called: start processes by `run`.')
  isCalled = true
  const { env, exitCode } = process
  const workingFolder = process.cwd()
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  try {
    process.chdir(folder)
    process.env = { PATH: env['PATH'], HOME: env['HOME'], ...environment }
    process.exitCode = undefined
    await runCommandLine([process.execPath, 'quarry', ...args])
    return { exitCode: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    for (const stream of [stdout, stderr]) stream.restore()
    Object.assign(process, { env, exitCode })
    process.chdir(workingFolder)
    isCalled = false
  }
}

/** Captures the output to a stream, which is not a terminal in the meantime. */
function capture(stream: NodeJS.WriteStream) {
  let text = ''
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.find((argument) => typeof argument === 'function')
    done?.()
    return true
  })
  const { isTTY } = stream
  Object.assign(stream, { isTTY: false })
  const restore = () => {
    write.mockRestore()
    Object.assign(stream, { isTTY })
  }
  return { text: () => text, restore }
}
