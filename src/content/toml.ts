// Parses TOML as data only, into the same values as YAML, with their positions in the file.
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import type { Position, Problem } from '../diagnostics.ts'
import type { Read, YamlEntry, YamlValue } from './raw.ts'
import { diagnose, type Finding } from './source.ts'
import { checkKey, positions, tooDeep, tooDeepAt, type YamlPlace } from './yaml.ts'

/** Text is the content of its quotes; dates are ISO 8601, numbers and booleans as typed, without `_`. Cost: O(length). */
export function parseToml(text: string, { file, firstLine }: YamlPlace): Read<YamlValue> {
  const placed = (finding: Finding) => diagnose(file, text, finding, firstLine)
  try {
    const reader = new TomlReader(positions(text, firstLine))
    const value = reader.read(parseTOML(text).body[0])
    if (tooDeepAt(value) !== undefined) throw new RangeError('too deep')
    return { value, diagnostics: reader.findings.map(placed) }
  } catch (error) {
    // The parser recurses.
    if (error instanceof RangeError) return { diagnostics: [placed({ ...tooDeep, offset: 0 })] }
    if (!(error instanceof ParseError)) throw error
    // What is missing at the end is missing on the last line.
    let end = text.length
    while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1
    const offset = Math.min(error.index, end)
    return { diagnostics: [placed({ ...syntaxProblem(error.message), offset })] }
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

/** Values while they are read: tables and lists of tables grow. */
type Growing =
  | { readonly kind: 'map'; readonly entries: Map<string, YamlEntry>; readonly at: Position }
  | { readonly kind: 'list'; readonly items: YamlValue[]; readonly at: Position }

class TomlReader {
  readonly findings: Finding[] = []
  readonly #at: (offset: number) => Position

  constructor(positionOf: (offset: number) => Position) {
    this.#at = positionOf
  }

  read(table: AST.TOMLTopLevelTable): YamlValue {
    const root = this.#map(table)
    for (const node of table.body) {
      const isLine = node.type === 'TOMLKeyValue'
      this.#fill(isLine ? root : this.#tableOf(root, node), isLine ? [node] : node.body)
    }
    return root
  }

  #fill(map: Growing | undefined, body: readonly AST.TOMLKeyValue[]): void {
    for (const { key, value } of body) {
      let found = map
      for (const part of key.keys) {
        const isLast = part === key.keys.at(-1)
        found = this.#enter(found, part, () => (isLast ? this.#valueOf(value) : this.#map(part)))
      }
    }
  }

  /** Returns the map that a line such as `[params.author]` or `[[params.links]]` names. */
  #tableOf(root: Growing, { key, resolvedKey }: AST.TOMLTable): Growing | undefined {
    const keys = key.keys.values()
    let found: Growing | undefined = root
    for (const [index, part] of resolvedKey.entries()) {
      if (typeof part === 'number') {
        if (found?.kind !== 'list') return undefined
        found.items[part] ??= this.#map(key)
        found = found.items[part] as Growing
        continue
      }
      const isList = typeof resolvedKey[index + 1] === 'number'
      const name = keys.next().value
      const make = (): Growing =>
        isList ? { kind: 'list', items: [], at: this.#at(key.range[0]) } : this.#map(name ?? key)
      found = name && this.#enter(found, name, make)
    }
    return found
  }

  /** Returns the value of a key, made if missing; undefined for an invalid key. */
  #enter(
    map: Growing | undefined,
    key: AST.TOMLBare | AST.TOMLQuoted,
    make: () => YamlValue,
  ): Growing | undefined {
    if (map?.kind !== 'map') return undefined
    const name = key.type === 'TOMLBare' ? key.name : key.value
    const known = map.entries.get(name)
    const problem = known === undefined ? checkKey(name, map.entries) : undefined
    if (problem !== undefined) this.findings.push({ ...problem, offset: key.range[0] })
    else if (known === undefined)
      map.entries.set(name, { keyAt: this.#at(key.range[0]), value: make() })
    return map.entries.get(name)?.value as Growing | undefined
  }

  #valueOf(node: AST.TOMLContentNode): YamlValue {
    const at = this.#at(node.range[0])
    if (node.type === 'TOMLValue')
      return { kind: 'text', value: textOf(node), isPlain: node.kind !== 'string', at }
    if (node.type === 'TOMLArray')
      return { kind: 'list', items: node.elements.map((it) => this.#valueOf(it)), at }
    const map = this.#map(node)
    this.#fill(map, node.body)
    return map
  }

  #map({ range }: { readonly range: AST.Range }): Growing {
    return { kind: 'map', entries: new Map(), at: this.#at(range[0]) }
  }
}

function textOf(node: AST.TOMLValue): string {
  if (node.kind === 'string') return node.value
  if (node.kind === 'boolean') return String(node.value)
  if (node.kind === 'integer' || node.kind === 'float') return node.number
  return node.datetime.toUpperCase().replace(' ', 'T')
}
