// The log of a server: one JSON object a line, many lines in one write.
// Knows nothing of what is logged.

/** Logs an entry, with the time; the entry has at least one field. */
export type Log = (entry: object) => void

/**
 * A log.
 *
 * @param write called once for all that was logged in one turn of the event loop: a write for each request
 *   would cost more than most answers
 */
export function createLog(write: (text: string) => void): Log {
  let lines = ''
  let time = ''
  const flush = () => {
    const text = lines
    lines = ''
    write(text)
  }
  return (entry) => {
    if (lines === '') {
      setImmediate(flush)
      // What is logged in one turn happened within a millisecond or two.
      time = new Date().toISOString()
    }
    lines += `{"time":"${time}",${JSON.stringify(entry).slice(1)}\n`
  }
}
