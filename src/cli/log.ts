// The log of a server: one JSON object a line, many lines in one write.
// Knows nothing of what is logged.

/** Logs an entry, with the time. */
export type Log = (entry: object) => void

/**
 * A log.
 *
 * @param write called once for all that was logged in one turn of the event loop: a write for each request
 *   would cost more than most answers
 */
export function createLog(write: (text: string) => void): Log {
  let lines: string[] = []
  const flush = () => {
    const text = lines.join('')
    lines = []
    write(text)
  }
  return (entry) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
  }
}
