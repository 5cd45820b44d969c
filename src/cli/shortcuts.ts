// Shortcut keys of a running server.
import type { ReadStream } from 'node:tty'

/**
 * Runs the action of each pressed key until closed. Ctrl+C ends the process as usual.
 *
 * @returns a function that closes it and restores the terminal
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
