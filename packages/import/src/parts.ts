// Replaces parts of texts in linear time, where a regular expression would search from every start to the end.

/** A part between two marks. */
export interface Part {
  readonly open: RegExpExecArray
  /** The text between the marks. */
  readonly inner: string
  readonly start: number
  readonly end: number
}

/**
 * Replaces every part that begins with a match of `open` and ends with the nearest match of `closeOf`, a source of a
 * regular expression without case. Parts without an end stay.
 *
 * Cost: O(length) for each distinct end.
 */
export function replaceParts(
  text: string,
  open: RegExp,
  closeOf: (open: RegExpExecArray) => string,
  replace: (part: Part) => string,
): string {
  const unclosed = new Set<string>()
  let result = ''
  let done = 0
  for (const match of text.matchAll(open)) {
    const source = closeOf(match)
    if (match.index < done || unclosed.has(source)) continue
    const inner = match.index + match[0].length
    // regex: the source of a constant of this package, which is checked where it is written
    const close = new RegExp(source, 'gi')
    close.lastIndex = inner
    const closing = close.exec(text)
    if (closing === null) {
      unclosed.add(source)
      continue
    }
    const end = closing.index + closing[0].length
    const part = { open: match, inner: text.slice(inner, closing.index), start: match.index, end }
    result += text.slice(done, match.index) + replace(part)
    done = end
  }
  return result + text.slice(done)
}

/** A text without the characters at its end. Cost: O(length); `/[…]+$/` is quadratic. */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
