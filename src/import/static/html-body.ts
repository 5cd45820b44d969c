// Bodies that are HTML already, made one block of HTML, so that no line of theirs is read as Markdown.

/** HTML that a Markdown reader passes through: without blank lines, which would end the block. */
export function htmlToMarkdown(html: string): string {
  if (html.trim() === '') return ''
  // A line break inside of `pre` is kept by an empty comment, which shows nothing.
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
