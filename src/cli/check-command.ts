// `quarry check`: reports every problem of the content. Writes nothing but the cache.
import { checkContent } from '../check.ts'
import { BuildError, type Diagnostic, isError } from '../diagnostics.ts'
import { exitCodes } from './failures.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { createProgress } from './progress.ts'
import {
  asManyWarnings,
  describeDiagnostics,
  describeEach,
  describeWarnings,
  diagnosticsForGithub,
  diagnosticsJson,
  formatCount,
  plural,
  type ReportFormat,
  shortest,
} from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'
import { limitInlining } from './v8-flags.ts'
import { fromWorkingFolder } from './working-paths.ts'

/** The flags of `quarry check`. */
export interface CheckFlags extends CommonFlags {
  readonly format: ReportFormat
  /** Prints every warning separately. */
  readonly verbose?: boolean
  /** More warnings are a failure. */
  readonly maxWarnings?: number
}

/** Checks. The problems are the result and go to stdout. */
export async function runCheck(flags: CheckFlags): Promise<void> {
  limitInlining()
  const settings = await readSettings(flags)
  const stderr = terminalOf(process.env, process.stderr)
  const progress = createProgress(stderr, (text) => process.stderr.write(text))
  const warnings: string[] = []
  const caching = { onWarning: (sentence: string) => void warnings.push(sentence) }
  const found = await findProblems(() =>
    checkContent(settings, { onProgress: progress.update, caching }),
  )
  progress.end()
  process.stderr.write(describeWarnings(warnings, stderr))
  const terminal = terminalOf(process.env, process.stdout)
  const diagnostics = fromWorkingFolder(found.diagnostics, settings.content)
  const text = describe(diagnostics, flags, { folder: shortest(settings.content), terminal })
  if (text !== '') process.stdout.write(`${text}\n`)
  const count = diagnostics.filter((diagnostic) => !isError(diagnostic)).length
  const { maxWarnings = Number.POSITIVE_INFINITY } = flags
  if (count > maxWarnings) process.stderr.write(`${tooMany(count, maxWarnings)}\n`)
  process.exitCode = found.hasErrors || count > maxWarnings ? exitCodes.content : exitCodes.done
}

function tooMany(count: number, max: number): string {
  return `The content has ${plural(count, 'warning')}; --max-warnings allows ${formatCount(max)}.`
}

interface ContentProblems {
  readonly diagnostics: readonly Diagnostic[]
  readonly hasErrors: boolean
}

async function findProblems(check: () => Promise<readonly Diagnostic[]>): Promise<ContentProblems> {
  try {
    return { diagnostics: await check(), hasErrors: false }
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return { diagnostics: error.diagnostics, hasErrors: true }
  }
}

function describe(
  diagnostics: readonly Diagnostic[],
  { format, verbose }: CheckFlags,
  { folder, terminal }: { readonly folder: string; readonly terminal: Terminal },
): string {
  if (format === 'json') return diagnosticsJson(diagnostics)
  if (format === 'github') return diagnosticsForGithub(diagnostics)
  if (diagnostics.length === 0) return `${terminal.green('No problems')} in ${folder}.`
  return verbose === true
    ? describeEach(diagnostics, terminal)
    : describeDiagnostics(diagnostics, terminal, asManyWarnings)
}
