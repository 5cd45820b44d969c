// Converts HTML bodies to a single HTML block, so that no line is parsed as Markdown.

/** Returns HTML that Markdown parsers pass through: without blank lines, which would end the block. */
export function htmlToMarkdown(html: string): string {
  if (html.trim() === '') return ''
  // Empty comments, which are invisible, preserve line breaks inside `pre`.
  const lines = html.trim().split('\n')
  let depth = 0
  const kept = lines.flatMap((line) => {
    const isInside = depth > 0
    depth += (line.match(/<pre\b/gi)?.length ?? 0) - (line.match(/<\/pre>/gi)?.length ?? 0)
    if (line.trim() !== '') return [isInside ? line : line.trimStart()]
    return isInside ? ['<!-- -->'] : []
  })
  return `<div>\n${kept.join('\n')}\n</div>\n`
}
