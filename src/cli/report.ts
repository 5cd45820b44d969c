// Diagnostics as text, JSON or GitHub annotations.
import { join, relative, resolve } from 'node:path'
import { CommanderError } from 'commander'
import { codeOf, OutputError } from '../build/disk.ts'
import { LockError } from '../build/lock.ts'
import { BuildError, type Diagnostic, isError, UseError } from '../diagnostics.ts'
import { KeyringError } from '../runtime/keys.ts'
import { messageOf } from './settings.ts'
import { formatCount, plural, printable, type Terminal } from './terminal.ts'

/** Output formats of diagnostics. */
export const reportFormats = ['text', 'json', 'github'] as const

export type ReportFormat = (typeof reportFormats)[number]

/** Formats all errors with source lines, the first warnings of each code, and totals. Equal warnings are merged. */
export function describeDiagnostics(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  warningsMax = 5,
): string {
  const counts = new Map<string, number>()
  const hidden = new Map<string, number>()
  const shown = groupDiagnostics(diagnostics).filter(([first, ...others]) => {
    if (isError(first)) return true
    const { code } = first
    const number = (counts.get(code) ?? 0) + 1
    counts.set(code, number)
    if (number > warningsMax) hidden.set(code, (hidden.get(code) ?? 0) + others.length + 1)
    return number <= warningsMax
  })
  return [
    ...shown.map((group) => describeGroup(group, terminal)),
    ...Array.from(hidden, ([code, count]) =>
      terminal.dim(`… and ${plural(count, `more ${code} warning`)}`),
    ),
    ...summary(diagnostics, terminal, suggestIgnore(diagnostics)),
  ].join('\n')
}

/** Formats every diagnostic separately. */
export function describeEach(diagnostics: readonly Diagnostic[], terminal: Terminal): string {
  const blocks = diagnostics.map((diagnostic) => describeOne(diagnostic, terminal))
  return [...blocks, ...summary(diagnostics, terminal)].join('\n')
}

/** Returns warnings without a location in the content, one per line. */
export function describeWarnings(sentences: readonly string[], terminal: Terminal): string {
  return sentences.map((text) => `${terminal.yellow('warning:')} ${printable(text)}\n`).join('')
}

/** Returns one JSON object with all diagnostics, sorted: `{"diagnostics": […], "errors": 1, "warnings": 2}`. */
export function diagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length
  return JSON.stringify({ diagnostics, errors, warnings: diagnostics.length - errors }, null, 2)
}

/** Returns workflow commands, which GitHub shows as annotations of the line. */
export function diagnosticsForGithub(diagnostics: readonly Diagnostic[]): string {
  const escapeData = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return diagnostics
    .map(({ severity, file, line, column, code, message, hint }) => {
      const path = escapeData(file).replaceAll(':', '%3A').replaceAll(',', '%2C')
      const text = escapeData([message, hint ?? ''].join(' ').trim())
      return `::${severity} file=${path},line=${line},col=${column},title=${code}::${text}`
    })
    .join('\n')
}

/** Returns the source line, cropped around the column, and a mark below; nothing for a blank line. */
export function codeFrame(
  { lineText, line, column }: Pick<Diagnostic, 'lineText' | 'line' | 'column'>,
  terminal: Terminal,
): readonly string[] {
  if (lineText === undefined || lineText.trim() === '') return []
  const start = Math.max(0, column - 1 - 60)
  const excerpt = printable(lineText.slice(start, start + 100).replaceAll('\t', ' '))
  const gutter = String(line)
  const before = ' '.repeat(widthOf(excerpt.slice(0, column - 1 - start)))
  const mark = `${' '.repeat(gutter.length)} | ${before}^`
  return [terminal.dim(`  ${gutter} | ${excerpt}`), terminal.dim(`  ${mark}`)]
}

/** The place of another value, at the end of a message: `The slug "a" is taken by acme/posts/a.md:3.` */
const otherPlace = /(?<= (?:at|by|in) )[^\s"]+(?=:\d+\.$)/

/** Makes paths relative to the working folder, so that terminals and editors can open them. */
export function relativeToCwd(
  diagnostics: readonly Diagnostic[],
  content: string,
): readonly Diagnostic[] {
  const folder = relative(process.cwd(), resolve(content))
  const openable = (path: string) => join(folder, path).replaceAll('\\', '/')
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    file: openable(diagnostic.file),
    message: diagnostic.message.replace(otherPlace, openable),
  }))
}

/** Equal warnings, or one error. */
type Group = [first: Diagnostic, ...others: Diagnostic[]]

