// The bare library, as one would use it at first, and hostile bodies to feed it with.
// Knows nothing of quarry.
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

/** Rendered with every default. */
export function bareHtml(body: string): string {
  return String(unified().use(remarkParse).use(remarkGfm).use(remarkHtml).processSync(body))
}

/** A table that is as many cells wide as it has rows, each row but the first with one cell written. */
export function wideTable(size: number): string {
  const row = (cell: string) => `|${`${cell}|`.repeat(size)}\n`
  return row('a') + row('-') + 'a\n'.repeat(size)
}

/** Strong text in strong text, `levels` deep. */
export function nestedStrong(levels: number): string {
  return `${'**'.repeat(levels)}a${'**'.repeat(levels)}`
}
