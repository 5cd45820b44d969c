// A lock between processes: a folder that only one process can create, with a file that is named after the owner.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, succeeds, writeNewFile } from './disk.ts'

/** Another process holds the lock. The message names the process and the fix. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/**
 * Runs `work` while holding a lock.
 *
 * @param patienceMs how long to wait for another process
 * @throws as `takeLock` does
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
 * Takes a lock. Removes the lock of a dead process: a process of this machine that no longer runs, or a process of
 * another machine or container that has been silent for a minute. The holder touches its lock every 5 seconds.
 *
 * @param path path of the lock, in an existing folder
 * @param patienceMs how long to wait for another process
 * @returns a function that releases the lock
 * @throws LockError on timeout; system errors if nothing can be written there
 */
export async function takeLock(path: string, patienceMs: number): Promise<() => void> {
  const giveUpAt = performance.now() + patienceMs
  const mine = `${process.pid},${hostname()},${randomUUID()}`
  while (!tryLock(path, mine)) {
    const owner = ownerOf(path)
    const isLeft = isDead(path, owner)
    if (isLeft && remove(path, owner)) continue
    // A lock without an owner is new, or its process was killed before it wrote its name.
    const isKnown = isLeft || owner !== undefined
    if (isKnown && performance.now() > giveUpAt) throw lockedError(path, owner)
    // Random, so that two contenders that collided do not collide again.
    await pause(20 * (0.5 + Math.random()))
  }
  heldLocks.add(mine)
  const touch = () => succeeds(() => utimesSync(path, new Date(), new Date()))
  const timer = setInterval(touch, silenceMs / 12).unref()
  return () => {
    clearInterval(timer)
    heldLocks.delete(mine)
    remove(path, mine)
  }
}

/** Names of the locks of this process. Other locks with its id belong to a dead process. */
const heldLocks = new Set<string>()

function tryLock(path: string, owner: string): boolean {
  try {
    mkdirSync(path)
    writeNewFile(join(path, owner), '')
    return true
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    // Another process removes a lock that has no name yet, as that of a dead process.
    if (['mkdir EEXIST', 'open ENOENT'].includes(`${syscall} ${code}`)) return false
    remove(path)
    throw error
  }
}

/** Milliseconds without a touch after which an owner on another machine counts as dead. */
const silenceMs = 60_000

/** Milliseconds after which a lock without an owner counts as dead. */
const ownerlessMs = 2000

function ownerOf(path: string): string | undefined {
  try {
    return readdirSync(path)[0]
  } catch {
    return undefined
  }
}

function isDead(path: string, owner: string | undefined): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  // The lock has been released. The next attempt creates the folder.
  if (stats === undefined) return false
  const silence = Date.now() - stats.mtimeMs
  if (owner === undefined) return silence > ownerlessMs
  const [pid, host] = owner.split(',')
  if (host !== hostname()) return silence > silenceMs
  return Number(pid) === process.pid ? !heldLocks.has(owner) : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return readdirSync(`/proc/${pid}/fd`).length > 0
  } catch (error) {
    // A process without open files has ended. The list of files is unreadable for other users and outside Linux.
    return codeOf(error) !== 'ESRCH'
  }
}

/** Removes the lock of an owner. A lock of another owner stays, because its folder is not empty. */
function remove(path: string, owner?: string): boolean {
  return succeeds(() => {
    if (owner !== undefined) rmSync(join(path, owner), { force: true })
    rmdirSync(path)
  })
}

function lockedError(path: string, owner: string | undefined): LockError {
  const [pid = 'unknown', host = hostname()] = owner?.split(',') ?? []
  const since = statSync(path, { throwIfNoEntry: false })?.birthtime.toISOString()
  return new LockError(
    `Another quarry command is using this folder: process ${pid} on ${host}, since ${since}. Wait for it to finish. If it was killed, remove ${path}. On another machine, its lock expires ${silenceMs / 1000} seconds after its last heartbeat.`,
  )
}
