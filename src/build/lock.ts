// A lock between processes: a folder that one process can make, with a file in it that is named after its owner.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, writeNewFile } from './disk.ts'

/** Another process holds the lock. The message names it and the fix. */
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
 * Takes a lock. That of a dead process is removed: one of this machine that no longer runs, or one of another machine or
 * container that was silent for a minute, as the holder touches its lock every 5 seconds.
 *
 * @param path of the lock, in an existing folder
 * @param patienceMs how long to wait for another process
 * @returns releases the lock
 * @throws LockError on timeout; system errors if nothing can be written there
 */
export async function takeLock(path: string, patienceMs: number): Promise<() => void> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const release = tryLock(path)
    if (release !== undefined) return release
    const owner = ownerOf(path)
    if (isDead(path, owner)) remove(path, owner)
    // A lock gets its name at once, or its process was killed in between.
    else if (owner !== undefined && performance.now() > giveUpAt) throw lockedError(path, owner)
    // Random, so that two contenders that collided do not collide again.
    else await pause(20 * (0.5 + Math.random()))
  }
}

/** Names of the locks of this process: another lock with its number is that of a dead process. */
const heldLocks = new Set<string>()

function tryLock(path: string): (() => void) | undefined {
  const owner = `${process.pid},${hostname()},${randomUUID()}`
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
  try {
    writeNewFile(join(path, owner), new Uint8Array())
  } catch (error) {
    // Another process took it for the lock of a dead one before it had a name.
    if (codeOf(error) === 'ENOENT') return undefined
    remove(path)
    throw error
  }
  heldLocks.add(owner)
  const touch = () => ignoringErrors(() => utimesSync(path, new Date(), new Date()))
  const timer = setInterval(touch, silenceMs / 12).unref()
  return () => {
    clearInterval(timer)
    heldLocks.delete(owner)
    remove(path, owner)
  }
}

/** Milliseconds without a sign of life after which an owner that cannot be looked up counts as dead. */
const silenceMs = 60_000

/** Milliseconds in which a new lock gets its owner. */
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
  // Released in the meantime: the next attempt makes the folder.
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
    // Without open files it has ended, even if its parent has not noticed. Others' files, and other systems', are hidden.
    return codeOf(error) !== 'ESRCH'
  }
}

/** Removes the lock of an owner, and no other: a folder with another name in it is not empty, and stays. */
function remove(path: string, owner?: string): void {
  ignoringErrors(() => {
    if (owner !== undefined) rmSync(join(path, owner), { force: true })
    rmdirSync(path)
  })
}

function ignoringErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

function lockedError(path: string, owner: string): LockError {
  const [pid, host] = owner.split(',')
  const since = statSync(path, { throwIfNoEntry: false })?.birthtime.toISOString()
  return new LockError(
    `Another quarry command is using this folder: process ${pid} on ${host}, since ${since}. Wait for it to finish. If it was killed on another machine, its lock expires ${silenceMs / 1000} seconds after its last heartbeat.`,
  )
}
