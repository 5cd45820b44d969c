// Collects what is wrong with the content while its meaning is made out.
// Knows places and nearest names, nothing of what is checked.
import { nearest } from '../content/nearest.ts'
import type { Diagnostic, DiagnosticCode, Position, Severity } from '../diagnostics.ts'

/** A file that problems are reported in. */
export interface Source {
  readonly file: string
  /** The whole text, for the line that a problem stands on. */
  readonly text: string
}

/** One problem, its place still apart. */
export interface Problem {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string | undefined
  readonly severity?: Severity
}

/** A growing list of diagnostics. */
export class Problems {
  readonly diagnostics: Diagnostic[] = []
  #latest: { readonly text: string; readonly lines: readonly string[] } = { text: '', lines: [] }

  /** @param problem an error unless it says otherwise */
  report(source: Source, at: Position, problem: Problem): void {
    const { code, message, hint, severity = 'error' } = problem
    const lineText = this.#lineOf(source, at.line)
    this.diagnostics.push({
      code,
      severity,
      file: source.file,
      line: at.line,
      column: at.column,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(lineText === undefined ? {} : { lineText }),
    })
  }

  /** Takes over what was found elsewhere. */
  add(diagnostics: readonly Diagnostic[]): void {
    this.diagnostics.push(...diagnostics)
  }

  /** Lines of the latest file are kept apart: many problems of one file are found one after the other. */
  #lineOf({ text }: Source, line: number): string | undefined {
    if (this.#latest.text !== text) this.#latest = { text, lines: text.split('\n') }
    const found = this.#latest.lines[line - 1]
    return found === undefined || found.length > shownLineMax ? undefined : found
  }
}

/** Longer lines are not shown, in UTF-16 code units. */
const shownLineMax = 500

/** `Did you mean "engineering"?`, where some known name is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const found = nearest(name, known)
  return found === undefined ? undefined : `Did you mean "${found}"?`
}
