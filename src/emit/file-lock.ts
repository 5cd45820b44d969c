// A lock between processes, built on claim files: one per contender.
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  describeOwner,
  isAlive,
  type LockOwner,
  readOwner,
  silenceMilliseconds,
  thisOwner,
} from './lock-owner.ts'
import { codeOf } from './output-error.ts'
import { isBlank, writeNewFile } from './whole-file.ts'

/** Another process holds the lock. The message names it and the fix. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/** A lock that this process holds. */
export interface Lock {
  /** @throws LockError if another process considered this one dead and took the lock */
  assertHeld(): void
  release(): void
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
  const lock = await takeLock(path, patienceMs)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/**
 * Acquires a lock.
 *
 * A process first writes its claim, atomically and under a unique name, and then lists the others. It withdraws if it
 * sees another live claim. If two start at once, at least one sees the other, so they never both proceed; at worst both
 * retry. A dead owner's claim is removed by its name. The name is never used again, so removal needs no lock, and a
 * partial claim never blocks.
 *
 * The holder touches its claim every 5 seconds, for processes that cannot inspect it.
 *
 * @param path prefix of the claims, `{path}.{random}`, in an existing folder
 * @param patienceMs how long to wait for another process
 * @throws LockError on timeout; system errors if nothing can be written there
 */
export async function takeLock(path: string, patienceMs: number): Promise<Lock> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const attempt = claim(path)
    if ('lock' in attempt) return attempt.lock
    if (performance.now() > giveUpAt) throw heldBy(attempt.owner)
    // Random, so that two contenders that collided do not collide again.
    await wait(paceMs * (0.5 + Math.random()))
  }
}

const paceMs = 20
const heartbeatMilliseconds = silenceMilliseconds / 12

type Attempt = { readonly lock: Lock } | { readonly owner: LockOwner | null }

function claim(path: string): Attempt {
  const own = `${path}.${randomUUID()}`
  const draft = `${own}.new`
  writeNewFile(draft, Buffer.from(`${JSON.stringify(thisOwner())}\n`))
  try {
    // The draft is gone if another process acquired the lock and removed drafts.
    if (!renameIfThere(draft, own)) return { owner: null }
    const contender = findContender(path, own)
    if (contender === undefined) return { lock: hold(path, own) }
    rmSync(own, { force: true })
    return { owner: contender }
  } catch (error) {
    rmSync(own, { force: true })
    rmSync(draft, { force: true })
    throw error
  }
}

function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Returns the owner of another live claim, if any. Removes dead claims. */
function findContender(path: string, own: string): LockOwner | null | undefined {
  const folder = dirname(path)
  const now = statSync(own).mtimeMs
  for (const name of readdirSync(folder)) {
    const other = join(folder, name)
    if (!isClaim(path, name) || other === own) continue
    const stats = statSync(other, { throwIfNoEntry: false })
    if (stats === undefined) continue
    const text = textOf(other)
    const owner = readOwner(text ?? '')
    // A claim is complete before it has its name. One that is empty lost its text in a power cut, and its process.
    const isLost = text !== null && isBlank(Buffer.from(text))
    if (!isLost && isAlive(owner, now - stats.mtimeMs)) return owner
    rmSync(other, { force: true })
  }
  return undefined
}

function hold(path: string, own: string): Lock {
  removeDrafts(path)
  const timer = setInterval(() => heartbeat(own), heartbeatMilliseconds)
  timer.unref()
  return {
    assertHeld: () => {
      if (!existsSync(own)) throw new LockError(lostText)
    },
    release: () => {
      clearInterval(timer)
      removeClaim(own)
    },
  }
}

/** A claim that cannot be removed expires with its process. */
function removeClaim(own: string): void {
  try {
    rmSync(own, { force: true })
  } catch {}
}

/** Rewrites an existing byte, so that the file system's clock sets the time, not this machine's. */
function heartbeat(own: string): void {
  try {
    const descriptor = openSync(own, 'r+')
    try {
      writeSync(descriptor, '{', 0)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The claim was taken away; the holder calls `assertHeld` before that matters.
  }
}

/** Removes drafts of processes that died before their claim was complete. */
function removeDrafts(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.new') && isClaim(path, name.slice(0, -'.new'.length))) {
      rmSync(join(folder, name), { force: true })
    }
  }
}

function isClaim(path: string, name: string): boolean {
  const prefix = `${basename(path)}.`
  return name.startsWith(prefix) && /^[0-9a-f-]{36}$/.test(name.slice(prefix.length))
}

/** Null if it cannot be read. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

const lostText =
  'This process was silent for so long that another one took its lock. Run the command again.'

function heldBy(owner: LockOwner | null): LockError {
  return new LockError(
    `Another command is at work here: ${describeOwner(owner)}. Wait until it has ended. If it was killed where it cannot be seen from here, its lock ends ${silenceMilliseconds / 1000} seconds after its last sign of life.`,
  )
}
