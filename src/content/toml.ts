// Parses TOML as data only, into the same values as YAML, with their positions in the file.
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import type { Read, YamlEntry, YamlText, YamlValue } from './raw.ts'
import type { Finding, Problem, Source } from './source.ts'
import { createSource, diagnose, positionAt } from './source.ts'
import { checkKey, maxDepth, tooDeep, type YamlPlace } from './yaml.ts'

/**
 * Parses a TOML document, and reports its problems.
 *
 * Text is the content of its quotes. Dates are in ISO 8601 format. Numbers and booleans are as typed, without `_`. A
 * syntax error, or more than 20 levels, leaves no value. Keys such as `__proto__` are errors, and left out.
 *
 * Cost: O(length); 0.2 s for 64 KiB of nothing but brackets.
 */
export function parseToml(text: string, { file, firstLine }: YamlPlace): Read<YamlValue> {
  const source = createSource(file, text, firstLine)
  const table = parseTable(text)
  if ('code' in table) return { diagnostics: [diagnose(source, table)] }
  const reader = new TomlReader(source)
  const value = reader.read(table)
  const diagnostics = reader.findings.map((finding) => diagnose(source, finding))
  return reader.isTooDeep ? { diagnostics } : { value, diagnostics }
}

function parseTable(text: string): AST.TOMLTopLevelTable | Finding {
  try {
    return parseTOML(text).body[0]
  } catch (error) {
    // The parser recurses; no real file nests so deeply.
    if (error instanceof RangeError) return { ...tooDeep, offset: 0 }
    if (!(error instanceof ParseError)) throw error
    return { ...syntaxProblem(error.message), offset: Math.min(error.index, text.length) }
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

interface TomlMap {
  readonly kind: 'map'
  readonly entries: Map<string, YamlEntry>
  readonly at: YamlValue['at']
}

interface TomlList {
  readonly kind: 'list'
  readonly items: YamlValue[]
  readonly at: YamlValue['at']
}

class TomlReader {
  /** Grows. */
  readonly findings: Finding[] = []
  isTooDeep = false
  readonly #source: Source
  /** The mutable map of each value, so that tables can be added to it. */
  readonly #maps = new Map<YamlValue, TomlMap>()
  readonly #lists = new Map<YamlValue, TomlList>()

  constructor(source: Source) {
    this.#source = source
  }

  read(table: AST.TOMLTopLevelTable): YamlValue {
    const root = this.#newMap(table)
    for (const node of table.body) {
      if (node.type === 'TOMLKeyValue') this.#set(root, node, 1)
      else this.#fill(this.#tableOf(root, node), node.body, node.resolvedKey.length)
    }
    return root
  }

  #fill(map: TomlMap, body: readonly AST.TOMLKeyValue[], depth: number): void {
    for (const entry of body) this.#set(map, entry, depth)
  }

  #set(map: TomlMap, { key, value }: AST.TOMLKeyValue, depth: number): void {
    const { keys } = key
    if (this.#goesTooDeep(depth + keys.length, key)) return
    let inner = map
    for (const [at, part] of keys.entries()) {
      const isLast = at === keys.length - 1
      const found = this.#enter(inner, part, () =>
        isLast ? this.#valueOf(value, depth + keys.length) : this.#newMap(part),
      )
      const next = found && this.#maps.get(found)
      if (isLast || next === undefined) return
      inner = next
    }
  }

  /** Returns the map that a line such as `[params.author]` or `[[params.links]]` names. */
  #tableOf(root: TomlMap, { key, kind, ...table }: AST.TOMLTable): TomlMap {
    let map = root
    if (this.#goesTooDeep(table.resolvedKey.length, key)) return this.#newMap(key)
    for (const [at, part] of key.keys.entries()) {
      const isItem = kind === 'array' && at === key.keys.length - 1
      const found = this.#enter(map, part, () =>
        isItem ? this.#newList(part) : this.#newMap(part),
      )
      const list = found && this.#lists.get(found)
      if (list !== undefined && isItem) list.items.push(this.#newMap(key))
      const next = list === undefined ? found : list.items.at(-1)
      map = (next && this.#maps.get(next)) ?? this.#newMap(key)
    }
    return map
  }

  /** Returns the value of a key, created if missing; undefined for an invalid key. */
  #enter(map: TomlMap, key: AST.TOMLBare | AST.TOMLQuoted, make: () => YamlValue) {
    const name = key.type === 'TOMLBare' ? key.name : key.value
    const existing = map.entries.get(name)
    if (existing !== undefined) return existing.value
    const problem = checkKey(name, map.entries)
    if (problem !== undefined) {
      this.findings.push({ ...problem, offset: key.range[0] })
      return undefined
    }
    const value = make()
    map.entries.set(name, { keyAt: this.#placeOf(key), value })
    return value
  }

  #valueOf(node: AST.TOMLContentNode, depth: number): YamlValue {
    if (this.#goesTooDeep(depth, node)) return textOf('', this.#placeOf(node))
    if (node.type === 'TOMLValue') return this.#scalar(node)
    if (node.type === 'TOMLArray') {
      const items = node.elements.map((item) => this.#valueOf(item, depth + 1))
      return { kind: 'list', items, at: this.#placeOf(node) }
    }
    const map = this.#newMap(node)
    this.#fill(map, node.body, depth)
    return map
  }

  #scalar(node: AST.TOMLValue): YamlText {
    const at = this.#placeOf(node)
    if (node.kind === 'string') return { kind: 'text', value: node.value, isPlain: false, at }
    if (node.kind === 'boolean') return textOf(String(node.value), at)
    if (node.kind === 'integer' || node.kind === 'float') return textOf(node.number, at)
    return textOf(node.datetime.toUpperCase().replace(' ', 'T'), at)
  }

  #goesTooDeep(depth: number, { range }: { readonly range: AST.Range }): boolean {
    if (depth <= maxDepth) return false
    if (!this.isTooDeep) this.findings.push({ ...tooDeep, offset: range[0] })
    this.isTooDeep = true
    return true
  }

  #newMap(node: { readonly range: AST.Range }): TomlMap {
    const map: TomlMap = { kind: 'map', entries: new Map(), at: this.#placeOf(node) }
    this.#maps.set(map, map)
    return map
  }

  #newList(node: { readonly range: AST.Range }): TomlList {
    const list: TomlList = { kind: 'list', items: [], at: this.#placeOf(node) }
    this.#lists.set(list, list)
    return list
  }

  #placeOf({ range }: { readonly range: AST.Range }): YamlValue['at'] {
    return positionAt(this.#source, range[0])
  }
}

function textOf(value: string, at: YamlValue['at']): YamlText {
  return { kind: 'text', value, isPlain: true, at }
}
