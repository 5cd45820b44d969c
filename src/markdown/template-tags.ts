// Warnings about template tags, which are not evaluated here: readers see them as text.
import type { Nodes, Root, Text } from 'mdast'
import { type Problem, placeOf } from './problem.ts'

/**
 * One warning per template language in a body, located at the first tag. Tags in code and escaped tags are intended.
 *
 * Cost: a search for two characters without tags, else O(body).
 */
export function templateTagProblems(tree: Root, body: string): readonly Problem[] {
  if (!body.includes('{{') && !body.includes('{%')) return []
  const found = new Map<Language, ProblemPlace>()
  for (const node of textsOf(tree)) {
    const source = body.slice(node.position?.start.offset, node.position?.end.offset)
    for (const { index, 1: opening = '' } of source.matchAll(tag)) {
      // The text of `{{<figure>}}` ends before the angle bracket, as the rest is raw HTML.
      const isShortcode = opening.length > 2 || index + opening.length === source.length
      const language = isShortcode ? 'Shortcode' : 'Liquid tag'
      if (!found.has(language)) found.set(language, placeIn(node, source, index))
    }
  }
  return [...found].map(([language, { line, column }]) => ({
    line,
    column,
    code: 'template-tag',
    severity: 'warning',
    // The same in every file, so that reports can count files.
    message: `${language}s are shown as text.`,
    hint: 'Write them in Markdown, or put a backslash before each where the text is meant.',
  }))
}

type Language = 'Liquid tag' | 'Shortcode'

type ProblemPlace = Pick<Problem, 'line' | 'column'>

const tag = /(?<![\\{\w}^])(\{%(?=-?\s*\w)|\{\{[<%]|\{\{(?=-?\s*[\w"'][^{}]*\}\})|\{\{$)/gu

/** Text nodes in document order, without code. */
function* textsOf(tree: Root): Generator<Text> {
  const stack: Nodes[] = [tree]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'text') yield node
    if (!('children' in node)) continue
    // One by one: a call cannot take 100,000 arguments.
    for (const child of node.children.toReversed()) stack.push(child)
  }
}

function placeIn(node: Text, source: string, at: number): Pick<Problem, 'line' | 'column'> {
  const { line, column } = placeOf(node)
  const before = source.slice(0, at).split('\n')
  const last = before.at(-1) ?? ''
  return before.length === 1
    ? { line, column: column + at }
    : { line: line + before.length - 1, column: last.length + 1 }
}
