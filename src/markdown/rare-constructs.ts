// Constructs of Markdown that a body cannot have are not tried: mail addresses cost remark-parse a try at nearly every
// word, tables one at every line, literal links four walks over the tree. That is half of the parser's time on prose.
import type { Nodes, Root } from 'mdast'

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
 * Lines that may be rows of a table, from 1: from the one before a row that may be under a table's head up to the next
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

/** The part of a tree extension that is used (mdast-util-from-markdown); they come in nested lists. */
interface TreeExtension {
  readonly transforms?: readonly Transform[]
  readonly enter?: Readonly<Record<string, unknown>>
}

type Transform = (tree: Root) => unknown

/** The same extensions; the one for literal links leaves trees alone in which it would find nothing. */
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

/** Whether there is an `@`, a `://` or a `www.` in the text outside of links. */
export function mayHaveLiteralLink(tree: Root): boolean {
  // Not by recursion: a tree may be deeper than the stack.
  const waiting: Nodes[] = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'text' && /@|:\/\/|www\./i.test(node.value)) return true
    if ('children' in node && !linkTypes.has(node.type)) waiting.push(...node.children)
  }
  return false
}

const linkTypes: ReadonlySet<string> = new Set(['link', 'linkReference'])
