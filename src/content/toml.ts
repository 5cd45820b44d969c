// Parses TOML as data only, into the same values as YAML, with their positions in the file.
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import type { Position, Problem } from '../diagnostics.ts'
import type { Read, YamlEntry, YamlValue } from './raw.ts'
import { diagnose, type Finding } from './source.ts'
import { checkKey, maxDepth, positions, tooDeep, type YamlPlace } from './yaml.ts'

/**
 * Parses a TOML document, and reports its problems.
 *
 * Text is the content of its quotes. Dates are in ISO 8601 format. Numbers and booleans are as typed, without `_`. A
 * syntax error, or more than 20 levels, leaves no value. Keys such as `__proto__` are errors, and left out.
 *
 * Cost: O(length); 0.2 s for 64 KiB of nothing but brackets.
 */
export function parseToml(text: string, { file, firstLine }: YamlPlace): Read<YamlValue> {
  const placed = (finding: Finding) => diagnose(file, text, finding, firstLine)
  const reader = new TomlReader(positions(text, firstLine))
  try {
    const value = reader.read(parseTOML(text).body[0])
    return { value, diagnostics: reader.findings.map(placed) }
  } catch (error) {
    if (error instanceof TooDeep) return { diagnostics: [placed({ ...tooDeep, offset: error.at })] }
    // The parser recurses; no real file nests so deeply.
    if (error instanceof RangeError) return { diagnostics: [placed({ ...tooDeep, offset: 0 })] }
    if (!(error instanceof ParseError)) throw error
    return { diagnostics: [placed({ ...syntaxProblem(error.message), offset: error.index })] }
  }
}

// Parser messages with a clearer replacement.
const sentences: ReadonlyMap<string, readonly [message: string, hint: string]> = new Map([
  ['Unexpected character', ['This is not allowed here.', 'Write `key = "value"`, text in quotes.']],
  ['Unspecified values are invalid', ['A value is missing here.', 'Write `key = "value"`.']],
  ['Defining a key multiple times is invalid', ['This key is defined already.', 'Remove it.']],
  ['Unterminated string constant', ['The closing quote is missing.', 'Close it.']],
  ['Expected equal (=) token', ['"=" and a value are missing here.', 'Write `key = "value"`.']],
  ['Must be a newline', ['Text follows the end of a value.', 'Begin a new line.']],
])

function syntaxProblem(given: string): Problem {
  const [message, hint] = sentences.get(given) ?? [
    `${given.replace(/\.$/u, '')}.`,
    'Write `key = "value"`: text in quotes, dates and numbers without.',
  ]
  return { code: 'toml-syntax', message, hint }
}

class TooDeep extends Error {
  /** Offset. */
  readonly at: number

  constructor(at: number) {
    super()
    this.at = at
  }
}

/** Values while they are read: tables and lists of tables grow. */
type Growing =
  | { readonly kind: 'map'; readonly entries: Map<string, YamlEntry>; readonly at: Position }
  | { readonly kind: 'list'; readonly items: YamlValue[]; readonly at: Position }

class TomlReader {
  /** Grows. */
  readonly findings: Finding[] = []
  readonly #at: (offset: number) => Position

  constructor(positionOf: (offset: number) => Position) {
    this.#at = positionOf
  }

  read(table: AST.TOMLTopLevelTable): YamlValue {
    const root = this.#map(table)
    for (const node of table.body) {
      if (node.type === 'TOMLKeyValue') this.#set(root, node, 1)
      else this.#fill(this.#tableOf(root, node), node.body, node.resolvedKey.length)
    }
    return root
  }

  #fill(map: Growing, body: readonly AST.TOMLKeyValue[], depth: number): void {
    for (const entry of body) this.#set(map, entry, depth)
  }

  #set(map: Growing, { key, value }: AST.TOMLKeyValue, depth: number): void {
    const inner = depth + key.keys.length
    this.#checkDepth(inner, key)
    let found: YamlValue | undefined = map
    for (const [index, part] of key.keys.entries()) {
      const isLast = index === key.keys.length - 1
      const make = () => (isLast ? this.#valueOf(value, inner) : this.#map(part))
      found = found && this.#enter(found, part, make)
    }
  }

  /** Returns the map that a line such as `[params.author]` or `[[params.links]]` names. */
  #tableOf(root: Growing, { key, kind, resolvedKey }: AST.TOMLTable): Growing {
    this.#checkDepth(resolvedKey.length, key)
    let found: YamlValue | undefined = root
    for (const [index, part] of key.keys.entries()) {
      const isItem = kind === 'array' && index === key.keys.length - 1
      const make = (): Growing =>
        isItem ? { kind: 'list', items: [], at: this.#placeOf(part) } : this.#map(part)
      const next: YamlValue | undefined = found && this.#enter(found, part, make)
      if (isItem && next?.kind === 'list')
        (next as Extract<Growing, typeof next>).items.push(this.#map(key))
      found = next?.kind === 'list' ? next.items.at(-1) : next
    }
    return (found as Growing | undefined) ?? this.#map(key)
  }

  /** Returns the value of a key, made if missing; undefined for an invalid key. */
  #enter(parent: YamlValue, key: AST.TOMLBare | AST.TOMLQuoted, make: () => YamlValue) {
    if (parent.kind !== 'map') return undefined
    const { entries } = parent as Extract<Growing, typeof parent>
    const name = key.type === 'TOMLBare' ? key.name : key.value
    const problem = entries.has(name) ? undefined : checkKey(name, entries)
    if (problem !== undefined) this.findings.push({ ...problem, offset: key.range[0] })
    else if (!entries.has(name)) entries.set(name, { keyAt: this.#placeOf(key), value: make() })
    return entries.get(name)?.value
  }

  #valueOf(node: AST.TOMLContentNode, depth: number): YamlValue {
    this.#checkDepth(depth, node)
    const at = this.#placeOf(node)
    if (node.type === 'TOMLValue') {
      return { kind: 'text', value: textOf(node), isPlain: node.kind !== 'string', at }
    }
    if (node.type === 'TOMLArray') {
      return { kind: 'list', items: node.elements.map((it) => this.#valueOf(it, depth + 1)), at }
    }
    const map = this.#map(node)
    this.#fill(map, node.body, depth)
    return map
  }

  #checkDepth(depth: number, { range }: { readonly range: AST.Range }): void {
    if (depth > maxDepth) throw new TooDeep(range[0])
  }

  #map(node: { readonly range: AST.Range }): Growing {
    return { kind: 'map', entries: new Map(), at: this.#placeOf(node) }
  }

  #placeOf({ range }: { readonly range: AST.Range }): Position {
    return this.#at(range[0])
  }
}

function textOf(node: AST.TOMLValue): string {
  if (node.kind === 'string') return node.value
  if (node.kind === 'boolean') return String(node.value)
  if (node.kind === 'integer' || node.kind === 'float') return node.number
  return node.datetime.toUpperCase().replace(' ', 'T')
}
