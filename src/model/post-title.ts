// The title of a post that states none: its first heading, else its name.

/**
 * The text of the first heading of level 1 in a Markdown body; undefined where there is none.
 *
 * Code between fences is passed over. Links keep their text; marks of emphasis and code go.
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

/** A fence and what it holds are an empty line. */
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

/** The heading that a line is, or makes of the line before it; empty for none. */
function headingAt(line: string, previous: string): string {
  if (/^ {0,3}=+[ \t]*$/.test(line) && isText(previous)) return previous
  return /^ {0,3}#[ \t]+(.*)$/.exec(line)?.[1] ?? ''
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

/** Longer headings are no titles, in UTF-16 code units. */
const titleMax = 300
