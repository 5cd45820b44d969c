// Parses YAML as data only: every scalar as typed, with its position in the file. Numbers, dates and `no` stay text.
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import {
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
import { type Position, type Problem, quote } from '../diagnostics.ts'
import type { RawYaml, ReadResult, YamlEntry, YamlValue } from './raw.ts'
import { diagnose, diagnoseAll, type Finding, normalizeText, type PlacedProblem } from './source.ts'

/** The file that contains a YAML text, which begins on its first line. */
export interface YamlOptions {
  readonly file: string
  /** Reports errors of syntax as those of JSON. @default false */
  readonly isJson?: boolean
}

/**
 * Parses YAML. Tags, a second document, more than 20 levels and too many aliases are errors without a value. Duplicate
 * keys and keys such as `__proto__` are errors, and left out of the value.
 */
export function parseYaml(text: string, { file, isJson }: YamlOptions): ReadResult<YamlValue> {
  try {
    const { document, written, counter } = compose(text)
    const at = positionsOf(text, written, counter)
    const own = { problems: [], refused: [], anchors: new Map(), aliases: 0, expanded: 0 }
    const reader: Reader = { text: written, at, ...own }
    const value = readRoot(document.contents, reader)
    const tooDeepAt = findTooDeep(value)
    if (tooDeepAt !== undefined) reader.refused.push([tooDeep, tooDeepAt])
    // Further errors of the library are mostly consequences.
    const [error] = document.errors
    const others = isJson ? findNotJson(written) : []
    const found = error ? [syntaxProblem(error, document, written)] : others
    for (const { offset, ...problem } of tooDeepAt === undefined ? found : [])
      reader.refused.push([isJson ? { ...problem, ...jsonSyntax } : problem, at(offset)])
    const diagnostics = diagnoseAll(file, text, [...reader.problems, ...reader.refused])
    return reader.refused.length === 0 ? { value, diagnostics } : { diagnostics }
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error
    return { diagnostics: diagnose(file, text, [{ ...tooDeep, offset: 0 }]) }
  }
}

type YamlDocument = Document.Parsed<ParsedNode>

/** `uniqueKeys` is off, because the library compares all pairs of keys; here a map finds duplicates. */
const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const

/** Indents lines of quoted text at the first column, which libyaml accepts but the library does not. */
function compose(text: string) {
  let written = text
  for (;;) {
    const counter = new LineCounter()
    const document: YamlDocument = parseDocument(written, { ...options, lineCounter: counter })
    const error = document.errors.find(({ message }) => message.startsWith('Missing closing '))
    const start = (error && findOpening(document, error, isQuoted)) ?? written.length
    const [scalar = ''] = quoted.exec(written.slice(start)) ?? []
    const indented = scalar.replace(/\n(?=\S)/g, `\n${' '.repeat(80)}`)
    if (indented === scalar) return { document, written, counter }
    written = `${written.slice(0, start)}${indented}${written.slice(start + scalar.length)}`
  }
}

/** @param written the text with some lines indented further */
function positionsOf(text: string, written: string, counter: LineCounter) {
  const [own, longer] = written === text ? [[], []] : [text.split('\n'), written.split('\n')]
  return (offset: number): Position => {
    const { line, col } = counter.linePos(Math.min(offset, written.length))
    const added = (longer[line - 1]?.length ?? 0) - (own[line - 1]?.length ?? 0)
    return { line, column: Math.max(1, col - added) }
  }
}

const quoted = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')/

function isQuoted(node: ParsedNode): boolean {
  return isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')
}

function isFlow(node: ParsedNode): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true
}

