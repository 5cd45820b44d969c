// Locates the problems of a body in its file.
import { type Diagnostic, sortDiagnostics } from '../diagnostics.ts'
import type { RenderJob } from './job.ts'
import type { Problem } from './problem.ts'

/** The longest line shown with a problem, in UTF-16 code units; longer lines are omitted. */
export const lineLengthMax = 4000

/**
 * Diagnostics of a job's file, sorted.
 *
 * Cost: O(body) for the first problem, then O(problems); nothing without problems.
 */
export function diagnose(job: RenderJob, problems: readonly Problem[]): readonly Diagnostic[] {
  if (problems.length === 0) return []
  // Line ends as in the parser (CommonMark 0.31.2 §2.1).
  const lines = job.body.split(/\r\n|\n|\r/)
  const diagnostics = problems.map((problem) => {
    const { file, bodyLine } = job
    const lineText = lines[problem.line - 1] ?? ''
    const placed: Diagnostic = { ...problem, file, line: bodyLine + problem.line - 1 }
    return lineText.length > lineLengthMax ? placed : { ...placed, lineText }
  })
  return sortDiagnostics(diagnostics)
}
