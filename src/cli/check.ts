// `quarry check`: reports every problem of the content. Writes nothing but the cache.
import { checkContent } from '../build/build.ts'
import { BuildError, isError, shownOfCodeMax } from '../diagnostics.ts'
import { exitCodes } from './failures.ts'
import {
  describeDiagnostics,
  describeEach,
  diagnosticsForGithub,
  diagnosticsJson,
  fromWorkingFolder,
  type ReportFormat,
} from './report.ts'
import { type CommonFlags, readSettings } from './settings.ts'
import { createProgress, formatCount, plural, shortest, terminalOf } from './terminal.ts'

/** More warnings than `maxWarnings` are a failure. */
type CheckFlags = CommonFlags &
  Readonly<{ format?: ReportFormat; verbose?: boolean; maxWarnings?: number }>

/** Checks. The problems are the result and go to stdout. */
export async function runCheck(flags: CheckFlags): Promise<void> {
  const settings = await readSettings(flags)
  const stderr = terminalOf(process.env, process.stderr)
  const say = (text: string) => void process.stderr.write(text)
  const progress = createProgress(stderr, say)
  const found = await checkContent(settings, { onProgress: progress.update })
    .catch((error) => (error instanceof BuildError ? error.diagnostics : Promise.reject(error)))
    .finally(progress.end)
  const diagnostics = fromWorkingFolder(found, settings.content)
  const terminal = terminalOf(process.env, process.stdout)
  const texts: Readonly<Record<ReportFormat, () => string>> = {
    json: () => diagnosticsJson(diagnostics),
    github: () => diagnosticsForGithub(diagnostics),
    text: () => {
      if (found.length === 0)
        return `${terminal.green('No problems')} in ${shortest(settings.content)}.`
      if (flags.verbose === true) return describeEach(diagnostics, terminal)
      return describeDiagnostics(diagnostics, terminal, shownOfCodeMax)
    },
  }
  const text = texts[flags.format ?? 'text']()
  if (text !== '') process.stdout.write(`${text}\n`)
  const errors = diagnostics.filter(isError).length
  const count = diagnostics.length - errors
  const { maxWarnings = count } = flags
  if (count > maxWarnings) {
    const sentence = `The content has ${plural(count, 'warning')}; --max-warnings allows ${formatCount(maxWarnings)}.`
    say(`${sentence}\n`)
  }
  process.exitCode = errors > 0 || count > maxWarnings ? exitCodes.content : exitCodes.done
}
