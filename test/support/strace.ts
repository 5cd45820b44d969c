// Faults at every place where a program touches the disk: strace lists its system calls, then kills it or lets
// one of them fail. Installed where the machine lets us.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provideProgram } from './programs.ts'

/** Calls that change a file or a folder. */
const writingCalls =
  'openat,write,pwrite64,writev,pwritev,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,fsync,fdatasync,ftruncate,utimensat'

/** One call of a program that changes something. */
export interface CallPoint {
  readonly call: string
  /** The how many-eth call of this name in its thread it is, from 1. */
  readonly number: number
  /** The call as strace shows it. */
  readonly text: string
}

/** How a traced program ended. */
export interface TracedRun {
  readonly exitCode: number | null
  readonly isKilled: boolean
  readonly stderr: string
  /** What strace wrote, a call a line. */
  readonly log: string
}

/**
 * Makes sure that strace is there and may be used.
 *
 * @returns null when it may, else why not
 * @throws Error where `CI` is set and there is none; not where the machine forbids tracing
 */
export function provideStrace(): string | null {
  const reason = provideProgram('strace') ?? forbidden()
  // biome-ignore lint/suspicious/noConsole: a skipped test says why
  if (reason !== null) console.warn(`Tests with faults are skipped: ${reason}`)
  return reason
}

/** Runs a program under strace with what is injected, for instance `rename:error=EIO:when=3`. */
export async function runTraced(
  command: readonly string[],
  injections: readonly string[] = [],
): Promise<TracedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-strace-'))
  const log = join(folder, 'log')
  const inject = injections.flatMap((injection) => ['-e', `inject=${injection}`])
  const options = ['-f', '-y', '-qq', '-s', '64', '-o', log, '-e', `trace=${writingCalls}`]
  try {
    const child = spawn('strace', [...options, ...inject, ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // One thread, so that calls come in the same order every time.
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const [exitCode, signal] = await once(child, 'close')
    return { exitCode, isKilled: signal === 'SIGKILL', stderr, log: readFileSync(log, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The calls of a run that change something below a folder. */
export function callPoints(log: string, folder: string): readonly CallPoint[] {
  const counts = new Map<string, number>()
  const points: CallPoint[] = []
  for (const line of log.split('\n')) {
    const [, thread, call, args] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? []
    if (call === undefined || args === undefined) continue
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1
    counts.set(`${thread} ${call}`, number)
    const isReading = call === 'openat' && !/O_WRONLY|O_RDWR|O_CREAT/.test(args)
    if (args.includes(folder) && !isReading) points.push({ call, number, text: `${call}(${args}` })
  }
  return points
}

function forbidden(): string | null {
  const { status, stderr } = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true'])
  return status === 0 ? null : `this machine forbids tracing: ${String(stderr).trim()}`
}
