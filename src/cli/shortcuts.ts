// Single keys of a terminal while a server runs.
import type { ReadStream } from 'node:tty'

/**
 * Runs the action of each key that is pressed, until it is closed. Ctrl+C ends the process as it does without this.
 *
 * @returns closes; the terminal is as before
 */
export function listenForKeys(
  input: ReadStream,
  actions: Readonly<Record<string, () => void>>,
): () => void {
  const onKey = (text: string) => {
    if (text === '\u0003') process.kill(process.pid, 'SIGINT')
    else if (Object.hasOwn(actions, text)) actions[text]?.()
  }
  input.setRawMode(true).setEncoding('utf8').on('data', onKey).resume()
  return () => {
    input.off('data', onKey).setRawMode(false).pause()
  }
}
