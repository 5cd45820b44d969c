// Lets one process at a time work on something, by files next to it: a claim for each that wants it.
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
import { writeNewFile } from './whole-file.ts'

/** Another process holds the lock: which, and what to do. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/** A lock that this process holds. */
export interface Lock {
  /** @throws LockError when another process took this one for dead and took its lock away */
  assertHeld(): void
  release(): void
}

/**
 * Runs `work` while no other process does so with the same lock.
 *
 * @param path as for `takeLock`
 * @param patienceMs how long to wait for another process, default 10 seconds
 * @throws LockError when that was not long enough
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
 * Takes a lock.
 *
 * A process writes its claim first, atomically and under a unique name, and then lists the others. It withdraws when
 * it sees another living claim. If two start at once, at least one sees the other, so that never both go on; at
 * worst both try again. A dead owner's claim is removed by its name. The name is never used again, so removal needs no
 * lock, and a half-written claim never blocks.
 *
 * The holder touches its claim every few seconds, for those who cannot see whether it lives.
 *
 * @param path begins the names of the claims: `{path}.{random}`; its folder must be there
 * @param patienceMs how long to wait for another process
 * @throws LockError when that was not long enough; Error of the system when nothing can be written there
 */
export async function takeLock(path: string, patienceMs: number): Promise<Lock> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const attempt = claim(path)
    if ('lock' in attempt) return attempt.lock
    if (performance.now() > giveUpAt) throw heldBy(attempt.owner)
    // Two that met must not meet again.
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
    // The draft is gone where somebody took the lock meanwhile and tidied up.
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

/** A living claim next to one's own; dead ones are removed. */
function findContender(path: string, own: string): LockOwner | null | undefined {
  const folder = dirname(path)
  const now = statSync(own).mtimeMs
  for (const name of readdirSync(folder)) {
    const other = join(folder, name)
    if (!isClaim(path, name) || other === own) continue
    const stats = statSync(other, { throwIfNoEntry: false })
    if (stats === undefined) continue
    const owner = readOwner(textOf(other))
    if (isAlive(owner, now - stats.mtimeMs)) return owner
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

/** One that cannot be removed ends with its process. */
function removeClaim(own: string): void {
  try {
    rmSync(own, { force: true })
  } catch {}
}

/** Writes a byte that is there already, so that the time is that of the file system, not of this machine. */
function heartbeat(own: string): void {
  try {
    const descriptor = openSync(own, 'r+')
    try {
      writeSync(descriptor, '{', 0)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // A claim that is gone was taken away; its holder asks before it matters.
  }
}

/** Those who died before their claim was whole left a draft. */
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

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const lostText =
  'This process was silent for so long that another one took its lock. Run the command again.'

function heldBy(owner: LockOwner | null): LockError {
  return new LockError(
    `Another command is at work here: ${describeOwner(owner)}. Wait until it has ended. If it was killed where it cannot be seen from here, its lock ends ${silenceMilliseconds / 1000} seconds after its last sign of life.`,
  )
}
