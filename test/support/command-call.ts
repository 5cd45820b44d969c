// Runs a command of `src` within the process of the test: a tenth of the processor time of a process of its own.
import { vi } from 'vitest'
import { runCommandLine } from '../../src/cli/program.ts'
import type { Run } from './command-line.ts'

let isCalled = false

/**
 * As `run` does, with the working folder, the environment and the output of the command. A command that ends by a signal,
 * reads stdin, or runs next to another needs `run` or `start`.
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
    return {
      exitCode: Number(process.exitCode ?? 0),
      stdout: stdout.text(),
      stderr: stderr.text(),
    }
  } finally {
    for (const stream of [stdout, stderr]) stream.restore()
    Object.assign(process, { env, exitCode })
    process.chdir(workingFolder)
    isCalled = false
  }
}

/** Keeps what is written to a stream, which is no terminal meanwhile. */
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
