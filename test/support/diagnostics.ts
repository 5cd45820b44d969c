// The short form of a problem.
import type { Diagnostic } from '../../src/diagnostics.ts'

/** `posts/hello.md:4:7 unknown-category "enginering" is not a category. Did you mean "engineering"?` */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, code, message, hint } = diagnostic
  const place = `${file}:${line}:${column} ${code} ${message}`
  return hint === undefined ? place : `${place} ${hint}`
}
