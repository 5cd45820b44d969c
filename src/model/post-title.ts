// The title of a post that states none: its first heading, or else its name.

/**
 * Returns the text of the first level 1 heading in a Markdown body, if any.
 *
 * Skips fenced code. Keeps the text of links; removes emphasis and code marks.
 *
 * Cost: O(length).
 */
export function firstHeading(body: string): string | undefined {
  let previous = ''
  for (const line of linesOutsideFences(body)) {
    const title = plainTitle(headingAt(line, previous))
    if (title !== '') return title
    previous = line
  }
  return undefined
}

/** Yields lines, with each fenced block as an empty line. */
function* linesOutsideFences(body: string): Generator<string> {
  let fence: string | undefined
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isInside = fence !== undefined
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) === true) fence = undefined
    yield isInside || mark !== undefined ? '' : line
  }
}

/** Returns the heading in a line, or the one that it underlines; empty for none. */
function headingAt(line: string, previous: string): string {
  if (/^ {0,3}=+[ \t]*$/.test(line) && isText(previous)) return previous
  return /^ {0,3}#[ \t]+(.*)$/s.exec(line)?.[1] ?? ''
}

function isText(line: string): boolean {
  return /^ {0,3}[^\s>#*+=-]/.test(line)
}

function plainTitle(heading: string): string {
  return heading
    .slice(0, titleMax)
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|[*`])(?=\S)([^*_`]+)\1/g, '$2')
    .trim()
}

/** Maximum length of a title in UTF-16 code units; longer headings are ignored. */
const titleMax = 300
