// One Markdown body rendered: its HTML, its visible text, and what is wrong with it. Never throws for content.
// Knows nothing of files, bytes or threads.
import { anchorProblems } from './anchors.ts'
import { markFileTargets } from './destinations.ts'
import type { FileTargets } from './file-targets.ts'
import { bodyStart, type Problem, placeOf } from './problem.ts'
import { htmlOf, parseMarkdown } from './processor.ts'
import { rawHtmlProblems } from './raw-html.ts'
import { expandedBytes, htmlBytesMax } from './size.ts'
import { depthMax, surveyTree } from './survey.ts'
import { urlProblems } from './urls.ts'
import { visibleText } from './visible-text.ts'

/** A body rendered. `html` and `text` are empty when one of the problems is an error. */
export interface Rendered {
  /** Sanitised and well-formed. */
  readonly html: string
  /** What a reader of the HTML sees: see `visibleText`. */
  readonly text: string
  /** Destinations that may mean files, which are marked in the HTML; null for none. */
  readonly files: FileTargets | null
  /** In the order of their kinds. */
  readonly problems: readonly Problem[]
}

/**
 * Renders a body.
 *
 * @param body Markdown without front matter
 * @returns with the errors `too-deep` and `html-too-large`, and the warnings `raw-html`, `unsafe-url` and
 *   `broken-anchor`
 *
 * Cost: about 0.25 ms a kB of prose, more where it has addresses of mail, most of it the parser; without bound for hostile input.
 */
export function renderMarkdown(body: string): Rendered {
  try {
    return render(body)
  } catch (error) {
    // The parser and the serialiser recurse; V8 tells a full stack by no other sign.
    if (error instanceof RangeError) return failed(overflow)
    throw error
  }
}

function render(body: string): Rendered {
  const tree = parseMarkdown(body)
  const survey = surveyTree(tree)
  if (survey.tooDeep !== null) return failed({ ...tooDeep, ...placeOf(survey.tooDeep) })
  const bytesMax = htmlBytesMax(Buffer.byteLength(body))
  if (expandedBytes(survey) > bytesMax) return failed(tooLarge(bytesMax))
  const files = markFileTargets(survey, body)
  const html = htmlOf(tree)
  if (Buffer.byteLength(html) > bytesMax) return failed(tooLarge(bytesMax))
  const problems = [
    ...rawHtmlProblems(survey),
    ...urlProblems(survey),
    ...anchorProblems(survey, html),
  ]
  return { html, text: visibleText(html), files, problems }
}

function failed(problem: Problem): Rendered {
  return { html: '', text: '', files: null, problems: [problem] }
}

const tooDeep: Problem = {
  ...bodyStart,
  code: 'too-deep',
  severity: 'error',
  message: `The Markdown is nested more than ${depthMax} levels deep.`,
  hint: 'Take out levels of quotes, lists, links or emphasis.',
}

const overflow: Problem = {
  ...tooDeep,
  message:
    'The Markdown is nested too deeply, or runs on too long without a break, to be rendered.',
}

function tooLarge(bytesMax: number): Problem {
  return {
    ...bodyStart,
    code: 'html-too-large',
    severity: 'error',
    message: `The HTML of this body is larger than ${bytesMax} bytes.`,
    hint: 'Look for a table with rows of many empty cells, or for a link that is referred to many times.',
  }
}
