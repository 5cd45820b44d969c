// Converts nodes of the YAML library to values: text as typed, with positions; keys checked one by one.
import type { Alias, ParsedNode, Scalar, YAMLMap } from 'yaml'
import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Position } from '../diagnostics.ts'
import type { YamlEntry, YamlText, YamlValue } from './raw.ts'
import type { Finding, Problem, Source } from './source.ts'
import { positionAt } from './source.ts'
import { Anchors, mergeInto } from './yaml-aliases.ts'
import { checkKey } from './yaml-limits.ts'
import { findLoneSurrogate, replaceLoneSurrogates } from './yaml-surrogates.ts'

/** A value, and the keys that it omits. */
export interface YamlReading {
  readonly value: YamlValue
  readonly findings: readonly Finding[]
}

/** @param root nested within the stack limit; undefined or an empty scalar reads as an empty map */
export function readRoot(root: ParsedNode | null | undefined, source: Source): YamlReading {
  const findings: Finding[] = []
  const value = isBlank(root)
    ? emptyMap(source)
    : readNode(root, { source, findings, anchors: new Anchors() })
  return { value, findings }
}

interface Context {
  readonly source: Source
  /** Grows. */
  readonly findings: Finding[]
  /** Grows. */
  readonly anchors: Anchors
}

function isBlank(root: ParsedNode | null | undefined): root is null | undefined | Scalar.Parsed {
  if (root === null || root === undefined) return true
  return isScalar(root) && root.type === 'PLAIN' && root.source === ''
}

function emptyMap(source: Source): YamlValue {
  return { kind: 'map', entries: new Map(), at: { line: source.firstLine, column: 1 } }
}

function readNode(node: ParsedNode, context: Context): YamlValue {
  if (isAlias(node)) return readAlias(node, context)
  const value = readWritten(node, context)
  context.anchors.define(node.anchor, value)
  return value
}

function readAlias({ source, range }: Alias.Parsed, context: Context): YamlValue {
  const found = context.anchors.resolve(source)
  if (found !== undefined && 'kind' in found) return found
  if (found !== undefined) context.findings.push({ ...found, offset: range[0] })
  return { kind: 'text', value: '', isPlain: true, at: positionAt(context.source, range[0]) }
}

function readWritten(node: Exclude<ParsedNode, Alias.Parsed>, context: Context): YamlValue {
  const at = positionAt(context.source, node.range[0])
  if (isMap(node)) return { kind: 'map', entries: readEntries(node, context), at }
  if (isSeq(node)) return { kind: 'list', items: node.items.map((it) => readNode(it, context)), at }
  return readText(node, at, context)
}

// The source of the scalar, not its value, which depends on the schema. The tag "!" makes a plain scalar text.
function readText(node: Scalar.Parsed, at: Position, context: Context): YamlText {
  const isPlain = node.type === 'PLAIN' && node.tag !== '!'
  return { kind: 'text', value: textOf(node, context), isPlain, at }
}

// UTF-8 cannot encode a lone surrogate; only an escape in double quotes can produce one.
function textOf({ source = '', range }: Scalar.Parsed, context: Context): string {
  const text = replaceLoneSurrogates(source)
  if (text !== source) {
    const typed = context.source.text.slice(range[0], range[1])
    context.findings.push({ ...LONE_SURROGATE, offset: range[0] + findLoneSurrogate(typed) })
  }
  return text
}

function readEntries(map: YAMLMap.Parsed, context: Context): ReadonlyMap<string, YamlEntry> {
  const entries = new Map<string, YamlEntry>()
  const merged: { readonly value: YamlValue; readonly offset: number }[] = []
  const complain = (problem: Problem | undefined, offset: number) => {
    if (problem !== undefined) context.findings.push({ ...problem, offset })
  }
  for (const { key, value } of map.items) {
    const [offset] = key.range
    const entry = {
      keyAt: positionAt(context.source, offset),
      value: readValue(value, key, context),
    }
    const name = keyText(key, context)
    const isMerge = name === '<<' && isScalar(key) && key.type === 'PLAIN'
    const problem = name === undefined ? NOT_TEXT : checkKey(name, entries)
    if (isMerge) merged.push({ value: entry.value, offset })
    else if (problem !== undefined) complain(problem, offset)
    else if (name !== undefined) entries.set(name, entry)
  }
  // The map's own entries take precedence, wherever they are.
  for (const { value, offset } of merged) complain(mergeInto(entries, value), offset)
  return entries
}

function readValue(value: ParsedNode | null, key: ParsedNode, context: Context): YamlValue {
  if (value !== null) return readNode(value, context)
  const at = positionAt(context.source, key.range[1])
  return { kind: 'text', value: '', isPlain: true, at }
}

function keyText(key: ParsedNode, context: Context): string | undefined {
  if (!isScalar(key) || key.type === 'BLOCK_FOLDED' || key.type === 'BLOCK_LITERAL')
    return undefined
  return textOf(key, context) || undefined
}

const LONE_SURROGATE: Problem = {
  code: 'yaml-lone-surrogate',
  severity: 'warning',
  message: 'This escape is half of a surrogate pair, not a character; it is read as U+FFFD.',
  hint: 'Write the character itself, or its whole code point: "\\U0001F600".',
}

const NOT_TEXT: Problem = {
  code: 'yaml-key',
  message: 'A key must be text on one line.',
  hint: 'Write "key: value".',
}
