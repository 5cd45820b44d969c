// The log of a server: one JSON object per line, batched writes.
import { hideClearKeys } from '../api/keys.ts'

/** Logs an entry with the time: an object with at least one field, or its JSON. */
export type Log = (entry: object | string) => void

/** Maximum number of buffered characters; further lines are dropped, so that a stalled reader costs no memory. */
const waitingMax = 1024 * 1024

/**
 * Returns a log. Keys in its lines are truncated: some clients send theirs in a URL. Lines are dropped while 1 MiB is
 * buffered; their number is logged once there is room again, as `{"event":"log","droppedLines":3}`.
 *
 * @param stream written once per turn of the event loop: a write per request would cost more than most responses
 */
export function createLog(stream: NodeJS.WriteStream): Log {
  let lines: string[] = []
  let dropped = 0
  const stamp = () => `{"time":"${new Date().toISOString()}",`
  const reportDropped = () => {
    if (dropped > 0) stream.write(`${stamp()}"event":"log","droppedLines":${dropped}}\n`)
    dropped = 0
  }
  const flush = () => {
    // One time for all entries of a turn, which are within a millisecond or two.
    const time = stamp()
    if (stream.writableLength > waitingMax) {
      if (dropped === 0) stream.once('drain', reportDropped)
      dropped += lines.length
    } else {
      reportDropped()
      stream.write(lines.map((line) => `${time}${line.slice(1)}\n`).join(''))
    }
    lines = []
  }
  return (entry) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(hideClearKeys(typeof entry === 'string' ? entry : JSON.stringify(entry)))
  }
}
