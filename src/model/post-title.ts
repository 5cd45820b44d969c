// The title of a post that states none: its first heading, or else its name.

/**
 * Returns the text of the first level 1 heading in a Markdown body, if any. Skips fenced code. Keeps the text of links;
 * removes emphasis and code marks.
 *
 * Cost: O(length).
 */
export function firstHeading(body: string): string | undefined {
  let previous = ''
  let fence: string | undefined
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isText = fence === undefined && mark === undefined
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) === true) fence = undefined
    const title = isText ? plainTitle(headingAt(line, previous)) : ''
    if (title !== '') return title
    previous = isText ? line : ''
  }
  return undefined
}

/** Returns the heading in a line, or the one that it underlines; empty for none. */
function headingAt(line: string, previous: string): string {
  if (/^ {0,3}=+[ \t]*$/.test(line) && /^ {0,3}[^\s>#*+=-]/.test(previous)) return previous
  return /^ {0,3}#[ \t]+(.*)$/s.exec(line)?.[1] ?? ''
}

/** Only of the first 300 UTF-16 code units. */
function plainTitle(heading: string): string {
  return heading
    .slice(0, 300)
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|[*`])(?=\S)([^*_`]+)\1/g, '$2')
    .trim()
}
