// Problems of a body. They have offsets in the body until they are located in its file.
import type { Nodes } from 'mdast'
import { type Finding, diagnose as placed } from '../content/source.ts'
import { type Diagnostic, type DiagnosticCode, sortDiagnostics } from '../diagnostics.ts'

/** A body and its place in the content. */
export interface PlacedText {
  /** Path relative to the content folder, with `/`. */
  readonly file: string
  /** Markdown without front matter. */
  readonly body: string
  /** The first line of `body` in the file, from 1. */
  readonly bodyLine: number
}

/** Returns the offsets of the start and the end of a node in its body; 0 for a node without a position. */
export function rangeOf({
  position,
}: Pick<Nodes, 'position'>): readonly [start: number, end: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0]
}

/** Returns a warning at an offset. */
export function warning(
  code: DiagnosticCode,
  offset: number,
  message: string,
  hint: string,
): Finding {
  return { offset, code, severity: 'warning', message, hint }
}

/** Returns an error of a whole body. */
export function failure(code: DiagnosticCode, message: string, hint: string): Finding {
  return { offset: 0, code, severity: 'error', message, hint }
}

/**
 * Returns the diagnostics of a body in its file, sorted. The text of a long line is only in the first of its problems,
 * because each copy is sent between threads and stored in the cache.
 */
export function diagnose(
  { file, body, bodyLine }: PlacedText,
  problems: readonly Finding[],
): readonly Diagnostic[] {
  return sortDiagnostics(placed(file, body, problems)).map((one, index, all) => {
    const { lineText = '', ...rest } = one
    const isShown = lineText.length <= 1000 || one.line !== all[index - 1]?.line
    return { ...(isShown ? one : rest), line: one.line + bodyLine - 1 }
  })
}

/** Returns the error of a body whose rendering threw, with the first line of the renderer's message. */
export function renderProblem(error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error)
  const [line = ''] = message.split('\n', 1)
  return failure('render-failed', `The Markdown could not be rendered: ${line}`, hint)
}

/** Returns the error of a body that exceeded its time budget. */
export function timeoutProblem(seconds: number): Finding {
  const budget = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return failure('render-timeout', `The Markdown was not rendered within ${budget}.`, hint)
}

/** Returns the error of a body that exceeded its memory budget. */
export function memoryProblem(heapLimitMb: number): Finding {
  const message = `Rendering the Markdown took more than ${heapLimitMb} MB.`
  return failure('render-out-of-memory', message, hint)
}

const hint = 'Split the body, or look for thousands of brackets, asterisks or table cells in a row.'
