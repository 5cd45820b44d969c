// Parses YAML as data only: every scalar as typed, with its position in the file. Numbers, dates and `no` are text.

import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml'
import { type Diagnostic, diagnosticAt, type Position, type Problem } from '../diagnostics.ts'
import { findConflicts } from './conflicts.ts'
import type { RawYaml, Read, YamlEntry, YamlValue } from './raw.ts'
import { diagnose, type Finding, plainText, quoteExcerpt } from './source.ts'

/** Location of a YAML text. */
export interface YamlPlace {
  /** Path below the content folder, with `/`. */
  readonly file: string
  /** Line of the file on which the text begins, from 1. */
  readonly firstLine: number
}

/**
 * Parses one YAML document, and reports its problems (at most 100).
 *
 * Tags, a second document, more than 20 levels, and aliases beyond their budget are errors that leave no value. Duplicate
 * keys, `__proto__` and the like are errors, and left out of the value.
 *
 * @returns an empty map for a text of white space and comments
 */
export function parseYaml(text: string, place: YamlPlace): Read<YamlValue> {
  const control = controlCharacter(text)
  if (control !== undefined) return { diagnostics: placed(text, place, [control]) }
  const continued = new Map<number, string>()
  const document = composed(text, continued)
  const deep = { ...tooDeep, offset: 0 }
  if (document === undefined) return { diagnostics: placed(text, place, [deep]) }
  const faults = document.errors.map((error) => namingBlanks(faultOf(error, document), text))
  const reader = new YamlReader(text, positions(text, place.firstLine), continued)
  const value = reader.root(document.contents)
  const diagnostics = placed(text, place, [...faults, ...reader.findings])
  return faults.length === 0 && reader.isWhole ? { value, diagnostics } : { diagnostics }
}

/**
 * The first 100 findings in their file, by position. Of the messages of the library, at most one a line, and none on a
 * line with another error, of which they are mostly consequences.
 */
function placed(text: string, { file, firstLine }: YamlPlace, findings: readonly Finding[]) {
  if (findings.length === 0) return []
  const lines = text.split('\n')
  const positionOf = positions(text, firstLine)
  const found = findings
    .toSorted((a, b) => a.offset - b.offset)
    .map((finding): Diagnostic => {
      const at = positionOf(Math.min(finding.offset, text.length))
      return diagnosticAt(file, at, finding, lines[at.line - firstLine])
    })
  const isSyntax = ({ code }: Diagnostic) => code === 'yaml-syntax'
  const others = found.filter((one) => !isSyntax(one) && one.severity === 'error')
  const taken = new Set(others.map(({ line }) => line))
  return found
    .filter((one) => !isSyntax(one) || taken.size < taken.add(one.line).size)
    .slice(0, 100)
}

/** Returns a function from offsets to positions. Cost: O(log lines) for each. */
export function positions(text: string, firstLine: number): (offset: number) => Position {
  const counter = new LineCounter()
  counter.addNewLine(0)
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    counter.addNewLine(at + 1)
  }
  return (offset) => {
    const { line, col } = counter.linePos(offset)
    return { line: firstLine + line - 1, column: col }
  }
}

// Non-printable characters of YAML 1.2 §5.1 that UTF-8 can encode, and carriage returns that do not end a line.
const controls = /(?![\t\n\r\u0085])\p{Cc}|\r(?!\n)/u

function controlCharacter(text: string): Finding | undefined {
  const offset = text.search(controls)
  if (offset === -1) return undefined
  return {
    offset,
    code: 'yaml-syntax',
    message: `The control character ${codeAt(text, offset)} is not allowed here.`,
    hint: 'Remove it, or write it as an escape in double quotes.',
  }
}

function codeAt(text: string, offset: number): string {
  return `U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}`
}

type YamlDocument = Document.Parsed<ParsedNode>

/** The library compares all pairs of keys; here a map finds duplicates. */
const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const

/**
 * Quoted text may continue at the first column, as libyaml, and thus Jekyll and Hugo, read it. The library ends it there,
 * so it is parsed again with spaces in place of these line breaks, and the quoted text alone.
 *
 * @param continued gets these texts by their offsets
 * @returns undefined when nesting overflows the stack
 */
