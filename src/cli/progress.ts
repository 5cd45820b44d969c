// A progress line for long operations.
import type { Stage } from '../pipeline/trace.ts'
import { formatCount, plural } from './report.ts'
import type { Terminal } from './terminal.ts'

/** Shows progress after one second. */
export interface Progress {
  /** Reports the number of rendered bodies. */
  update(done: number, total: number): void
  /** Reports the end of a stage, and shows the next one. */
  afterStage(stage: Stage): void
  /** Removes the line. */
  end(): void
}

/** Delay in milliseconds before progress is shown. */
const patience = 1000
/** Minimum milliseconds between two updates. */
const pace = 100
/** Window of the rate in milliseconds: threads are slow while they warm up. */
const memory = 5000

/** The next stage, if it may take long. */
const nextSteps: { readonly [stage in Stage]?: string } = {
  assemble: 'Answering requests',
  responses: 'Making the index',
  index: 'Moving files in',
}

/** Returns a progress line for a stream; silent unless it is a terminal. */
export function createProgress(
  terminal: Terminal,
  write: (text: string) => void,
  now: () => number = () => performance.now(),
): Progress {
  const started = now()
  const marks: Mark[] = [{ time: started, done: 0 }]
  let shownAt = started + patience - pace
  let isShown = false
  const show = (time: number, text: string) => {
    shownAt = time
    isShown = true
    // A line that the terminal wraps could not be removed.
    write(`\r\u001b[K${text.slice(0, terminal.columns - 1)}`)
  }
  return {
    update(done, total) {
      const time = now()
      if (!terminal.isInteractive || time - shownAt < pace) return
      marks.push({ time, done })
      while (time - (marks[1]?.time ?? time) > memory) marks.shift()
      show(time, progressText({ done, total, perSecond: rate(marks) }))
    },
    afterStage(stage) {
      const time = now()
      const text = nextSteps[stage]
      if (terminal.isInteractive && text !== undefined && time - started >= patience) {
        show(time, text)
      }
    },
    end() {
      if (isShown) write('\r\u001b[K')
      isShown = false
    },
  }
}

interface Mark {
  readonly time: number
  readonly done: number
}

function rate(marks: readonly Mark[]): number {
  const [first, last] = [marks[0], marks.at(-1)]
  if (first === undefined || last === undefined || last.time === first.time) return 0
  return ((last.done - first.done) / (last.time - first.time)) * 1000
}

/** `Rendering 1,200 of 3,000 posts, 205/s, 9 s left`; without a rate there is no estimate. */
export function progressText({
  done,
  total,
  perSecond,
}: {
  readonly done: number
  readonly total: number
  readonly perSecond: number
}): string {
  const text = `Rendering ${formatCount(done)} of ${plural(total, 'post')}`
  if (perSecond <= 0) return text
  const shown = perSecond < 10 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond))
  return `${text}, ${shown}/s, ${duration((total - done) / perSecond)} left`
}

/** `9 s`, `3 min 20 s`, `2 h 5 min`: whole units, rounded up. */
function duration(time: number): string {
  const seconds = Math.ceil(time)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
