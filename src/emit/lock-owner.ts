// The owner of a lock, and whether its process is alive.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRunning } from '../cache/process.ts'

/** A process that holds a lock. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** Scope in which process ids are comparable: this boot of the machine and this container. */
  readonly place: string | null
  /** Start time of the process, in system units; null if unknown. */
  readonly started: string | null
  /** ISO 8601. */
  readonly since: string
}

/** Milliseconds without a heartbeat after which an owner in another place counts as dead. */
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

/** @returns null if the text names no owner */
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
 * Reports whether the owner may be alive: false if it is known to be dead, or cannot be inspected and has been silent
 * for too long.
 *
 * A process of the same place is looked up. Process ids are reused, so its start time must match too. A process in
 * another container or on another machine cannot be looked up: only its last heartbeat is known.
 *
 * @param silence milliseconds since its last heartbeat, by the file system's clock
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

/** Null if containers cannot be told apart. */
function thisPlace(): string | null {
  if (process.platform !== 'linux') return hostname()
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const numbers = attempt(() => readlinkSync('/proc/self/ns/pid'))
  return boot === null || numbers === null ? null : `${hostname()} ${boot} ${numbers}`
}

interface ProcessStatus {
  readonly started: string
  /** True for a zombie, which its parent has not reaped yet. */
  readonly hasEnded: boolean
}

/** Fields 3 and 22 of `/proc/{pid}/stat` (proc(5)); field 2 may contain spaces and parentheses. */
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
