// Collects the problems of the content.
import { nearest } from '../content/nearest.ts'
import {
  type Diagnostic,
  type DiagnosticCode,
  type Position,
  type Severity,
  shownOfCodeMax,
} from '../diagnostics.ts'

/** A file with problems. */
export interface Source {
  readonly file: string
  /** The whole text, for the source line of a problem. */
  readonly text: string
}

/** A problem without its location. */
export interface Problem {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint?: string | undefined
  /** Finds the name that was probably meant, for a better hint. */
  readonly near?: (() => string | undefined) | undefined
  readonly severity?: Severity
}

/** Hints of problems. Similar names are searched only for as many problems per code as are printed. */
export class Hints {
  readonly #looked = new Map<DiagnosticCode, number>()

  /** @param problem in print order */
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

  /** @param problem an error unless it states another severity */
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

  /** Adds diagnostics from elsewhere. */
  add(diagnostics: readonly Diagnostic[]): void {
    // A loop: an array of a hundred thousand items cannot be spread.
    for (const diagnostic of diagnostics) this.diagnostics.push(diagnostic)
  }

  /** Caches the lines of the latest file, as the problems of a file come in sequence. */
  #lineOf({ text }: Source, line: number): string | undefined {
    if (this.#latest.text !== text) this.#latest = { text, lines: text.split('\n') }
    const found = this.#latest.lines[line - 1]
    return found === undefined || found.length > shownLineMax ? undefined : found
  }
}

/** Maximum length of a shown line in UTF-16 code units. */
const shownLineMax = 500

/** `Did you mean "engineering"?`, if a known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const found = nearest(name, known)
  return found === undefined ? undefined : `Did you mean "${found}"?`
}

/** `acme/tags/hello.md` → `hello`. */
export function fileNameOf(file: string): string {
  return withoutExtension(file.slice(file.lastIndexOf('/') + 1))
}

/** `acme/posts/2024/hello.md` and `acme/posts/2024/hello/index.md` → `hello`. @param folders of posts */
export function pageNameOf(file: string, folders: readonly string[]): string {
  const path = pathBelowKind(file, folders).replace(/\/index$/u, '')
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `acme/posts/2024/hello.md` → `2024/hello`. @param folders of posts */
export function pathBelowKind(file: string, folders: readonly string[]): string {
  const folder = folders.find((path) => file.startsWith(`${path}/`))
  return withoutExtension(file.slice(folder === undefined ? 0 : folder.length + 1))
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown|mdx|ya?ml|json)$/u, '')
}
