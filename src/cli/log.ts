// The log of a server: one JSON object a line, many lines in one write.
// Knows nothing of what is logged.

/** Logs an entry, with the time: an object with at least one field, or its JSON. */
export type Log = (entry: object | string) => void

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
    const json = typeof entry === 'string' ? entry : JSON.stringify(entry)
    lines += `{"time":"${time}",${json.slice(1)}\n`
  }
}
