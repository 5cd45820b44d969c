// Collects the problems of the content.
import { nearest } from '../content/nearest.ts'
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticAt,
  type Position,
  type Problem,
  shownOfCodeMax,
} from '../diagnostics.ts'

/** A growing list of diagnostics. */
export class Problems {
  readonly diagnostics: Diagnostic[] = []
  /** Number of errors. */
  errors = 0
  readonly #looked = new Map<DiagnosticCode, number>()
  #latest: { readonly text: string; readonly lines: readonly string[] } = { text: '', lines: [''] }

  /** @param text of the whole file, for the line of the problem */
  report(file: string, text: string, at: Position, problem: Problem): void {
    // The problems of a file come in sequence.
    if (this.#latest.text !== text) this.#latest = { text, lines: text.split('\n') }
    this.reportLine(file, at, problem, this.#latest.lines[at.line - 1])
  }

  /** Reports a problem in a known line. Similar names are searched only for as many problems as are printed. */
  reportLine(file: string, at: Position, problem: Problem, lineText: string | undefined): void {
    const { code, near } = problem
    const looked = this.#looked.get(code) ?? 0
    let { hint } = problem
    if (near !== undefined && looked < shownOfCodeMax) {
      this.#looked.set(code, looked + 1)
      const found = near()
      if (found !== undefined) hint = `Did you mean "${found}"?`
    }
    if (problem.severity !== 'warning') this.errors++
    this.diagnostics.push(diagnosticAt(file, at, { ...problem, hint }, lineText))
  }
}

/** `Did you mean "engineering"?`, if a known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const found = nearest(name, known)
  return found === undefined ? undefined : `Did you mean "${found}"?`
}

/** `acme/tags/hello.md` → `hello`. */
export function fileNameOf(file: string): string {
  return withoutExtension(file.slice(file.lastIndexOf('/') + 1))
}

/** `acme/posts/2024/hello.md` → `2024/hello`. @param folders of posts */
export function pathBelowKind(file: string, folders: readonly string[]): string {
  const folder = folders.find((path) => file.startsWith(`${path}/`))
  return withoutExtension(file.slice(folder === undefined ? 0 : folder.length + 1))
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown|mdx|ya?ml|json)$/u, '')
}
