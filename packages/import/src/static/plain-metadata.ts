// Metadata without fences: lines of Pelican (`Status: draft`) and of Nikola (`.. status: draft`).

/** Metadata at the start of a text. */
export interface PlainMetadata {
  /** Values by lower-case name. */
  readonly values: { readonly [key: string]: string }
  /** The number of lines up to the body. */
  readonly lines: number
}

const linesMax = 100

/** Reads metadata, also in an HTML comment; undefined for a text that begins otherwise. */
export function plainMetadata(text: string): PlainMetadata | undefined {
  const lines = text.split('\n', linesMax)
  const first = lines.findIndex((line) => !/^\s*(?:<!--\s*)?$/.test(line))
  const count = lines.slice(first).findIndex((line) => !metadata.test(line))
  const at = count === -1 ? lines.length : first + count
  const values: Record<string, string> = {}
  let last = 'title'
  for (const line of lines.slice(Math.max(0, first), at)) {
    const [, , name, value = ''] = metadata.exec(line) ?? []
    last = name?.toLowerCase() ?? last
    values[last] = name === undefined ? `${values[last] ?? ''} ${line.trim()}` : value.trim()
  }
  const isMetadata = ['title', 'date', 'status'].some((key) => values[key] !== undefined)
  if (!isMetadata || !/^\s*(?:-->\s*)?$/.test(lines[at] ?? '')) return undefined
  // Nikola before version 8 has tags for these states.
  const states = (values['tags'] ?? '').split(',').map((tag) => tag.trim())
  const state = states.find((tag) => /^(?:draft|private)$/.test(tag))
  if (lines[first]?.startsWith('.. ') && state !== undefined) values['status'] ??= state
  return { values, lines: Math.min(at + 1, lines.length) }
}

/** `Name: value`, `.. name: value`, and the indented continuation of a value. */
const metadata = /^(?:(\.\. )?([A-Za-z][\w-]{0,40})[ \t]?:(?:[ \t](.*))?|(?: {4}|\t)\s*\S.*)$/