function composed(text: string, continued: Map<number, string>): YamlDocument | undefined {
  try {
    let written = text
    for (;;) {
      const document: YamlDocument = parseDocument(written, options)
      const error = document.errors.find(({ message }) => message.startsWith('Missing closing '))
      const start = error && openingOf(document, error, isQuoted)
      if (start === undefined) return document
      const [scalar = ''] =
        /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')/.exec(written.slice(start)) ?? []
      if (!scalar.includes('\n')) return document
      const { contents } = parseDocument(scalar, options)
      continued.set(start, isScalar(contents) ? String(contents.source) : '')
      const line = scalar.replaceAll('\n', ' ')
      written = `${written.slice(0, start)}${line}${written.slice(start + scalar.length)}`
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isQuoted(node: ParsedNode): boolean {
  return isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')
}

function isFlow(node: ParsedNode): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true
}

/** The offset of the last node of a kind that is open where an error is. */
function openingOf(
  document: YamlDocument,
  { pos: [offset] }: YAMLParseError,
  isKind: (node: ParsedNode) => boolean,
): number | undefined {
  let found: number | undefined
  visit(document, {
    Node: (_, node) => {
      const { range } = node as ParsedNode
      if (range[0] <= offset && range[1] >= offset && isKind(node as ParsedNode)) found = range[0]
    },
  })
  return found
}

/** Messages of the library with a clearer replacement. */
const sentences: ReadonlyMap<string, string> = new Map([
  [
    'Implicit map keys need to be followed by map values',
    'A colon and a value are missing after this key.',
  ],
  ['Implicit keys need to be on a single line', 'A key and its colon must be on one line.'],
  ['Nested mappings are not allowed in compact mappings', 'A value with ": " must be quoted.'],
  ['Tabs are not allowed as indentation', 'Tabs cannot be used for indentation.'],
  ['Missing , between flow map items', 'A comma is missing before this entry.'],
  ['Missing , between flow sequence items', 'A comma is missing before this item.'],
  ['Unexpected scalar at node end', 'This text follows the end of a value.'],
  ['Unexpected block-seq-ind on same line with key', 'A list cannot begin on the line of its key.'],
])

const hints: { readonly [code in YAMLParseError['code']]?: string } = {
  BAD_DQ_ESCAPE: 'Double the backslash, or use single quotes.',
  BAD_INDENT: 'Check the indentation.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put the value in quotes.',
  MULTILINE_IMPLICIT_KEY: 'Write "key: value", or indent the line if it continues the value above.',
  TAB_AS_INDENT: 'Indent with spaces.',
  UNEXPECTED_TOKEN: 'Put a value with such characters in quotes, and check the indentation.',
}

/** An error of the library; an open quote or bracket is reported where it opens. */
function faultOf(error: YAMLParseError, document: YamlDocument): Finding {
  const { code, message, pos } = error
  const fault = (text: string, hint: string | undefined, offset = pos[0]): Finding => {
    const finding = { offset, code: 'yaml-syntax', message: text } as const
    return hint === undefined ? finding : { ...finding, hint }
  }
  if (message.startsWith('Missing closing ')) {
    const opening = openingOf(document, error, isQuoted)
    return fault('The closing quote of this value is missing.', 'Close it.', opening)
  }
  const [, kind, bracket] = /^Flow (\w+) .*end with a ([\]}])$/u.exec(message) ?? []
  if (bracket !== undefined) {
    const what = `The closing ${bracket} of this ${kind === 'map' ? 'map' : 'list'} is missing.`
    const hint = 'Close it; indent the lines that continue it.'
    return fault(what, hint, openingOf(document, error, isFlow))
  }
  if (code === 'MULTIPLE_DOCS') {
    const what = 'A second YAML document begins here; only one is read.'
    return fault(what, 'Remove this line or indent it.')
  }
  const line = message.slice(0, 160).replace(/\s+/gu, ' ').trim()
  const plain = line.replace(/^Unexpected \S+ token in YAML \w+: /u, 'Unexpected ')
  return fault(sentences.get(message) ?? (plain.endsWith('.') ? plain : `${plain}.`), hints[code])
}

/** Replaces an error by its cause: an invisible character that looks like the space that YAML needs there. */
function namingBlanks(finding: Finding, text: string): Finding {
  // The library reports a key without a space behind its colon on the line of the next key.
  const start = text.lastIndexOf('\n', text.lastIndexOf('\n', finding.offset - 1) - 1) + 1
  const end = text.indexOf('\n', finding.offset)
  const found = noSpace.exec(text.slice(start, end === -1 ? text.length : end))
  if (found === null) return finding
  const offset = start + found.index + found[0].length - 1
  return {
    offset,
    code: 'yaml-syntax',
    message: `The invisible character ${codeAt(text, offset)} is not a space in YAML.`,
    hint: 'Replace it with a plain space.',
  }
}

