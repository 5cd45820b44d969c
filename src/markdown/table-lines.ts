// On which lines of a body a table may stand, by a look at the ends of its lines: GitHub's extension tries one at every
// line of every paragraph, which costs as much as all the rest of a line.
// Knows nothing of trees, nor of what a table is but for the row under its head.

/** The part of a construct that is used (micromark). */
export interface Construct {
  readonly name?: string
  readonly tokenize: Tokenize
}

type Tokenize = (this: Tokenizer, effects: unknown, ok: unknown, nok: unknown) => unknown

interface Tokenizer {
  now(): { readonly line: number }
}

/** The lines of one body at a time, the one that is parsed. */
export class TableLines {
  #lines: ReadonlySet<number> = new Set()

  /** Looks at a body, before it is parsed. */
  look(body: string): void {
    this.#lines = tableLines(body)
  }

  /** The same construct, tried only where a table may stand. */
  sparing({ tokenize, ...construct }: Construct): Construct {
    const mayStandAt = (line: number) => this.#lines.has(line)
    return {
      ...construct,
      tokenize(effects, ok, nok) {
        return mayStandAt(this.now().line) ? tokenize.call(this, effects, ok, nok) : nok
      },
    }
  }
}

/**
 * Lines that may be rows of a table, from 1: from the one before a row that may stand under a table's head up to the next
 * empty line. One of blanks alone does not always end a table.
 */
export function tableLines(body: string): ReadonlySet<number> {
  const found = new Set<number>()
  let isTable = false
  for (const [index, text] of body.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1
    if (endsAsDelimiterRow(text)) {
      isTable = true
      found.add(line - 1)
    }
    if (isTable) found.add(line)
    if (text === '') isTable = false
  }
  return found
}

/** Not by an expression: one that looks for the end of a line tries every dash of it. */
function endsAsDelimiterRow(line: string): boolean {
  let start = line.length
  while (start > 0 && '-:| \t'.includes(line[start - 1] ?? '')) start -= 1
  const end = line.slice(start)
  return end.includes('-') && /[:|]/.test(end)
}
