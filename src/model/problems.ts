// Collects what is wrong with the content while its meaning is made out.
// Knows places and nearest names, nothing of what is checked.
import { nearest } from '../content/nearest.ts'
import {
  type Diagnostic,
  type DiagnosticCode,
  type Position,
  type Severity,
  shownOfCodeMax,
} from '../diagnostics.ts'

/** A file that problems are reported in. */
export interface Source {
  readonly file: string
  /** The whole text, for the line that a problem is on. */
  readonly text: string
}

/** One problem, its place still apart. */
export interface Problem {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string | undefined
  /** Looks for the name that was meant, which is a better hint. */
  readonly near?: (() => string | undefined) | undefined
  readonly severity?: Severity
}

/** The hints of problems: names that were meant are looked for in no more problems of one code than are printed. */
export class Hints {
  readonly #looked = new Map<DiagnosticCode, number>()

  /** @param problem those that are printed first come first */
  of({ code, hint, near }: Problem): string | undefined {
    const looked = this.#looked.get(code) ?? 0
    if (near === undefined || looked >= shownOfCodeMax) return hint
    this.#looked.set(code, looked + 1)
    const found = near()
    return found === undefined ? hint : `Did you mean "${found}"?`
  }
}

/** A growing list of diagnostics. */
export class Problems {
  readonly diagnostics: Diagnostic[] = []
  readonly #hints = new Hints()
  #latest: { readonly text: string; readonly lines: readonly string[] } = { text: '', lines: [] }

  /** @param problem an error unless it says otherwise */
  report(source: Source, at: Position, problem: Problem): void {
    const { code, message, severity = 'error' } = problem
    const hint = this.#hints.of(problem)
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
    // One by one: an array of a hundred thousand cannot be spread.
    for (const diagnostic of diagnostics) this.diagnostics.push(diagnostic)
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
