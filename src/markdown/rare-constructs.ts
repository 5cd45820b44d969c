// Skips Markdown constructs that a body cannot contain. remark-parse tries mail addresses at nearly every word and
// tables at every line, and walks the tree four times for literal links. That is half of the parser's time on prose.
import type { Nodes, Root } from 'mdast'

/** The members of a syntax extension in use (micromark). */
interface Extension {
  readonly [field: string]: unknown
}

type ConstructRecord = Readonly<Record<string, Construct | readonly Construct[]>>

/** The fields that map a first character to the constructs to try. */
const constructFields: ReadonlySet<string> = new Set(['document', 'flow', 'text'])

/** True when a body may contain a mail address that is a link without markup. */
export function mayHaveMail(body: string): boolean {
  return /[\w.+-]@/.test(body)
}

/** A syntax extension without mail addresses. */
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

/** The members of a construct in use (micromark). */
export interface Construct {
  readonly name?: string
  readonly tokenize: Tokenize
}

type Tokenize = (this: Tokenizer, effects: unknown, ok: unknown, nok: unknown) => unknown

interface Tokenizer {
  now(): { readonly line: number }
}

/** The possible table lines of the body that is being parsed. */
export class TableLines {
  #lines: ReadonlySet<number> = new Set()

  /** Scans a body before it is parsed. */
  look(body: string): void {
    this.#lines = tableLines(body)
  }

  /** Restricts a construct to the lines of possible tables. */
  sparing({ tokenize, ...construct }: Construct): Construct {
    const mayBeAt = (line: number) => this.#lines.has(line)
    return {
      ...construct,
      tokenize(effects, ok, nok) {
        return mayBeAt(this.now().line) ? tokenize.call(this, effects, ok, nok) : nok
      },
    }
  }
}

/**
 * Lines that may be rows of a table, from 1: from the line before a possible delimiter row to the next empty line. A
 * line of white space does not always end a table.
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

/** Not a regular expression: one that looks for the end of a line would try every dash. */
function endsAsDelimiterRow(line: string): boolean {
  let start = line.length
  while (start > 0 && '-:| \t'.includes(line[start - 1] ?? '')) start -= 1
  const end = line.slice(start)
  return end.includes('-') && /[:|]/.test(end)
}

/** The members of a tree extension in use (mdast-util-from-markdown); extensions come in nested lists. */
interface TreeExtension {
  readonly transforms?: readonly Transform[]
  readonly enter?: Readonly<Record<string, unknown>>
}

type Transform = (tree: Root) => unknown

/** Returns the extensions such that the one for literal links skips trees without any. */
export function sparingLiteralLinks(extensions: unknown): unknown {
  if (Array.isArray(extensions)) return extensions.map(sparingLiteralLinks)
  const extension = extensions as TreeExtension
  const { transforms, enter } = extension
  if (transforms === undefined || enter?.['literalAutolink'] === undefined) return extensions
  return { ...extension, transforms: transforms.map(spared) }
}

function spared(transform: Transform): Transform {
  return (tree) => (mayHaveLiteralLink(tree) ? transform(tree) : undefined)
}

/** True when text outside of links contains `@`, `://` or `www.`. */
export function mayHaveLiteralLink(tree: Root): boolean {
  // Without recursion: a tree may be deeper than the stack.
  const waiting: Nodes[] = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'text' && /@|:\/\/|www\./i.test(node.value)) return true
    if ('children' in node && !linkTypes.has(node.type)) waiting.push(...node.children)
  }
  return false
}

const linkTypes: ReadonlySet<string> = new Set(['link', 'linkReference'])
