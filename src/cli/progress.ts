// A line that moves while long work is done.
// Knows nothing of the work; prints nothing where nobody watches.
import { plural } from './report.ts'
import type { Terminal } from './terminal.ts'

/** Shows how far work is, once it has taken a second. */
export interface Progress {
  update(done: number, total: number): void
  /** Takes the line away. */
  end(): void
}

/** Work shorter than this shows nothing, in milliseconds. */
const patience = 1000
/** Between two changes of the line, in milliseconds. */
const pace = 100

/** A progress line of a stream; silent where the stream is no terminal. */
export function createProgress(
  terminal: Terminal,
  write: (text: string) => void,
  now: () => number = () => performance.now(),
): Progress {
  const started = now()
  let shownAt = started + patience - pace
  let isShown = false
  return {
    update(done, total) {
      const time = now()
      if (!terminal.isInteractive || time - shownAt < pace) return
      shownAt = time
      isShown = true
      write(`\r\u001b[K${describe(done, total, time - started)}`)
    },
    end() {
      if (isShown) write('\r\u001b[K')
    },
  }
}

function describe(done: number, total: number, elapsed: number): string {
  const perSecond = (done / elapsed) * 1000
  const left = perSecond > 0 ? Math.ceil((total - done) / perSecond) : 0
  const rate = `${Math.round(perSecond).toLocaleString('en-US')}/s`
  return `Rendering ${done.toLocaleString('en-US')} of ${plural(total, 'post')}, ${rate}, ${left} s left`
}
