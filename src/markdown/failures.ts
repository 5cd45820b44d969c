// The errors of bodies that failed to render.
import { bodyStart, type Problem } from './problem.ts'

/** The error of a body whose rendering threw: a fault of the renderer, reported by its first line. */
export function failedProblem(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  const [line = ''] = message.split('\n', 1)
  return failure('render-failed', `The Markdown could not be rendered: ${line}`)
}

/** The error of a body that exceeded its time budget. */
export function timeoutProblem(secondsPerBody: number): Problem {
  const budget = `${secondsPerBody} ${secondsPerBody === 1 ? 'second' : 'seconds'}`
  return failure('render-timeout', `The Markdown was not rendered within ${budget}.`)
}

/** The error of a body that exceeded its memory budget. */
export function memoryProblem(heapLimitMb: number): Problem {
  return failure('render-out-of-memory', `Rendering the Markdown took more than ${heapLimitMb} MB.`)
}

function failure(code: Problem['code'], message: string): Problem {
  const hint =
    'Split the body, or look for thousands of brackets, asterisks or table cells in a row.'
  return { ...bodyStart, code, severity: 'error', message, hint }
}
