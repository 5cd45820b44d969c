// Runs and measures a command as a separate process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** A program, its arguments and its working directory. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
}

/** The measurements of a run. */
export interface Figures {
  /** Wall time of the whole process. */
  readonly milliseconds: number
  /** Peak memory of the process; 0 if unavailable. */
  readonly peakBytes: number
  /** Processor time of all its threads; 0 if unavailable. */
  readonly processorMilliseconds: number
}

/**
 * Limits a command to the first `cores` cores. Needs `taskset`.
 *
 * @param cores undefined for all
 */
export function onCores(command: Command, cores: number | undefined): Command {
  if (cores === undefined) return command
  const { file, args, folder } = command
  return { file: 'taskset', args: ['--cpu-list', `0-${cores - 1}`, file, ...args], folder }
}

/** Runs and measures a command. @throws Error with the command's output if it fails */
export async function measure({ file, args, folder }: Command): Promise<Figures> {
  const started = performance.now()
  const child = spawn(file, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const processorBefore = processorOfChildren()
  let peakBytes = 0
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid))
  }, 5)
  const [exitCode] = await once(child, 'exit')
  const milliseconds = performance.now() - started
  clearInterval(timer)
  if (exitCode !== 0) throw new Error(`${file} ended with ${exitCode}:\n${output}`)
  const processorMilliseconds = processorOfChildren() - processorBefore
  return { milliseconds, peakBytes, processorMilliseconds }
}

/**
 * Returns `cutime` and `cstime` of proc(5), in ticks of 10 ms, of all ended children. The fields follow the name, which
 * may contain any character.
 */
function processorOfChildren(): number {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return 10 * (Number(fields[13]) + Number(fields[14]))
  } catch {
    return 0
  }
}

/** Returns the peak memory: `VmHWM` of proc(5). */
function peakOf(pid: number | undefined): number {
  try {
    const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes ?? 0) * 1024
  } catch {
    return 0
  }
}
