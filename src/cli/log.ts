// The log of a server: one JSON object a line, many lines in one write.

/** Logs an entry, with the time: an object with at least one field, or its JSON. */
export type Log = (entry: object | string) => void

/** The part of a stream that a log needs: `process.stderr`. */
export interface LogStream {
  /** Characters that were written and that no reader has taken. */
  readonly writableLength: number
  write(text: string): unknown
  once(event: 'drain', listener: () => void): unknown
}

/** Characters that wait for a reader; lines beyond are dropped. */
const waitingMax = 1024 * 1024

/**
 * A log.
 *
 * A reader that stops costs no memory: lines are dropped while 1 MiB waits for it. Their number is logged once there
 * is room again, as `{"event":"log","droppedLines":3}`.
 *
 * @param stream written to once for all that was logged in one turn of the event loop: a write for each request
 *   would cost more than most answers
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
      // Whatever is logged in one turn happened within a millisecond or two.
      time = now()
    }
    const json = typeof entry === 'string' ? entry : JSON.stringify(entry)
    lines.push(`{"time":"${time}",${json.slice(1)}\n`)
  }
}