/** Groups warnings with the same code and message, in order of appearance. Each error is a separate group. */
function groupDiagnostics(diagnostics: readonly Diagnostic[]): readonly Group[] {
  const groups = new Map<unknown, Group>()
  for (const each of diagnostics) {
    const key = isError(each) ? each : `${each.code} ${each.message} ${each.hint ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return [...groups.values()]
}

function describeGroup(group: Group, terminal: Terminal): string {
  const [first, { length }] = [group[0], group]
  if (length === 1) return describeOne(first, terminal)
  const files = new Set(group.map(({ file }) => file)).size
  const times = files === length ? '' : `${formatCount(length)} times `
  return describeOne(first, terminal, `${times}in ${plural(files, 'file')}, first here: `)
}

function describeOne(diagnostic: Diagnostic, terminal: Terminal, before = ''): string {
  const { severity, file, line, column, code, message, hint } = diagnostic
  const colour = severity === 'error' ? terminal.red : terminal.yellow
  const head = `${terminal.bold(`${printable(file)}:${line}:${column}`)} ${colour(severity)} ${terminal.dim(code)}`
  const text = `  ${before}${printable(message)}${hint === undefined ? '' : ` ${terminal.cyan(printable(hint))}`}`
  return [head, text, ...codeFrame(diagnostic, terminal), ''].join('\n')
}

/** Returns the terminal width of a text: two columns for East Asian wide characters, none for combining marks. */
function widthOf(text: string): number {
  const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/gu
  return text.replace(/\p{Mn}/gu, '').replace(wide, '  ').length
}

/** Returns totals, advice, and the command that explains the first error, for users to whom its message is unclear. */
function summary(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  advice: readonly string[] = [],
): readonly string[] {
  const errors = diagnostics.filter(isError)
  const warnings = diagnostics.length - errors.length
  const counts = [
    ...(errors.length > 0 ? [terminal.red(plural(errors.length, 'error'))] : []),
    ...(warnings > 0 ? [terminal.yellow(plural(warnings, 'warning'))] : []),
  ]
  const more = errors.slice(0, 1).map(({ code }) => `More: npx quarry explain ${code}`)
  return [counts.join(', '), ...[...advice, ...more].map(terminal.dim)]
}

/** Suggests a setting that suppresses repeated warnings. */
function suggestIgnore(diagnostics: readonly Diagnostic[]): readonly string[] {
  const all = diagnostics.filter((each) => !isError(each)).map(({ code }) => code)
  const several = new Set(all.filter((code, at) => all.indexOf(code) < at))
  if (several.size === 0) return []
  const codes = Array.from(several, (code) => `'${code}'`).join(', ')
  return [`\`warnings: { ignore: [${codes}] }\` in the configuration turns these warnings off.`]
}

/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  /** The content has errors; all were printed, nothing was written. */
  content: 1,
  /** Wrong usage or configuration. */
  use: 2,
  /** A bug in quarry. */
  internal: 70,
} as const

/** Describes any error of a command. The text is empty if everything has been printed already. */
export function explainFailure(
  error: unknown,
  terminal: Terminal,
): { readonly text: string; readonly exitCode: number } {
  if (error instanceof BuildError) {
    const diagnostics = relativeToCwd(error.diagnostics, error.folder ?? '.')
    return { text: describeDiagnostics(diagnostics, terminal), exitCode: exitCodes.content }
  }
  if (error instanceof CommanderError) {
    // Commander has printed its message; help and version exit with 0.
    return { text: '', exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.use }
  }
  const message = useMessage(error)
  if (message === null) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const text = `${terminal.red('internal error:')} This is a bug in quarry, not a fault of your content.\nPlease report it with the lines below.\n\n${stack}`
    return { text, exitCode: exitCodes.internal }
  }
  const text = message.split('\n').map(printable).join('\n')
  const frame = error instanceof UseError && error.at ? codeFrame(error.at, terminal) : []
  const lines = [`${terminal.red('error:')} ${text}`, ...frame]
  return { text: lines.join('\n'), exitCode: exitCodes.use }
}

const useErrors = [UseError, OutputError, LockError, KeyringError]

const redis = ['QUARRY_REDIS_URL', 'ioredis@6 rate-limiter-flexible@11'] as const

/** The feature that needs each optional package, and the packages to install: the peer dependencies of quarry. */
const optionalPackages = new Map<string, readonly [user: string, packages: string]>([
  ['@modelcontextprotocol/sdk', ['MCP', '@modelcontextprotocol/sdk@1']],
  ['ioredis', redis],
  ['rate-limiter-flexible', redis],
  ['remark-math', ['markdown.math', 'remark-math@6']],
  ['sharp', ['Scaling images', 'sharp']],
])

/** Returns the message for an error that the user can fix; null for a bug. */
function useMessage(error: unknown): string | null {
  const message = messageOf(error)
  const missing = /^Cannot find package '([^']+)'/.exec(message)?.[1] ?? ''
  const [user, packages] = optionalPackages.get(missing) ?? []
  if (user !== undefined)
    return `${user} needs the package ${missing}, which is not installed: npm install ${packages}`
  // The user can fix errors of the system: a port in use, a full disk.
  const cause = error instanceof OutputError && error.cause ? error.cause : error
  const code = codeOf(cause)
  if (code === undefined && !useErrors.some((kind) => error instanceof kind)) return null
  const { syscall } = cause as NodeJS.ErrnoException
  const hint = systemHints.find(([errors]) => errors.test(`${syscall} ${code}`))?.[1] ?? ''
  // Messages of system errors have no full stop.
  return `${message}${/[.!?]$/.test(message) ? '' : '.'}${hint}`
}

/** What helps against errors of the system, by their calls and codes. */
const systemHints = [
  [/ EADDRINUSE$/, ' Choose another with --port; 0 takes any that is free.'],
  [/^listen EACCES$/, ' Choose a --port of 1024 or above.'],
  [/ (?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/, ' Choose an address of this machine with --host.'],
  [/ (?:EACCES|EPERM|EROFS)$/, ' Check its owner and its permissions, or choose another folder.'],
  [/ (?:ENOSPC|EDQUOT)$/, ' Free some space and try again.'],
  [/ EIO$/, ' Check the disk.'],
] as const
