// Text for people: colours, counts, sizes and paths, and the progress of long work.
import { relative, resolve } from 'node:path'
import { styleText } from 'node:util'
import { maskCleartextKeys } from '../api/keys.ts'

const styles = ['bold', 'dim', 'red', 'yellow', 'green', 'cyan'] as const

type StyleName = (typeof styles)[number]

/** An output stream. Each style function styles a text, or returns it unchanged. */
export type Terminal = Readonly<Record<StyleName, (text: string) => string>> &
  /** True if colours and progress lines are allowed; columns are 80 if unknown. */
  Readonly<{ isInteractive: boolean; columns: number }>

/** Disables colours and progress lines if the output is not a terminal, or with `NO_COLOR` or `CI`. */
export function terminalOf(
  environment: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean; readonly columns?: number },
): Terminal {
  const isPlain = Boolean(environment['NO_COLOR']) || Boolean(environment['CI'])
  const isInteractive = stream.isTTY === true && !isPlain && environment['TERM'] !== 'dumb'
  const functions = styles.map((name) => [
    name,
    (text: string) => (isInteractive ? styleText(name, text, { validateStream: false }) : text),
  ])
  // A terminal of unknown size reports 0.
  return { isInteractive, columns: stream.columns || 80, ...Object.fromEntries(functions) }
}

/**
 * Returns functions that show the number of rendered bodies in a line at the end of a terminal, and that remove the line.
 * It appears after one second, and changes ten times a second.
 */
export function createProgress(
  { isInteractive, columns }: Terminal,
  write: (text: string) => void,
): { update(done: number, total: number): void; end(): void } {
  let shownAt = performance.now() + 900
  let isShown = false
  return {
    update: (done, total) => {
      if (!isInteractive || performance.now() - shownAt < 100) return
      shownAt = performance.now()
      isShown = true
      const text = `Rendering ${formatCount(done)} of ${plural(total, 'post')}`
      // A line that the terminal wraps could not be removed.
      write(`\r\u001b[K${text.slice(0, columns - 1)}`)
    },
    end: () => {
      if (isShown) write('\r\u001b[K')
      isShown = false
    },
  }
}

/** Formats a count and a noun: `1 file`, `2 files`, `2 categories`. */
export function plural(count: number, noun: string): string {
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${formatCount(count)} ${count === 1 ? noun : many}`
}

/** Formats a whole number: `1,234,567`. To create an `Intl.NumberFormat` takes a tenth of an unchanged build. */
export function formatCount(count: number): string {
  // regex: a whole number has few digits
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Formats a size in powers of 1000: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** Returns a path relative to the working folder if it is inside, or else an absolute path. */
export function displayPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') ? resolve(path) : below
}

/** Replaces characters that could move the cursor, or change colours or the writing direction. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/**
 * Returns a log of entries, which have at least one field, with the time. It truncates keys, and writes once per turn of
 * the event loop, which is faster than per request.
 */
export function createLog(stream: NodeJS.WriteStream): (entry: object) => void {
  let lines: string[] = []
  const flush = () => {
    // All entries of a turn have the same time. They are within a millisecond or two.
    const time = `{"time":"${new Date().toISOString()}",`
    // Drops lines while a mebibyte is unwritten, so that a stalled reader costs no memory.
    if (stream.writableLength <= 1024 * 1024)
      stream.write(lines.map((line) => `${time}${line.slice(1)}\n`).join(''))
    lines = []
  }
  return (entry) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(maskCleartextKeys(JSON.stringify(entry)))
  }
}
