// Parses TOML as data only, into the same values as YAML, with their positions in the file.
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import type { Position } from '../diagnostics.ts'
import type { ReadResult, YamlEntry, YamlValue } from './raw.ts'
import { diagnose, diagnoseAll, type Finding, type PlacedProblem } from './source.ts'
import { checkKey, findTooDeep, tooDeep, type YamlOptions } from './yaml.ts'

/** Text is without its quotes, dates are ISO 8601; numbers and booleans are as typed, without `_`. Cost: O(length). */
export function parseToml(text: string, { file }: YamlOptions): ReadResult<YamlValue> {
  const failure = (finding: Finding) => ({ diagnostics: diagnose(file, text, [finding]) })
  try {
    const reader = new TomlReader()
    const value = reader.read(parseTOML(text).body[0])
    if (findTooDeep(value) !== undefined) return failure({ ...tooDeep, offset: 0 })
    return { value, diagnostics: diagnoseAll(file, text, reader.problems) }
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError) return failure({ ...tooDeep, offset: 0 })
    if (!(error instanceof ParseError)) throw error
    // An error at the end of the file is reported on the last line with text.
    const offset = Math.min(error.index, text.trimEnd().length)
    const message = `${error.message.replace(/\.$/u, '')}.`
    return failure({ code: 'toml-syntax', message, hint, offset })
  }
}

const hint = 'Write `key = "value"`: text in quotes, dates and numbers without.'

/** Values while they are read: tables and lists of tables grow. */
type MutableValue =
  | { readonly kind: 'map'; readonly entries: Map<string, YamlEntry>; readonly at: Position }
  | { readonly kind: 'list'; readonly items: YamlValue[]; readonly at: Position }

class TomlReader {
  readonly problems: PlacedProblem[] = []

  read(table: AST.TOMLTopLevelTable): YamlValue {
    const root = emptyValue(positionOf(table))
    for (const node of table.body) {
      const at = positionOf(node.key)
      if (node.type === 'TOMLKeyValue') this.#fill(root, [node])
      else this.#fill(this.#put(root, node.resolvedKey, emptyValue(at), at), node.body)
    }
    return root
  }

  #fill(map: MutableValue | undefined, body: readonly AST.TOMLKeyValue[]): void {
    if (map === undefined) return
    for (const { key, value } of body) {
      const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
      this.#put(map, names, this.#valueOf(value), positionOf(key))
    }
  }

  /** Returns the value at a path of names and indexes, created if missing; undefined for a name that is not allowed. */
  #put(root: MutableValue, path: readonly (string | number)[], value: YamlValue, at: Position) {
    let found: MutableValue | undefined = root
    for (const [index, name] of path.entries()) {
      const next = path[index + 1]
      const made = next === undefined ? value : emptyValue(at, typeof next === 'number')
      found = found && this.#enter(found, name, made, at)
    }
    return found
  }

  #enter(into: MutableValue, name: string | number, made: YamlValue, at: Position) {
    if (into.kind === 'list') {
      into.items[Number(name)] ??= made
      return into.items[Number(name)] as MutableValue
    }
    const key = String(name)
    const problem = into.entries.has(key) ? undefined : checkKey(key, into.entries)
    if (problem !== undefined) this.problems.push([problem, at])
    else if (!into.entries.has(key)) into.entries.set(key, { keyAt: at, value: made })
    return into.entries.get(key)?.value as MutableValue | undefined
  }

  #valueOf(node: AST.TOMLContentNode): YamlValue {
    const at = positionOf(node)
    if (node.type === 'TOMLValue')
      return { kind: 'text', value: textOf(node), isPlain: node.kind !== 'string', at }
    if (node.type === 'TOMLArray')
      return { kind: 'list', items: node.elements.map((it) => this.#valueOf(it)), at }
    const map = emptyValue(at)
    this.#fill(map, node.body)
    return map
  }
}

function positionOf({ loc: { start } }: Pick<AST.TOMLNode, 'loc'>): Position {
  return { line: start.line, column: start.column + 1 }
}

function emptyValue(at: Position, isList = false): MutableValue {
  return isList ? { kind: 'list', items: [], at } : { kind: 'map', entries: new Map(), at }
}

function textOf(node: AST.TOMLValue): string {
  if ('datetime' in node) return node.datetime.toUpperCase().replace(' ', 'T')
  return 'number' in node ? node.number : String(node.value)
}
