// A problem in a source file: its kind, its location and its fix.

/** `error` stops the build; `warning` does not. */
export type Severity = 'error' | 'warning'

/** Every kind of problem. `docs/errors.md` has a section with the fix for each. */
export const diagnosticCodes = [
  // Files and folders.
  'no-workspace',
  'no-posts',
  'ignored-file',
  'ignored-link',
  'unknown-entry',
  'unreadable-file',
  'file-too-large',
  'invalid-utf8',
  'conflict-markers',
  // Front matter and YAML.
  'front-matter-unclosed',
  'front-matter-fence',
  'front-matter-not-map',
  'front-matter-too-large',
  'yaml-syntax',
  'yaml-key',
  'yaml-duplicate-key',
  'yaml-merge-key',
  'yaml-forbidden-key',
  'yaml-alias',
  'yaml-tag',
  'yaml-too-deep',
  'toml-syntax',
  'json-syntax',
  'csv-syntax',
  // Fields.
  'missing-field',
  'missing-title',
  'invalid-field',
  'invalid-date',
  'unknown-key',
  'withheld-key',
  'conflicting-fields',
  'missing-history',
  // Custom fields.
  'invalid-field-definition',
  'missing-custom-field',
  'wrong-field-type',
  'unknown-option',
  'unknown-field',
  'duplicate-value',
  // Slugs, ids and references.
  'invalid-identifier',
  'duplicate-identifier',
  'reserved-workspace',
  'lost-slug',
  'several-categories',
  'unknown-category',
  'unknown-tag',
  'unknown-author',
  'unknown-reference',
  // Markdown.
  'raw-html',
  'template-tag',
  'empty-content',
  'mdx-left-out',
  'mdx-syntax',
  'unsafe-url',
  'broken-anchor',
  'too-deep',
  'html-too-large',
  'render-timeout',
  'render-out-of-memory',
  'render-failed',
  // Images and links.
  'missing-image',
  'unsupported-image',
  'private-image',
  'invalid-image',
  'unpublished-file',
  'broken-link',
  'outside-workspace',
  'draft-link',
  // Keys.
  'key-in-clear',
  'duplicate-key',
] as const

/** The name of a kind of problem. */
export type DiagnosticCode = (typeof diagnosticCodes)[number]

/** A position in a text file: `line` and `column` start at 1; columns are UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A problem and its location. */
export interface Diagnostic extends Position {
  readonly code: DiagnosticCode
  readonly severity: Severity
  /** Path below the content folder, with `/` on every system. */
  readonly file: string
  /** The problem, as one sentence. */
  readonly message: string
  /** The fix, as one sentence. */
  readonly hint?: string
  /** The source line, for a code frame. */
  readonly lineText?: string
}

/** A problem without its position. */
export interface Problem {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string | undefined
  /** Finds the name that was probably meant, for a better hint. */
  readonly near?: (() => string | undefined) | undefined
  /** @default error */
  readonly severity?: Severity
}

/** The start of a file, for problems of the whole file. */
export const fileStart: Position = { line: 1, column: 1 }

/** The longest line shown with a problem, in UTF-16 code units. */
export const lineLengthMax = 4000

/** Returns a problem with its position in a file. @param lineText omitted if it is too long */
export function diagnosticAt(
  file: string,
  { line, column }: Position,
  { code, severity = 'error', message, hint }: Problem,
  lineText?: string,
): Diagnostic {
  const isShown = lineText !== undefined && lineText.length <= lineLengthMax
  const place = { code, severity, file, line, column, message }
  return { ...place, ...(hint === undefined ? {} : { hint }), ...(isShown ? { lineText } : {}) }
}

/** The content has errors; nothing was written. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
  /** Sorted diagnostics, at least one of which is an error. */
  readonly diagnostics: readonly Diagnostic[]
  /** The folder to which the paths of files are relative. @default the working folder */
  folder: string | undefined

  constructor(diagnostics: readonly Diagnostic[], folder?: string) {
    const errors = diagnostics.filter(isError).length
    super(`The content has ${errors} ${errors === 1 ? 'error' : 'errors'}.`)
    this.diagnostics = sortDiagnostics(diagnostics)
    this.folder = folder
  }
}

/** The line of a file that an error is about. */
export type ErrorLine = Position & { readonly lineText: string }

/** A flag, a variable or the configuration is wrong. The message has the expected and the actual value. */
export class UseError extends Error {
  override readonly name = 'UseError'
  /** The line to show below the message; undefined for none. */
  readonly at: ErrorLine | undefined

  constructor(message: string, at?: ErrorLine) {
    super(message)
    this.at = at
  }
}

/** Maximum number, per code, of warnings that are printed and of problems for which similar names are searched. */
export const shownOfCodeMax = 1_000

/** Reports whether a value is a diagnostic code. */
export function isDiagnosticCode(value: unknown): value is DiagnosticCode {
  return diagnosticCodes.some((code) => code === value)
}

/** Reports whether a problem stops a build. */
export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error'
}

/** Returns a copy sorted by file, line, column, code and message, independent of machine and locale. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(compareDiagnostics)
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  )
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Quotes the author's text for a message: at most 60 UTF-16 code units, with control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}

/**
 * Returns the warnings that are not ignored, sorted.
 *
 * @throws BuildError with every problem when one of them is an error
 */
export function warningsIn(
  ignored: readonly DiagnosticCode[],
  problems: readonly Diagnostic[],
): readonly Diagnostic[] {
  const all = problems.filter((problem) => isError(problem) || !ignored.includes(problem.code))
  if (all.some(isError)) throw new BuildError(all)
  return sortDiagnostics(all)
}
