// Which constructs of Markdown a body cannot have, by a look at its characters: addresses of mail are tried at nearly
// every word, tables at every line, and take half of the parser's time where they never match.
// Knows nothing of trees.
import type { Construct, TableLines } from './table-lines.ts'

/** The part of a syntax extension that is used (micromark). */
interface Extension {
  readonly [field: string]: unknown
}

type ConstructRecord = Readonly<Record<string, Construct | readonly Construct[]>>

/** The fields that hold what is tried, by the character that it begins with. */
const constructFields: ReadonlySet<string> = new Set(['document', 'flow', 'text'])

/** Whether a body may have an address of mail that is a link without any markup. */
export function mayHaveMail(body: string): boolean {
  return /[\w.+-]@/.test(body)
}

/** A syntax extension without addresses of mail. */
export function withoutMail(extension: unknown): Extension {
  return mapConstructs(extension, (construct) =>
    construct.name === 'emailAutolink' ? [] : [construct],
  )
}

/** A syntax extension that tries tables only on some lines. */
export function withTables(extension: unknown, lines: TableLines): Extension {
  return mapConstructs(extension, (construct) =>
    construct.name === 'table' ? [lines.sparing(construct)] : [construct],
  )
}

function mapConstructs(
  extension: unknown,
  map: (construct: Construct) => readonly Construct[],
): Extension {
  const fields = Object.entries(extension as Extension).map(([field, value]) => [
    field,
    constructFields.has(field) ? mapRecord(value as ConstructRecord, map) : value,
  ])
  return Object.fromEntries(fields)
}

function mapRecord(
  record: ConstructRecord,
  map: (construct: Construct) => readonly Construct[],
): ConstructRecord {
  const mapped = Object.entries(record).map(
    ([code, constructs]) => [code, [constructs].flat().flatMap(map)] as const,
  )
  return Object.fromEntries(mapped.filter(([, constructs]) => constructs.length > 0))
}
