// Parses YAML as data only: every scalar as typed, with its position in the file.
import type { CST, Document, ParsedNode } from 'yaml'
import { Composer } from 'yaml'
import type { Diagnostic } from '../diagnostics.ts'
import type { Read, YamlValue } from './raw.ts'
import type { Finding, Source } from './source.ts'
import { createSource, diagnose, positionAt } from './source.ts'
import { scanYaml } from './yaml-scan.ts'
import { findSyntaxErrors, namingBlanks } from './yaml-syntax.ts'
import { readRoot } from './yaml-value.ts'

/** Location of a YAML text. */
export interface YamlPlace {
  /** Path below the content folder, with `/`. */
  readonly file: string
  /** Line of the file on which the text begins, from 1. */
  readonly firstLine: number
}

/**
 * Parses one YAML document, and reports its problems (at most 100).
 *
 * Tags, directives, a second document and more than 20 levels are errors that leave no value. Duplicate keys,
 * `__proto__` and the like are errors, and left out of the value. Aliases beyond their budget are errors that leave no
 * value.
 *
 * @returns an empty map for a text of white space and comments
 *
 * Cost: O(length) for any text; a few milliseconds for 64 KiB of usual YAML.
 */
export function parseYaml(text: string, { file, firstLine }: YamlPlace): Read<YamlValue> {
  const source = createSource(file, text, firstLine)
  const scan = scanYaml(text)
  if (!scan.isWhole) return { diagnostics: report(source, scan.findings) }
  const documents = compose(scan.tokens, text.length)
  const faults = [...scan.findings, ...findSyntaxErrors(documents, scan)].map((fault) =>
    namingBlanks(fault, text),
  )
  const { value, findings } = readRoot(documents[0]?.contents, source)
  const diagnostics = report(source, [...faults, ...findings])
  const isWhole = faults.length === 0 && !findings.some(isOfAlias)
  return isWhole ? { value, diagnostics } : { diagnostics }
}

function isOfAlias({ code }: Finding): boolean {
  return code === 'yaml-alias' || code === 'yaml-too-deep'
}

const MAX_PROBLEMS = 100

// Duplicate keys are detected later, with a map; the library compares all pairs of keys.
function compose(tokens: readonly CST.Token[], length: number): Document.Parsed<ParsedNode>[] {
  const composer = new Composer({ schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false })
  return withoutStackTraces(() => [...composer.compose(tokens, true, length)])
}

// Each error of the library is an `Error`. In a text full of errors, their stack traces would take seconds.
function withoutStackTraces<T>(run: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = limit
  }
}

function report(source: Source, findings: readonly Finding[]): readonly Diagnostic[] {
  if (findings.length === 0) return []
  const sorted = [...findings].sort((a, b) => a.offset - b.offset)
  const reported = keepFirstSyntaxErrors(source, sorted)
  const diagnostics = reported.slice(0, MAX_PROBLEMS).map((finding) => diagnose(source, finding))
  const rest = reported.slice(MAX_PROBLEMS)
  const next = rest.find((it) => it.severity !== 'warning') ?? rest[0]
  if (next === undefined) return diagnostics
  const { code, offset, severity = 'error' } = next
  const message = `${rest.length} more problems follow in this file.`
  return [...diagnostics, diagnose(source, { code, severity, offset, message })]
}

// Further library messages on a line with a problem are mostly consequences of that problem.
function keepFirstSyntaxErrors(source: Source, sorted: readonly Finding[]): readonly Finding[] {
  const reportedLines = new Set<number>()
  const lineOf = ({ offset }: Finding): number => positionAt(source, offset).line
  for (const it of sorted) {
    if (it.code !== 'yaml-syntax' && it.severity !== 'warning') reportedLines.add(lineOf(it))
  }
  return sorted.filter((it) => {
    if (it.code !== 'yaml-syntax') return true
    const line = lineOf(it)
    return !reportedLines.has(line) && reportedLines.add(line) !== undefined
  })
}
