// Removes the indentation of MDX, which Markdown would parse as code.

/**
 * Surrounds lines that contain only a tag by blank lines, so that Markdown between them is parsed. Removes the
 * indentation of lines inside elements, except in lists.
 */
export function flattenElements(body: string): string {
  const state: State = { depth: 0, isInList: false, fence: undefined }
  return body
    .split('\n')
    .flatMap((line) => flattenLine(line, state))
    .join('\n')
}

interface State {
  /** The number of open elements. */
  depth: number
  isInList: boolean
  fence: { readonly sign: string; readonly indent: number } | undefined
}

const block =
  'div|section|article|figure|figcaption|center|details|summary|aside|header|footer|main|nav|blockquote|p'
// regex: a list of element names; `[^<>]` ends at the bracket
const openLine = new RegExp(`^\\s*<(${block})(?:\\s[^<>]*)?>\\s*$`, 'i')
// regex: a list of element names
const closeLine = new RegExp(`^\\s*</(${block})>\\s*$`, 'i')

function flattenLine(line: string, state: State): readonly string[] {
  if (state.fence !== undefined) return [inFence(line, state, state.fence)]
  const [, indent = '', sign] = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
  noteList(line, state)
  if (sign !== undefined) {
    const cut = state.depth > 0 && !state.isInList ? indent.length : 0
    state.fence = { sign, indent: cut }
    return [line.slice(cut)]
  }
  if (state.isInList) return [line]
  if (openLine.test(line)) {
    state.depth++
    return ['', line.trim(), '']
  }
  if (closeLine.test(line)) {
    state.depth = Math.max(0, state.depth - 1)
    return ['', line.trim(), '']
  }
  return [/^\s{4,}\S/.test(line) || state.depth > 0 ? line.trimStart() : line]
}

function inFence(
  line: string,
  state: State,
  { sign, indent }: NonNullable<State['fence']>,
): string {
  const [, found = ''] = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  if (found[0] === sign[0] && found.length >= sign.length) state.fence = undefined
  const blanks = /^[ \t]*/.exec(line)?.[0].length ?? 0
  return line.slice(Math.min(indent, blanks))
}

function noteList(line: string, state: State): void {
  if (/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line) && state.depth === 0) state.isInList = true
  else if (/^\S/.test(line)) state.isInList = false
}
