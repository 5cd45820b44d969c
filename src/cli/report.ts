// Diagnostics as text, JSON or GitHub annotations.
import { relative, resolve } from 'node:path'
import { type Diagnostic, type DiagnosticCode, isError, shownOfCodeMax } from '../diagnostics.ts'
import type { Terminal } from './terminal.ts'
import { type DiagnosticGroup, groupDiagnostics, type ShownMax } from './warning-groups.ts'

/** Output formats of diagnostics. */
export const reportFormats = ['text', 'json', 'github'] as const

export type ReportFormat = (typeof reportFormats)[number]

/**
 * Formats diagnostics as text: errors with source lines and a mark at their columns, the first few warnings of each
 * kind, and totals. Equal warnings are merged, with their number of files.
 */
export function describeDiagnostics(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  shownMax: ShownMax = { error: shownOfCodeMax, warning: 5 },
): string {
  const { groups, hidden } = groupDiagnostics(diagnostics, shownMax)
  const blocks = groups.map((group) => describeGroup(group, terminal))
  const more = [...hidden].map(([kind, count]) =>
    terminal.dim(`… and ${plural(count, `more ${kind}`)}`),
  )
  return [
    ...blocks,
    ...more,
    summary(diagnostics, terminal),
    ...silencing(diagnostics, terminal),
    ...moreAbout(diagnostics, terminal),
  ].join('\n')
}

/** Prints as many warnings as errors, for `quarry check`. */
export const asManyWarnings: ShownMax = { error: shownOfCodeMax, warning: shownOfCodeMax }

/** Returns warnings without a location in the content, one per line. */
export function describeWarnings(sentences: readonly string[], terminal: Terminal): string {
  return sentences.map((text) => `${terminal.yellow('warning:')} ${harmless(text)}\n`).join('')
}

/** Returns one JSON object with all diagnostics, sorted: `{"diagnostics": […], "errors": 1, "warnings": 2}`. */
export function diagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length
  return JSON.stringify({ diagnostics, errors, warnings: diagnostics.length - errors }, null, 2)
}

/** Returns workflow commands, which GitHub shows as annotations of the line. */
export function diagnosticsForGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ severity, file, line, column, code, message, hint }) => {
      const place = `file=${escapeProperty(file)},line=${line},col=${column},title=${code}`
      return `::${severity} ${place}::${escapeData([message, hint ?? ''].join(' ').trim())}`
    })
    .join('\n')
}

/** `1 file`, `2 files`, `2 categories`. */
export function plural(count: number, noun: string): string {
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${formatCount(count)} ${count === 1 ? noun : many}`
}

/**
 * `1,234,567`.
 *
 * Not `Intl.NumberFormat`, whose creation takes a tenth of an unchanged build.
 *
 * @param count whole
 */
export function formatCount(count: number): string {
  // regex: a whole number has few digits
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1.5 MB`: powers of 1000. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const value = bytes / 1000 ** power
  return `${value.toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** Returns a path relative to the working folder if it is inside, or else an absolute path. */
export function shortest(path: string): string {
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') ? resolve(path) : below
}

function describeGroup({ first, count, files }: DiagnosticGroup, terminal: Terminal): string {
  if (count === 1) return describeOne(first, terminal)
  const times = files === count ? '' : `${formatCount(count)} times `
  return describeOne(first, terminal, `${times}in ${plural(files, 'file')}, first here: `)
}

/** Formats every diagnostic separately. */
export function describeEach(diagnostics: readonly Diagnostic[], terminal: Terminal): string {
  const blocks = diagnostics.map((diagnostic) => describeOne(diagnostic, terminal))
  const rest = [summary(diagnostics, terminal), ...moreAbout(diagnostics, terminal)]
  return [...blocks, ...rest].join('\n')
}

function describeOne(diagnostic: Diagnostic, terminal: Terminal, before = ''): string {
  const { severity, file, line, column, code, message, hint } = diagnostic
  const colour = severity === 'error' ? terminal.red : terminal.yellow
  const head = `${terminal.bold(`${harmless(file)}:${line}:${column}`)} ${colour(severity)} ${terminal.dim(code)}`
  const text = `  ${before}${harmless(message)}${hint === undefined ? '' : ` ${terminal.cyan(harmless(hint))}`}`
  return [head, text, ...codeFrame(diagnostic, terminal), ''].join('\n')
}

/** Replaces characters that could move the cursor, change colours or the writing direction. */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** Returns the source line, cropped around the column, and a mark below; nothing for a blank line. */
export function codeFrame(
  { lineText, line, column }: Pick<Diagnostic, 'lineText' | 'line' | 'column'>,
  terminal: Terminal,
): readonly string[] {
  if (lineText === undefined || lineText.trim() === '') return []
  const start = Math.max(0, column - 1 - 60)
  const visible = lineText.slice(start, start + 100)
  const excerpt = harmless(visible.replaceAll('\t', ' '))
  const gutter = String(line)
  const mark = `${' '.repeat(gutter.length)} | ${' '.repeat(widthOf(excerpt.slice(0, column - 1 - start)))}^`
  return [terminal.dim(`  ${gutter} | ${excerpt}`), terminal.dim(`  ${mark}`)]
}

/** Returns the terminal width of a text: two columns for East Asian wide characters, none for combining marks. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => {
    if (/\p{Mn}/u.test(character)) return sum
    return (
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(character)
        ? 2
        : 1)
    )
  }, 0)
}

function summary(diagnostics: readonly Diagnostic[], terminal: Terminal): string {
  const errors = diagnostics.filter(isError).length
  const warnings = diagnostics.length - errors
  const parts = [
    errors > 0 ? terminal.red(plural(errors, 'error')) : '',
    warnings > 0 ? terminal.yellow(plural(warnings, 'warning')) : '',
  ].filter((part) => part !== '')
  return parts.join(', ')
}

/** Suggests the setting that suppresses repeated warnings. */
function silencing(diagnostics: readonly Diagnostic[], terminal: Terminal): readonly string[] {
  const seen = new Set<DiagnosticCode>()
  const several = new Set<DiagnosticCode>()
  for (const { code } of diagnostics.filter((diagnostic) => !isError(diagnostic)))
    (seen.has(code) ? several : seen).add(code)
  const codes = [...several].map((code) => `'${code}'`).join(', ')
  const setting = `\`warnings: { ignore: [${codes}] }\` in the configuration leaves these warnings out.`
  return codes === '' ? [] : [terminal.dim(setting)]
}

/** Suggests the command that explains the first error, as its line may be too short for a newcomer. */
function moreAbout(diagnostics: readonly Diagnostic[], terminal: Terminal): readonly string[] {
  const first = diagnostics.find(isError)
  return first === undefined ? [] : [terminal.dim(`More: npx quarry explain ${first.code}`)]
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
