// A lock between processes: a folder that one process can make, with the name of that process in it.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, writeNewFile } from './disk.ts'

/** Another process holds the lock. The message names it and the fix. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/** The process that holds a lock. */
interface Owner {
  /** Unique for each lock that is taken. */
  readonly token: string
  readonly pid: number
  readonly host: string
  /** ISO 8601. */
  readonly since: string
}

/**
 * Runs `work` while holding a lock.
 *
 * @param path as for `takeLock`
 * @param patienceMs how long to wait for another process, 10 seconds by default
 * @throws LockError on timeout
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  patienceMs = 10_000,
): Promise<T> {
  const release = await takeLock(path, patienceMs)
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * Takes a lock: makes a folder, which only one process can. The lock of a dead process is taken from it.
 *
 * A process of this machine is looked up; one of another machine or container is dead when it was silent for a minute:
 * the holder touches its lock every 5 seconds.
 *
 * @param path of the folder, in an existing folder
 * @param patienceMs how long to wait for another process
 * @returns releases the lock
 * @throws LockError on timeout; system errors if nothing can be written there
 */
export async function takeLock(path: string, patienceMs: number): Promise<() => void> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const release = attempt(path)
    if (release !== undefined) return release
    const owner = ownerOf(path)
    if (isDead(path, owner)) bury(path, owner)
    // A lock gets its name at once, or its process was killed in between.
    else if (owner !== null && performance.now() > giveUpAt) throw heldBy(owner)
    // Random, so that two contenders that collided do not collide again.
    else await pause(20 * (0.5 + Math.random()))
  }
}

/** Tokens of the locks of this process: another lock with its number is that of a dead process. */
const held = new Set<string>()

function attempt(path: string): (() => void) | undefined {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
  const since = new Date().toISOString()
  const owner: Owner = { token: randomUUID(), pid: process.pid, host: hostname(), since }
  try {
    writeNewFile(join(path, ownerName), Buffer.from(JSON.stringify(owner)))
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    throw error
  }
  held.add(owner.token)
  const touch = () => ignoringErrors(() => utimesSync(path, new Date(), new Date()))
  const timer = setInterval(touch, silenceMs / 12).unref()
  return () => {
    clearInterval(timer)
    held.delete(owner.token)
    if (ownerOf(path)?.token === owner.token) remove(path)
  }
}

const ownerName = 'owner.json'

/** Milliseconds without a sign of life after which an owner that cannot be looked up counts as dead. */
const silenceMs = 60_000

/** Milliseconds in which a new lock gets its owner. */
const namelessMs = 2000

/** Null if it is not named yet, or was lost in a power cut. */
function ownerOf(path: string): Owner | null {
  try {
    return JSON.parse(readFileSync(join(path, ownerName), 'utf8'))
  } catch {
    return null
  }
}

function isDead(path: string, owner: Owner | null): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  // Released in the meantime: the next attempt makes the folder.
  if (stats === undefined) return false
  const silence = Date.now() - stats.mtimeMs
  if (owner === null) return silence > namelessMs
  if (owner.host !== hostname()) return silence > silenceMs
  return owner.pid === process.pid ? !held.has(owner.token) : !isRunning(owner.pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process of another user.
    return codeOf(error) !== 'ESRCH'
  }
}

/** Removes the lock of a dead process, unless another process was faster. */
function bury(path: string, owner: Owner | null): void {
  const aside = `${path}.${randomUUID()}`
  ignoringErrors(() => {
    renameSync(path, aside)
    // Another process took the lock after this one looked: it gets its lock back.
    if (ownerOf(aside)?.token === owner?.token) remove(aside)
    else renameSync(aside, path)
  })
}

/** A lock that cannot be removed ends with its process. */
function remove(path: string): void {
  ignoringErrors(() => rmSync(path, { recursive: true, force: true }))
}

function ignoringErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

function heldBy({ pid, host, since }: Owner): LockError {
  return new LockError(
    `Another command is at work here: process ${pid} on ${host} since ${since}. Wait until it has ended. If it was killed where it cannot be seen from here, its lock ends ${silenceMs / 1000} seconds after its last sign of life.`,
  )
}
