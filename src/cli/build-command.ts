// `quarry build`: builds, and says what it did and what can be done next.
// Knows nothing of how a build is made.
import { relative, resolve } from 'node:path'
import { type BuildResult, build } from '../build.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { createProgress } from './progress.ts'
import { describeDiagnostics, plural } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** The flags of `quarry build`. */
export interface BuildFlags extends CommonFlags {
  /** Milliseconds since 1970. */
  readonly now?: number
  readonly force?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Builds; results go to stdout, everything else to stderr. */
export async function runBuild(flags: BuildFlags): Promise<void> {
  const settings = await readSettings(flags)
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  let result: BuildResult
  try {
    result = await build(settings, {
      now: flags.now,
      isForced: flags.force,
      onProgress: flags.quiet === true ? undefined : progress.update,
    })
  } finally {
    progress.end()
  }
  if (result.diagnostics.length > 0) {
    process.stderr.write(`${describeDiagnostics(result.diagnostics, terminal)}\n`)
  }
  if (flags.json === true) process.stdout.write(`${resultJson(result, settings.out)}\n`)
  else if (flags.quiet !== true) {
    process.stdout.write(
      `${describeResult(result, settings.out, terminalOf(process.env, process.stdout))}\n`,
    )
  }
}

/** What was built, for a person. */
export function describeResult(result: BuildResult, out: string, terminal: Terminal): string {
  const { manifest, changes, timings } = result
  const workspaces = Object.entries(manifest.workspaces).map(([id, counts]) => {
    const scheduled = counts.scheduled > 0 ? ` (${counts.scheduled} more scheduled)` : ''
    return `  ${id}: ${plural(counts.posts, 'post')}${scheduled}, ${plural(counts.categories, 'category')}, ${plural(counts.tags, 'tag')}, ${plural(counts.authors, 'author')}`
  })
  const folder = shortest(out)
  const seconds = (timings.total / 1000).toFixed(2)
  const size = `${plural(manifest.fileCount, 'file')}, ${formatBytes(manifest.byteCount)}`
  const changed = `${changes.written.toLocaleString('en-US')} written, ${changes.unchanged.toLocaleString('en-US')} unchanged, ${changes.removed.toLocaleString('en-US')} removed`
  return [
    ...workspaces,
    `${terminal.green('Built')} ${terminal.bold(folder)} in ${seconds} s: ${size} (${changed})`,
    manifest.validUntil === null
      ? ''
      : `The next scheduled post appears at ${manifest.validUntil}.`,
    `Next: ${terminal.cyan('quarry serve')} answers every request from it; ${folder}/public is ready for a CDN.`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** A path as somebody in the working folder would say it. */
function shortest(path: string): string {
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') ? resolve(path) : below
}

/** `1.5 MB`: powers of 1000. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}

function resultJson(
  { manifest, changes, rendered, timings, diagnostics }: BuildResult,
  out: string,
): string {
  const { build: id, validUntil, workspaces, fileCount, byteCount } = manifest
  const milliseconds = Object.fromEntries(
    Object.entries(timings).map(([stage, time]) => [stage, Math.round(time)]),
  )
  return JSON.stringify({
    build: id,
    out,
    validUntil,
    workspaces,
    files: { total: fileCount, bytes: byteCount, ...changes },
    rendered,
    milliseconds,
    warnings: diagnostics.length,
  })
}
