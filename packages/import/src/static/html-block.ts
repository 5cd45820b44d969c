// Posts in HTML become one block of HTML, so that no line is parsed as Markdown.

/** Returns HTML that Markdown parsers pass through: without blank lines, which would end the block. */
export function htmlBlock(html: string): string {
  if (html.trim() === '') return ''
  let depth = 0
  const kept = html
    .trim()
    .split('\n')
    .flatMap((line) => {
      const isInside = depth > 0
      depth += (line.match(/<pre\b/gi)?.length ?? 0) - (line.match(/<\/pre>/gi)?.length ?? 0)
      if (line.trim() !== '') return [isInside ? line : line.trimStart()]
      // Empty comments, which are invisible, preserve line breaks inside `pre`.
      return isInside ? ['<!-- -->'] : []
    })
  return `<div>\n${kept.join('\n')}\n</div>\n`
}
