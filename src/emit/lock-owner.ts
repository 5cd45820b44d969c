// Who holds a lock, and whether that process can still be alive.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRunning } from '../cache/process.ts'

/** A process that holds a lock. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** Where a process number means the same process: this start of the machine, these containers' walls. */
  readonly place: string | null
  /** When the process started, in the system's own measure; null where that cannot be known. */
  readonly started: string | null
  /** ISO 8601. */
  readonly since: string
}

/** After so long without a sign of life an owner that cannot be seen counts as dead, in milliseconds. */
export const silenceMilliseconds = 60_000

/** This process. */
export function thisOwner(): LockOwner {
  const { pid } = process
  const since = new Date().toISOString()
  return {
    pid,
    host: hostname(),
    place: thisPlace(),
    started: statusOf(pid)?.started ?? null,
    since,
  }
}

/** @returns null when the text names no owner */
export function readOwner(text: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(text)
    const isOwner = typeof owner === 'object' && owner !== null && 'pid' in owner
    return isOwner && typeof owner.pid === 'number' ? (owner as LockOwner) : null
  } catch {
    return null
  }
}

/**
 * True unless the owner is known to be dead, or cannot be seen and has been silent for too long.
 *
 * A process of the same place is looked up: its number alone says little, as numbers are given again, so that
 * the time of its start must be the same. One in another container or on another machine cannot be looked up;
 * all that is known of it is when it last touched its lock.
 *
 * @param silence milliseconds since its last sign of life, by the clock of the file system
 */
export function isAlive(owner: LockOwner | null, silence: number): boolean {
  const isHeard = silence < silenceMilliseconds
  if (owner === null || owner.place === null || owner.place !== thisPlace()) return isHeard
  if (!isRunning(owner.pid)) return false
  const status = statusOf(owner.pid)
  if (status === null || owner.started === null) return isHeard
  return status.started === owner.started && !status.hasEnded
}

/** `process 123 on web-1 since 2026-01-02T03:04:05.678Z` */
export function describeOwner(owner: LockOwner | null): string {
  return owner === null
    ? 'a process that did not say which'
    : `process ${owner.pid} on ${owner.host} since ${owner.since}`
}

/** Null where nothing tells one container from another. */
function thisPlace(): string | null {
  if (process.platform !== 'linux') return hostname()
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const numbers = attempt(() => readlinkSync('/proc/self/ns/pid'))
  return boot === null || numbers === null ? null : `${hostname()} ${boot} ${numbers}`
}

interface ProcessStatus {
  readonly started: string
  /** It is dead and only its parent has not heard of it. */
  readonly hasEnded: boolean
}

/** From `/proc/{pid}/stat`: its 3rd and 22nd field (proc(5)); the 2nd may hold blanks and brackets. */
function statusOf(pid: number): ProcessStatus | null {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', started] = [fields?.[0], fields?.[19]]
  return started === undefined ? null : { started, hasEnded: state === 'Z' || state === 'X' }
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
