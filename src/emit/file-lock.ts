// Lets one process at a time change a file: a lock file beside it, which only one can create.
// Knows nothing of what is changed.
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** Another process holds the lock for too long: what to do. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/**
 * Runs `work` while no other process does so with the same lock.
 *
 * The lock of a process of this machine that has died is taken away; of one on another machine nobody can know.
 *
 * @param path of the lock file, which is gone afterwards
 * @param patienceMs how long to wait for another process, default 10 seconds
 * @throws LockError when that was not long enough
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  patienceMs = 10_000,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  while (!(await create(path))) {
    await removeAbandoned(path)
    if (performance.now() > giveUpAt) throw heldTooLong(path)
    await wait(paceMs)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

const paceMs = 20

/** @returns false when the file is there already */
async function create(path: string): Promise<boolean> {
  const owner = `${process.pid} ${hostname()} ${randomUUID()}\n`
  return writeFile(path, owner, { flag: 'wx' }).then(
    () => true,
    (error: unknown) => {
      if (isCode(error, 'EEXIST')) return false
      throw error
    },
  )
}

/**
 * Removes the lock of a dead process.
 *
 * Whoever removes one holds a guard and looks again: between the look and the removal the lock cannot become
 * another's, as its owner is dead and every other remover waits for the guard.
 */
async function removeAbandoned(path: string): Promise<void> {
  if (!(await isAbandoned(path))) return
  const guard = `${path}.guard`
  if (!(await create(guard))) return
  try {
    if (await isAbandoned(path)) await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const owner = await readFile(path, 'utf8').catch(() => '')
  const [, pid, host] = /^(\d+) (\S+) \S+\n$/.exec(owner) ?? []
  return pid !== undefined && host === hostname() && !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}

function heldTooLong(path: string): LockError {
  return new LockError(
    `Another process holds the lock ${path}. If none is at work, remove that file and "${path}.guard", and try again.`,
  )
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
