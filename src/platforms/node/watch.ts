// Tells when something below a folder has changed, once for a burst of changes.
// Knows nothing of what the files are.
import { watch } from 'node:fs'

/** How long it must be quiet before a burst is over, in milliseconds. */
export const quietMilliseconds = 80

/**
 * Watches a folder. Names of changed files are not told: lists of them have gaps, so that whoever is told
 * looks at everything.
 *
 * @returns ends the watching
 */
export function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, quietMilliseconds)
  })
  // A folder that goes away, or a system that runs out of watches, ends no server.
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
