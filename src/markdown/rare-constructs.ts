// Which constructs of Markdown a body cannot have, by a look at its characters: two of GitHub's extensions are tried
// at nearly every word and every line, and take half of the parser's time where they never match.
// Knows nothing of trees.

/** Constructs by the names that their extensions give them, and whether a body may have one. */
const rareConstructs: Readonly<Record<string, (body: string) => boolean>> = {
  // Tried where a word begins.
  emailAutolink: (body) => /[\w.+-]@/.test(body),
  // Tried where a line of a paragraph begins.
  table: hasDelimiterRow,
}

/** The part of a syntax extension that is used (micromark). */
interface Extension {
  readonly [field: string]: unknown
}

interface Construct {
  readonly name?: string
}

/** Names of the rare constructs that a body cannot have. */
export function absentConstructs(body: string): readonly string[] {
  return Object.keys(rareConstructs).filter((name) => rareConstructs[name]?.(body) === false)
}

/** A syntax extension that never tries some of its constructs. */
export function withoutConstructs(extension: unknown, names: readonly string[]): Extension {
  const fields = Object.entries(extension as Extension).map(([field, value]) => [
    field,
    constructFields.has(field) ? recordWithout(value as ConstructRecord, names) : value,
  ])
  return Object.fromEntries(fields)
}

/** The fields that hold what is tried, by the character that it begins with. */
const constructFields: ReadonlySet<string> = new Set(['document', 'flow', 'text'])

type ConstructRecord = Readonly<Record<string, Construct | readonly Construct[]>>

function recordWithout(record: ConstructRecord, names: readonly string[]): ConstructRecord {
  const kept = Object.entries(record).map(([code, constructs]) => {
    const left = [constructs].flat().filter(({ name = '' }) => !names.includes(name))
    return [code, left] as const
  })
  return Object.fromEntries(kept.filter(([, constructs]) => constructs.length > 0))
}

/** Whether any line ends like the row under a table's head: in dashes, and a bar or a colon. */
function hasDelimiterRow(body: string): boolean {
  return body.split(/[\n\r]/).some(endsAsDelimiterRow)
}

function endsAsDelimiterRow(line: string): boolean {
  let start = line.length
  while (start > 0 && '-:| \t'.includes(line[start - 1] ?? '')) start -= 1
  const end = line.slice(start)
  return end.includes('-') && /[:|]/.test(end)
}
