// Warnings about template tags, which are not evaluated here: readers see them as text.
import type { Text } from 'mdast'
import type { Position } from '../diagnostics.ts'
import { type Problem, placeOf } from './problem.ts'

/**
 * One warning per template language in a body, located at the first tag. Tags in code and escaped tags are intended.
 *
 * @param texts the text nodes of the body, in document order
 *
 * Cost: a search for two characters without tags, else O(body).
 */
export function templateTagProblems(texts: readonly Text[], body: string): readonly Problem[] {
  if (!body.includes('{{') && !body.includes('{%')) return []
  const found = new Map<'Liquid tag' | 'Shortcode', Position>()
  for (const node of texts) {
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
    hint: 'Write them in Markdown, or put a backslash before each one to show it as text.',
  }))
}

const tag = /(?<![\\{\w}^])(\{%(?=-?\s*\w)|\{\{[<%]|\{\{(?=-?\s*[\w"'][^{}]*\}\})|\{\{$)/gu

function placeIn(node: Text, source: string, at: number): Position {
  const { line, column } = placeOf(node)
  const before = source.slice(0, at).split('\n')
  const last = before.at(-1) ?? ''
  return before.length === 1
    ? { line, column: column + at }
    : { line: line + before.length - 1, column: last.length + 1 }
}
