// Raw HTML in Markdown, and warnings where a site omits it.
import type { Html } from 'mdast'
import { quote } from '../diagnostics.ts'
import { limitProblems, type Problem, placeOf } from './problem.ts'
import type { Survey } from './survey.ts'

/** Raw HTML with a visible effect: closed comments are excluded. In no order. */
export function visibleParts({ htmlBlocks, htmlTags }: Survey): readonly Html[] {
  return [...htmlBlocks, ...htmlTags].filter((node) => !isComment(node.value))
}

/**
 * One warning per raw HTML block, and one for all inline tags, located at the first.
 *
 * Closed comments lose nothing and cause no warning.
 */
export function omittedHtmlProblems({ htmlBlocks, htmlTags }: Survey): readonly Problem[] {
  const blocks = htmlBlocks.filter((node) => !isComment(node.value)).map(blockProblem)
  const tags = htmlTags.filter((node) => !isComment(node.value))
  const [first] = tags
  const inline = first === undefined ? [] : [tagProblem(first, tags.length)]
  return [...limitProblems(blocks), ...inline]
}

function blockProblem(node: Html): Problem {
  const [line = ''] = node.value.split('\n', 1)
  return {
    ...placeOf(node),
    code: 'raw-html',
    severity: 'warning',
    message: `The HTML block ${quote(line.trim())} is left out, with the text in it.`,
    hint: 'Write it in Markdown; a block of HTML ends at the next blank line.',
  }
}

function tagProblem(node: Html, count: number): Problem {
  const tag = quote(node.value)
  const what = count === 1 ? `The HTML tag ${tag} is` : `${count} HTML tags, the first ${tag}, are`
  return {
    ...placeOf(node),
    code: 'raw-html',
    severity: 'warning',
    message: `${what} left out; the text around is kept.`,
    hint: 'Use Markdown, or write "&lt;" where a "<" is meant.',
  }
}

function isComment(html: string): boolean {
  // `<!-->` and `<!--->` are whole comments (CommonMark 0.31.2 §6.6).
  return isComments(html, '<!--', '-->')
}

/** True when a text consists of closed comments and white space. A comment closes from its third character on. */
export function isComments(text: string, open: string, close: string): boolean {
  let rest = text.trim()
  while (rest.startsWith(open)) {
    const end = rest.indexOf(close, 2)
    if (end === -1) return false
    rest = rest.slice(end + close.length).trimStart()
  }
  return rest === ''
}