/** Blanks and characters without width where YAML needs a plain space: in the indentation, or behind a sign. */
const noSpace =
  /(?:^[ \t]*|[:\-?,[{])[\u00a0\u00ad\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/mu

/** Maximum nesting of collections, in every language of front matter. */
export const maxDepth = 20

/** The problem of deeper nesting. */
export const tooDeep: Problem = {
  code: 'yaml-too-deep',
  message: `Lists and maps are nested more than ${maxDepth} levels deep.`,
  hint: 'Flatten them.',
}

/** Limits of a file: the number of aliases, and the number of values and letters that they stand for. */
const aliasesMax = 100
const expandedMax = 64 * 1024

/** An anchored value. */
interface Anchored {
  readonly value: YamlValue
  /** Counts what its own aliases stand for. */
  readonly size: number
  readonly depth: number
}

/** Converts nodes to values: text as typed, with positions; keys checked one by one. */
class YamlReader {
  /** Grows. */
  readonly findings: Finding[] = []
  /** False when a problem leaves no value. */
  isWhole = true
  readonly #text: string
  readonly #at: (offset: number) => Position
  readonly #continued: ReadonlyMap<number, string>
  readonly #anchors = new Map<string, Anchored>()
  #aliases = 0
  #expanded = 0

  /** @param continued texts of scalars by their offsets, which replace those of their nodes */
  constructor(
    text: string,
    positionOf: (offset: number) => Position,
    continued: ReadonlyMap<number, string>,
  ) {
    this.#text = text
    this.#at = positionOf
    this.#continued = continued
  }

  root(node: ParsedNode | null): YamlValue {
    const isBlank = node === null || (isScalar(node) && node.type === 'PLAIN' && node.source === '')
    return isBlank ? { kind: 'map', entries: new Map(), at: this.#at(0) } : this.#read(node, 0)
  }

  #read(node: ParsedNode, depth: number): YamlValue {
    const [offset] = node.range
    if (isAlias(node)) return this.#aliased(node.source, offset, depth)
    if (node.tag !== undefined) this.#checkTag(offset, node.tag)
    if (depth === maxDepth && !isScalar(node)) return this.#refuse(tooDeep, offset)
    const value = this.#valueOf(node, depth)
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, { value, ...measured(value) })
    return value
  }

  /** Text is the source of the scalar, not its value, which depends on the schema. */
  #valueOf(node: Exclude<ParsedNode, Alias.Parsed>, depth: number): YamlValue {
    const at = this.#at(node.range[0])
    if (isMap(node)) return { kind: 'map', entries: this.#entries(node, depth), at }
    if (isSeq(node)) {
      return { kind: 'list', items: node.items.map((item) => this.#read(item, depth + 1)), at }
    }
    const isPlain = node.type === 'PLAIN' && node.tag !== '!'
    return { kind: 'text', value: this.#textOf(node), isPlain, at }
  }

  /** The value of an earlier anchor, with its position. */
  #aliased(alias: string, offset: number, depth: number): YamlValue {
    const found = this.#anchors.get(alias)
    if (found === undefined) return this.#refuse(unknownAlias(alias), offset)
    this.#aliases += 1
    this.#expanded += found.size
    if (depth + found.depth > maxDepth) return this.#refuse(tooDeep, offset)
    if (this.#aliases <= aliasesMax && this.#expanded <= expandedMax) return found.value
    return this.#refuse(tooManyAliases, offset)
  }

  /** Reports a problem that leaves no value; a limit once. */
  #refuse(problem: Problem, offset: number): YamlValue {
    const isLimit = problem === tooDeep || problem === tooManyAliases
    if (this.isWhole || !isLimit) this.findings.push({ ...problem, offset })
    this.isWhole = false
    return { kind: 'text', value: '', isPlain: true, at: this.#at(offset) }
  }

  /** `!` alone, as Ruby writes it, makes a scalar text, which it already is. */
  #checkTag(offset: number, tag: string): void {
    let start = Math.max(0, this.#text.lastIndexOf('!', Math.max(0, offset - 1)))
    while (start > 0 && !' \t\n[{,'.includes(this.#text.charAt(start - 1))) start--
    const [shown = tag] = /^!\S*/.exec(this.#text.slice(start)) ?? []
    if (tag !== '!' && shown !== '!') this.#refuse(unsupportedTag(shown), start)
  }

  /** UTF-8 cannot encode a lone surrogate; only an escape in double quotes can produce one. */
  #textOf({ source = '', range }: Scalar.Parsed): string {
    const written = this.#continued.get(range[0]) ?? source
    const text = written.replace(/\p{Surrogate}/gu, '\ufffd')
    if (text !== written) this.findings.push({ ...loneSurrogate, offset: range[0] })
    return text
  }

  #entries(map: YAMLMap.Parsed, depth: number): ReadonlyMap<string, YamlEntry> {
    const entries = new Map<string, YamlEntry>()
    const merged: { readonly value: YamlValue; readonly offset: number }[] = []
    for (const { key, value: node } of map.items) {
      const [offset, end] = key.range
      const empty: YamlValue = { kind: 'text', value: '', isPlain: true, at: this.#at(end) }
      const value = node === null ? empty : this.#read(node, depth + 1)
      const name = isScalar(key) && key.type?.startsWith('BLOCK') !== true ? this.#textOf(key) : ''
      const problem = name === '' ? notText : checkKey(name, entries)
      if (name === '<<' && isScalar(key) && key.type === 'PLAIN') merged.push({ value, offset })
      else if (problem !== undefined) this.findings.push({ ...problem, offset })
      else entries.set(name, { keyAt: this.#at(offset), value })
    }
    for (const { value, offset } of merged) this.#merge(entries, value, offset)
    return entries
  }

  /** A map's own entries take precedence over merged ones, wherever they are; earlier maps over later ones. */
  #merge(entries: Map<string, YamlEntry>, merged: YamlValue, offset: number): void {
    for (const map of merged.kind === 'list' ? merged.items : [merged]) {
      if (map.kind !== 'map') this.findings.push({ ...notMap, offset })
      else for (const [name, entry] of map.entries) if (!entries.has(name)) entries.set(name, entry)
    }
  }
}

function measured(value: YamlValue): { readonly size: number; readonly depth: number } {
  if (value.kind === 'text') return { size: value.value.length + 1, depth: 0 }
  let [size, depth] = [1, 0]
  const values =
    value.kind === 'list' ? value.items : [...value.entries.values()].map((entry) => entry.value)
  for (const inner of values.map(measured)) {
    size += inner.size
    depth = Math.max(depth, inner.depth)
  }
  return { size, depth: depth + 1 }
}

/** Returns the problem of a key, if any. @param entries earlier entries */
export function checkKey(
  name: string,
  entries: ReadonlyMap<string, { readonly keyAt: Position }>,
): Problem | undefined {
  if (['__proto__', 'constructor', 'prototype'].includes(name)) {
    const message = `"${name}" cannot be a key.`
    return { code: 'yaml-forbidden-key', message, hint: 'Give the key another name.' }
  }
  const first = entries.get(name)
  if (first === undefined) return undefined
  const message = `The key ${quoteExcerpt(name)} is already on line ${first.keyAt.line}.`
  return { code: 'yaml-duplicate-key', message, hint: 'Remove one of the two.' }
}

function unknownAlias(alias: string): Problem {
  return {
    code: 'yaml-alias',
    message: `The alias ${quoteExcerpt(`*${alias}`)} has no anchor above it.`,
    hint: 'Put it in quotes if it is text; otherwise write the value out.',
  }
}

function unsupportedTag(tag: string): Problem {
  return {
    code: 'yaml-tag',
    message: `The tag ${quoteExcerpt(tag)} is not supported.`,
    hint: 'Put it in quotes if it is text; otherwise write the value out.',
  }
}

const tooManyAliases: Problem = {
  code: 'yaml-alias',
  message: `The aliases of this file are more than ${aliasesMax}, or stand for more than 64 KiB.`,
  hint: 'Write the values out.',
}

const notMap: Problem = {
  code: 'yaml-merge-key',
  message: 'A merge key ("<<") needs an alias of a map, or a list of such aliases.',
  hint: 'Write "<<: *name", with "&name" at the map above.',
}

const loneSurrogate: Problem = {
  code: 'yaml-lone-surrogate',
  severity: 'warning',
  message: 'This escape is half of a surrogate pair, not a character; it is read as U+FFFD.',
  hint: 'Write the character itself, or its whole code point: "\\U0001F600".',
}

const notText: Problem = {
  code: 'yaml-key',
  message: 'A key must be text on one line.',
  hint: 'Write "key: value".',
}

/** Returns the value of a file and its text, without a byte order mark and with LF line endings. */
export function readYaml(file: string, text: string): Read<RawYaml> {
  const source = plainText(text)
  const conflicts = findConflicts(source)
  if (conflicts.length > 0)
    return { diagnostics: conflicts.map((it) => diagnose(file, source, it)) }
  const parse = file.endsWith('.json') ? parseJson : parseYaml
  const { value, diagnostics } = parse(source, { file, firstLine: 1 })
  return value === undefined ? { diagnostics } : { value: { file, source, value }, diagnostics }
}

/** Parses a JSON document, and reports its problems like `parseYaml`. */
export function parseJson(text: string, place: YamlPlace): Read<YamlValue> {
  const read = parseYaml(text, place)
  const hint = 'Write keys and text in double quotes, and a comma between two entries.'
  const diagnostics = read.diagnostics.map((found) =>
    found.code === 'yaml-syntax' ? { hint, ...found, code: 'json-syntax' as const } : found,
  )
  return { ...read, diagnostics }
}
