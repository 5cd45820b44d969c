// The log of a server: one JSON object per line, batched writes.
import { hideClearKeys } from '../api/keys.ts'

/** Logs an entry, which has at least one field, with the time. */
export type Log = (entry: object) => void

/**
 * Returns a log. Keys in its lines are truncated: some clients send theirs in a URL.
 *
 * @param stream written once per turn of the event loop: a write per request would cost more than most responses
 */
export function createLog(stream: NodeJS.WriteStream): Log {
  let lines: string[] = []
  const flush = () => {
    // One time for all entries of a turn, which are within a millisecond or two.
    const time = `{"time":"${new Date().toISOString()}",`
    // A reader that stalled costs no memory: its lines are dropped while a mebibyte waits.
    if (stream.writableLength <= 1024 * 1024)
      stream.write(lines.map((line) => `${time}${line.slice(1)}\n`).join(''))
    lines = []
  }
  return (entry) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(hideClearKeys(JSON.stringify(entry)))
  }
}
