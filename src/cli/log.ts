// The log of a server: one JSON object per line, batched writes.
import { hideClearKeys } from '../api/clear-key.ts'

/** Logs an entry with the time: an object with at least one field, or its JSON. */
export type Log = (entry: object | string) => void

/** The part of a stream that a log needs, such as `process.stderr`. */
export interface LogStream {
  /** Number of buffered characters. */
  readonly writableLength: number
  write(text: string): unknown
  once(event: 'drain', listener: () => void): unknown
}

/** Maximum number of buffered characters; further lines are dropped. */
const waitingMax = 1024 * 1024

/**
 * Returns a log. Keys in its lines are truncated: some clients send theirs in a URL.
 *
 * A stalled reader costs no memory: lines are dropped while 1 MiB is buffered. Their number is logged once there is
 * room again, as `{"event":"log","droppedLines":3}`.
 *
 * @param stream written once per turn of the event loop: a write per request would cost more than most responses
 */
export function createLog(stream: LogStream): Log {
  let lines: string[] = []
  let dropped = 0
  let time = ''
  const now = () => new Date().toISOString()
  const reportDropped = () => {
    if (dropped > 0) stream.write(`{"time":"${now()}","event":"log","droppedLines":${dropped}}\n`)
    dropped = 0
  }
  const flush = () => {
    const flushed = lines
    lines = []
    if (stream.writableLength > waitingMax) {
      if (dropped === 0) stream.once('drain', reportDropped)
      dropped += flushed.length
    } else {
      reportDropped()
      stream.write(flushed.join(''))
    }
  }
  return (entry) => {
    if (lines.length === 0) {
      setImmediate(flush)
      // One time for all entries of a turn, which are within a millisecond or two.
      time = now()
    }
    const json = typeof entry === 'string' ? entry : JSON.stringify(entry)
    lines.push(`{"time":"${time}",${hideClearKeys(json).slice(1)}\n`)
  }
}