/** Returns the offset of the last node of a kind that is open at the position of an error. */
function findOpening(
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

const valueHint = 'Write "key: value", or indent the line if it continues the value above.'
const plainHint = 'Put a value with such characters in quotes, and check the indentation.'

/** Messages of the library by their start, each with a clearer sentence and the fix. */
const syntaxMessages: readonly (readonly [start: RegExp, message: string, hint: string])[] = [
  [/^Nested mappings/, 'A value with ": " must be quoted.', 'Put the value in quotes.'],
  [/^Implicit map keys/, 'A colon and a value are missing after this key.', valueHint],
  [/^Implicit keys/, 'A key and its colon must be on one line.', valueHint],
  [/^Tabs are/, 'Tabs cannot be used for indentation.', 'Indent with spaces.'],
  [/^Missing closing/, 'The closing quote of this value is missing.', 'Add the quote.'],
  [/^Flow map/, 'The closing } of this map is missing.', 'Add }, and indent the lines before.'],
  [/^Flow seq/, 'The closing ] of this list is missing.', 'Add ], and indent the lines before.'],
  [/^Missing , /, 'A comma is missing before this.', plainHint],
  [/^Unexpected block-seq/, 'A list cannot begin on the line of its key.', plainHint],
  [/^Unexpected scalar/, 'This text follows the end of a value.', plainHint],
  [/^Source contains/, 'A second document begins here; only one is read.', 'Remove this line.'],
]

/** Returns the problem of a library error; an open quote or bracket is reported at its start. */
function syntaxProblem(error: YAMLParseError, document: YamlDocument, text: string): Finding {
  const plain = error.message.replace(/^Unexpected \S+ token in YAML \w+: /u, 'Unexpected ')
  const [start, message, hint] = syntaxMessages.find(([each]) => each.test(plain)) ?? [
    /^/,
    `${plain.slice(0, 160).replace(/\s+/gu, ' ').replace(/\.$/, '')}.`,
    plainHint,
  ]
  const isOpen = /Missing closing/.test(start.source) ? isQuoted : isFlow
  const opening = /Missing closing|Flow/.test(start.source) && findOpening(document, error, isOpen)
  const offset = opening || error.pos[0]
  // The library reports a key without a space after its colon on the line of the next key.
  const from = text.lastIndexOf('\n', text.lastIndexOf('\n', offset - 1) - 1) + 1
  const blank = /^[^\n]*\n?[^\n]*/.exec(text.slice(from))?.[0].search(invisibleSpace) ?? -1
  const invisible =
    'An invisible character here is not a space in YAML: replace it with a plain space.'
  return { code: 'yaml-syntax', message, hint: blank === -1 ? hint : invisible, offset }
}

/** Returns the first problem of a text that is YAML but not JSON. */
function findNotJson(text: string): readonly Finding[] {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  return errors.slice(0, 1).map(({ error, offset }) => {
    const reason = printParseErrorCode(error)
      .replace(/\B[A-Z]/g, ' $&')
      .toLowerCase()
    return { ...jsonSyntax, message: `This is not JSON: ${reason}.`, offset }
  })
}

/** Matches blanks and zero-width characters where YAML needs a plain space: in the indentation, or after a sign. */
const invisibleSpace =
  /(?:^[ \t]*|[:\-?,[{])[\u00a0\u00ad\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/mu

/** Maximum nesting of collections, in every language of front matter. */
const maxDepth = 20

/** The problem of deeper nesting. */
export const tooDeep: Problem = {
  code: 'yaml-too-deep',
  message: `Lists and maps are nested more than ${maxDepth} levels deep.`,
  hint: 'Use fewer levels.',
}

/** The position of the first collection that is nested too deeply, if any. */
export function findTooDeep(value: YamlValue, depth = 0): Position | undefined {
  if (value.kind === 'text') return undefined
  if (depth === maxDepth) return value.at
  const found = childValues(value).map((inner) => findTooDeep(inner, depth + 1))
  return found.find((at) => at !== undefined)
}

function childValues(value: YamlValue): readonly YamlValue[] {
  if (value.kind === 'map') return Array.from(value.entries.values(), (entry) => entry.value)
  return value.kind === 'list' ? value.items : []
}

/** Limits of the aliases in a file: their number, and the number of values and letters that they stand for. */
const aliasesMax = 100
const expandedMax = 64 * 1024

function sizeOf(value: YamlValue): number {
  const own = value.kind === 'text' ? value.value.length : 0
  return childValues(value).reduce((sum, inner) => sum + sizeOf(inner), own + 1)
}

/** The state while the nodes of a text become values. */
interface Reader {
  readonly text: string
  readonly at: (offset: number) => Position
  /** Problems that leave a value. Grows. */
  readonly problems: PlacedProblem[]
  /** Problems that leave no value. Grows. */
  readonly refused: PlacedProblem[]
  readonly anchors: Map<string, YamlValue>
  aliases: number
  expanded: number
}

function readRoot(node: ParsedNode | null, reader: Reader): YamlValue {
  const isBlank = node === null || (isScalar(node) && node.type === 'PLAIN' && node.source === '')
  return isBlank ? { kind: 'map', entries: new Map(), at: reader.at(0) } : readNode(node, reader)
}

/** Converts a node to a value. Text is the source of a scalar, because its value depends on the schema. */
function readNode(node: ParsedNode, reader: Reader): YamlValue {
  const at = reader.at(node.range[0])
  if (isAlias(node)) return resolveAlias(node.source, at, reader)
  checkTag(node, reader)
  const value: YamlValue = isMap(node)
    ? { kind: 'map', entries: readEntries(node, reader), at }
    : isSeq(node)
      ? { kind: 'list', items: node.items.map((item) => readNode(item, reader)), at }
      : { kind: 'text', value: textOf(node), isPlain: node.type === 'PLAIN' && !node.tag, at }
  if (node.anchor !== undefined) reader.anchors.set(node.anchor, value)
  return value
}

/** Refuses tags, except `!`, as Ruby writes it: it marks a scalar as text, and every scalar is text here. */
function checkTag({ tag, range: [offset] }: ParsedNode, { text, at, refused }: Reader): void {
  if (tag === undefined || tag === '!') return
  const shown = tag.replace(/^tag:yaml\.org,2002:/, '!!')
  const start = text.lastIndexOf(shown, offset)
  const message = `The tag ${quote(shown)} is not supported.`
  refused.push([{ code: 'yaml-tag', message, hint: quoteHint }, at(start === -1 ? offset : start)])
}

/** Returns the value of an earlier anchor, with the position of that value. */
function resolveAlias(alias: string, at: Position, reader: Reader): YamlValue {
  const found = reader.anchors.get(alias)
  const message = `The alias ${quote(`*${alias}`)} has no anchor above it.`
  if (found === undefined)
    reader.refused.push([{ code: 'yaml-alias', message, hint: quoteHint }, at])
  else if (reader.aliases <= aliasesMax) {
    reader.aliases += 1
    reader.expanded += sizeOf(found)
    if (reader.aliases <= aliasesMax && reader.expanded <= expandedMax) return found
    reader.aliases = aliasesMax + 1
    reader.refused.push([tooManyAliases, at])
  }
  return { kind: 'text', value: '', isPlain: true, at }
}

function readEntries(map: YAMLMap.Parsed, reader: Reader): ReadonlyMap<string, YamlEntry> {
  const { at, problems } = reader
  const entries = new Map<string, YamlEntry>()
  const merged: YamlEntry[] = []
  for (const { key, value: node } of map.items) {
    const keyAt = at(key.range[0])
    const value: YamlValue = node
      ? readNode(node, reader)
      : { kind: 'text', value: '', isPlain: true, at: at(key.range[1]) }
    const name = isScalar(key) ? textOf(key) : ''
    const problem = name === '' ? notText : checkKey(name, entries)
    if (name === '<<' && isScalar(key) && key.type === 'PLAIN') merged.push({ keyAt, value })
    else if (problem !== undefined) problems.push([problem, keyAt])
    else entries.set(name, { keyAt, value })
  }
  for (const entry of merged) mergeEntries(entries, entry, problems)
  return entries
}

/** Merges entries. A map's own entries take precedence over merged entries, and earlier maps over later maps. */
function mergeEntries(
  entries: Map<string, YamlEntry>,
  { keyAt, value }: YamlEntry,
  problems: PlacedProblem[],
): void {
  for (const map of value.kind === 'list' ? value.items : [value]) {
    if (map.kind !== 'map') problems.push([notMap, keyAt])
    else for (const [name, entry] of map.entries) if (!entries.has(name)) entries.set(name, entry)
  }
}

/** Replaces lone surrogates, which an escape can write, but UTF-8 cannot encode. */
function textOf({ source = '' }: Scalar.Parsed): string {
  return source.replace(/\p{Surrogate}/gu, '\ufffd')
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
  const message = `The key ${quote(name)} is already on line ${first.keyAt.line}.`
  return { code: 'yaml-duplicate-key', message, hint: 'Remove one of the two.' }
}

const quoteHint = 'Put it in quotes if it is text; otherwise write the value out.'

const tooManyAliases: Problem = {
  code: 'yaml-alias',
  message: `This file has more than ${aliasesMax} aliases, or they expand to more than 64 KiB.`,
  hint: 'Write the values out.',
}

const notMap: Problem = {
  code: 'yaml-merge-key',
  message: 'A merge key ("<<") needs an alias of a map, or a list of such aliases.',
  hint: 'Write "<<: *name", with "&name" at the map above.',
}

const notText: Problem = {
  code: 'yaml-key',
  message: 'A key must be text on one line.',
  hint: 'Write "key: value".',
}

/** Returns the value of a file and its text, without a byte order mark and with LF line endings. */
export function readYaml(file: string, text: string): ReadResult<RawYaml> {
  const source = normalizeText(text)
  const conflicts = findConflicts(source)
  if (conflicts.length > 0) return { diagnostics: diagnose(file, source, conflicts) }
  const { value, diagnostics } = parseYaml(source, { file, isJson: file.endsWith('.json') })
  return value === undefined ? { diagnostics } : { value: { file, source, value }, diagnostics }
}

const jsonSyntax = {
  code: 'json-syntax',
  hint: 'JSON has keys and text in double quotes, commas only between entries, and no comments.',
} as const

/**
 * Finds all conflicts, or the first marker of an incomplete conflict. From `bodyStart` on, markers in a fence or `<pre>`
 * are text, and others count only from `<<<<<<<` to `=======`: seven `>` are a quote, `=======` underlines a heading.
 */
export function findConflicts(text: string, bodyStart: number = text.length): readonly Finding[] {
  if (!/^(?:<{7}|={7}|>{7}|\|{7})/m.test(text)) return []
  const head = text.slice(0, bodyStart)
  const body = text.slice(bodyStart).replace(verbatim, (part) => part.replace(/[^\n]/g, ' '))
  const lastMiddle = text.lastIndexOf('\n=======\n')
  const starts = [...`${head}${body}`.matchAll(/^<{7}(?: .*)?$/gm)]
    .map(({ index }) => index)
    .filter((offset) => offset < bodyStart || offset <= lastMiddle)
  const found = starts.length > 0 ? starts : [head.search(marker)]
  return found.filter((offset) => offset >= 0).map((offset) => ({ ...conflict, offset }))
}

/** Matches a marker, with its label if any. Seven bars without a label may be an empty row of a table. */
const marker = /^(?:(?:<{7}|>{7})(?: .*)?|\|{7} [^|\n]+|={7})$/m

/** Matches signs of lists and quotes before a fence. */
const nesting = String.raw`^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*`

/** Matches fences and `<pre>`, which the end of the text closes too. */
// regex: a part ends where the next can begin
const verbatim = new RegExp(
  `${nesting}(\`{3,}(?=[^\`\n]*$)|~{3,}).*\n[\\s\\S]*?(?:${nesting}\\1[\`~]*[ \t]*$|(?![\\s\\S]))|` +
    '^ {0,3}<pre(?=[\\s>])[\\s\\S]*?(?:</pre>|(?![\\s\\S]))',
  'gim',
)

const conflict: Problem = {
  code: 'conflict-markers',
  message: 'This merge conflict is unresolved.',
  hint: 'Keep one of the two versions, and remove the lines of "<<<<<<<", "=======" and ">>>>>>>".',
}
