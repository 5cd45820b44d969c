// The front matter and the body of a source file, with plain values.
import { type AnyNode, type Node, type ObjectExpression, parse } from 'acorn'
import { readDocument, type YamlMap, type YamlValue } from 'quarry/authoring'
import { Ledger } from '../ledger.ts'
import type { FieldValue } from '../site.ts'
import { endOfBraces } from './code-mask.ts'
import type { SourceTree } from './source-tree.ts'

/** A map of front matter or of a data file; every scalar is its source text. */
export type Values = { readonly [key: string]: FieldValue }

export interface SourceDocument {
  readonly values: Values
  /** The same values with the types that they have in the file: quoted text is text, numbers are numbers. */
  readonly typed: Values
  readonly body: string
  /** The first line of the body in the file, from 1. */
  readonly bodyLine: number
  /** True if the encoding is unknown, or the front matter is unreadable, which is then a block of code in the body. */
  readonly isBroken?: boolean
  /** Keys whose values only a program knows; `…` for the keys of another object. */
  readonly computed?: readonly string[]
}

/**
 * Reads a file; returns undefined and reports a failure when it is not text. Unreadable front matter is reported.
 *
 * @param isWithheld true for a file that the site does not publish, for which unreadable front matter is not a failure
 */
export function readSource(
  tree: SourceTree,
  path: string,
  report: Ledger = new Ledger(),
  isWithheld = false,
): SourceDocument | undefined {
  const written = tree.text(path)
  if (written === undefined) return undefined
  const [text, ofFront] = withLanguage(written.replace(longFence, '$1---'))
  // Hugo accepts blank lines before front matter.
  const [blanks = ''] = /^(?:[ \t]*\n)+(?=---|\+\+\+|\{)/.exec(text) ?? []
  const given = (lacksFence(text) ? '---\n' : '') + text.slice(blanks.length)
  const skipped = written.split('\n').length - given.split('\n').length
  const { value, diagnostics } = readDocument(path, given)
  for (const { line, column, message } of diagnostics) {
    const section = value === undefined && !isWithheld ? 'failed' : 'changed'
    report.add(section, `front matter: ${message}`, `${path}:${line + skipped}:${column}`)
  }
  if (value === undefined) return unreadable(text)
  const repeated = diagnostics.flatMap(({ code, message }) =>
    /duplicate-key$/.test(code) ? (/"(.+?)"/.exec(message)?.[1] ?? []) : [],
  )
  const { frontMatter, body, bodyLine } = value
  const differs = (key: string) => {
    const lines = given.split('\n', bodyLine).map((line) => line.replace(/\s/g, ''))
    return new Set(lines.filter((line) => line.startsWith(`${key}:`))).size !== 1
  }
  const meta = path.replace(/\.\w+$/, '.meta')
  const sidecar = tree.has(meta) ? plainMetadata(tree.data(meta) ?? '')?.values : undefined
  const plain = frontMatter.entries.size === 0 ? plainMetadata(body) : undefined
  const { lines = 0, repeated: again = [] } = plain ?? {}
  for (const key of again) report.add('left', `further value of \`${key}\``, path)
  const exported = exportedMetadata(path, body, bodyLine + skipped)
  const programs = [ofFront, exported].filter((data) => data !== undefined)
  const computed = programs.flatMap((data) => data.computed)
  for (const { key, line } of computed)
    report.add('left', `\`${key}\` of front matter is computed: not read`, `${path}:${line}`)
  const literals = programs.map(({ values }) => values)
  const under = (all: readonly Values[]) => Object.assign({}, sidecar, ...all, plain?.values)
  return {
    values: { ...under(programs.map(textsOf)), ...plainMap(frontMatter) },
    typed: { ...under(literals), ...plainMap(frontMatter, true) },
    computed: [...computed.map(({ key }) => key), ...repeated.filter(differs), ...again],
    body: plain?.body ?? body.split('\n').slice(lines).join('\n'),
    bodyLine: bodyLine + skipped + lines,
    isBroken: tree.damaged.has(path),
  }
}

/** Reads `export const metadata = {…}`, as Next does. @param bodyLine the first line of the body in its file */
function exportedMetadata(path: string, body: string, bodyLine: number): ProgramData | undefined {
  const at = body.search(/(?<=^export const (?:metadata|meta|frontmatter)\s?=\s?)\S/m)
  if (at === -1 || !path.endsWith('.mdx')) return undefined
  const line = bodyLine - 1 + body.slice(0, at).split('\n').length
  const object = body.slice(at, endOfBraces(body, at))
  const data = dataOfProgram(`${'\n'.repeat(line - 1)}export default ${object}`)
  return data ?? { values: {}, computed: [{ key: '…', line }] }
}

/** In Hexo, front matter may lack its first fence. */
function lacksFence(text: string): boolean {
  const map = /^[a-z_]+:[^\n]*\n(?:(?!---)[^\n]+\n)*(?=---[ \t]*\n)/i
  return /^(?:title|date)[ \t]*:/im.test(map.exec(text.slice(0, 10_000))?.[0] ?? '')
}

/** Hugo accepts more hyphens at the end of front matter. */
const longFence = /^(---[ \t]*\n(?:(?!---)[^\n]*\n){0,500})-{4,}[ \t]*(?=\n)/

/** Converts front matter whose first fence names JSON or JavaScript, as in Eleventy. */
function withLanguage(text: string): readonly [text: string, data?: ProgramData | undefined] {
  const [whole = '', language, inner = ''] =
    /^---(json|js|javascript)[ \t]*\n([\s\S]*?)\n---[ \t]*\n/.exec(text) ?? []
  if (language === undefined) return [text]
  const rest = text.slice(whole.length)
  if (language === 'json') return [`${inner.trim()}\n${rest}`]
  const data = dataOfProgram(`\n${inner}`, true)
  return data === undefined ? [text] : [`${JSON.stringify(data.values)}\n${rest}`, data]
}

/** Returns the whole text as the body, with the front matter as a block of code. */
function unreadable(text: string): SourceDocument {
  const front = /^\s{0,99}(---|\+\+\+)[^\n]*\n([\s\S]*?)\n\1[ \t]*(?:\n|$)/
  const body = text.replace(front, (_, __, code: string) => `~~~~\n${code}\n~~~~\n\n`)
  return { values: {}, typed: {}, body, bodyLine: 1, isBroken: true }
}

/** `Name: value`, `.. name: value`, and the indented continuation of a value. */
const metadata = /^(?:(\.\. )?([A-Za-z][\w-]{0,40})[ \t]?:(?:[ \t](.*))?|[ \t]+\S.*)$/

/** Reads metadata without fences, also in an HTML comment: lines of Pelican (`Status: draft`) and of Nikola (`.. status: draft`). */
function plainMetadata(text: string) {
  const page = /^\s*<(?:!doctype|html)\b/i.test(text) ? text.search(/<body[\s>]/i) : -1
  if (page !== -1) return pageMetadata(text, page)
  const lines = text.split('\n', 100)
  const first = lines.findIndex((line) => !/^\s*(?:<!--\s*)?$/.test(line))
  const count = lines.slice(first).findIndex((line) => !metadata.test(line))
  const at = count === -1 ? lines.length : first + count
  // An indented line continues a value.
  const entries = lines
    .slice(Math.max(0, first), at)
    .join('\n')
    .split(/\n(?![ \t])/)
  const all = entries.map((entry) => {
    const [, , name = '', value = ''] = metadata.exec(entry.replace(/\n\s*/g, ' ')) ?? []
    return [name.toLowerCase(), value.trim()] as const
  })
  // Pelican reads the first value of a repeated key.
  const values: Record<string, string> = Object.fromEntries(all.toReversed())
  const names = all.map(([name]) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  const isMetadata = ['title', 'date', 'status'].some((key) => values[key] !== undefined)
  if (!isMetadata || !/^\s*(?:-->\s*)?$/.test(lines[at] ?? '')) return undefined
  return { values, lines: Math.min(at + 1, lines.length), repeated, body: undefined }
}

/** Reads a page of HTML as Pelican does: `<title>`, `<meta name="date" content="…">`, and its body. */
function pageMetadata(text: string, at: number) {
  const before = text.slice(0, at)
  const found = Array.from(before.matchAll(/<(?:title>([^<]*)|meta\s([^<>]*)>)/gi), (match) => {
    const [, title, attributes = ''] = match
    const attributeOf = (name: RegExp) => {
      const quoted = /\s?([\w-]+)\s?=\s?(["'])((?:(?!\2)[\s\S])*)\2/g
      return Array.from(attributes.matchAll(quoted)).find(([, key = '']) => name.test(key))?.[3]
    }
    const plain = (title ?? attributeOf(/^contents?$/i) ?? '').replaceAll('&quot;', '"')
    const name = title === undefined ? (attributeOf(/^name$/i) ?? '') : 'title'
    return [name.toLowerCase(), plain.replaceAll('&amp;', '&').trim()]
  })
  const body = text.slice(at).replace(/^<body[^<>]*>|<\/body>[\s\S]*/gi, '')
  const values = Object.fromEntries(found.filter(([name]) => name !== ''))
  return { values, lines: before.split('\n').length - 1, repeated: [], body }
}

/** Converts a value of YAML, TOML or JSON to a plain value; blanks become null. @param isTyped true for numbers and booleans */
export function plainValue(value: YamlValue, isTyped = false): FieldValue {
  if (value.kind === 'map') return plainMap(value, isTyped)
  if (value.kind === 'list') return value.items.map((item) => plainValue(item, isTyped))
  if (isTyped && value.isPlain) return typeOfText(value.value)
  return value.isPlain && /^(?:~|null|)$/i.test(value.value) ? null : value.value
}

function plainMap(map: YamlMap, isTyped = false): Values {
  const entries = [...map.entries].map(([key, { value }]) => [key, plainValue(value, isTyped)])
  return Object.fromEntries(entries)
}

/** Returns the value of a plain scalar of YAML: a number, a boolean, null, or the text. */
function typeOfText(text: string): FieldValue {
  if (/^(?:~|null|)$/i.test(text)) return null
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) ? Number(text) : text
}

/** Converts texts of a configuration, which have lost their quotes, to types with the same text: not `1.10`. */
export function withTypes(value: FieldValue): FieldValue {
  const read = (_: string, item: FieldValue) => {
    const typed = typeof item === 'string' ? typeOfText(item) : item
    return String(typed) === item ? typed : item
  }
  return value === undefined ? value : JSON.parse(JSON.stringify(value), read)
}

/** Returns the literals of a program as texts. */
export function textsOf(data?: ProgramData): Values {
  return parseJson(JSON.stringify(data?.values ?? {})) as Values
}

/** Parses a JSON text, with numbers and booleans as texts. @throws SyntaxError */
export function parseJson(text: string): FieldValue {
  return JSON.parse(text, (_, value) =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
  )
}

/** Returns the value at a path such as `params.author`; keys are case-insensitive. */
export function valueAt(values: Values, path: string): FieldValue {
  return path.split('.').reduce<FieldValue>((value, part) => {
    if (!isMap(value)) return undefined
    const isNamed = (name: string) => name.toLowerCase() === part.toLowerCase()
    const key = Object.hasOwn(value, part) ? part : Object.keys(value).find(isNamed)
    return key === undefined ? undefined : value[key]
  }, values)
}

/** Returns the text at the first path that has a text. */
export function textAt(values: Values, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    // A setting after the first one is not marked as read.
    const value = valueAt(values, path)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return undefined
}

export function isMap(value: FieldValue): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts a value to a list: a single value becomes a list of one, an empty value an empty list. */
export function asList(value: FieldValue): readonly FieldValue[] {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/** Joins maps; later values replace earlier ones. @param joins true to join lists too */
export function merged(under: Values, over: Values, joins = true): Values {
  const entries = Object.entries(over).map(([key, value]): [string, FieldValue] => {
    const other = under[key]
    if (isMap(other) && isMap(value)) return [key, merged(other, value, joins)]
    return [key, joins && Array.isArray(other) ? [...other, ...asList(value)] : value]
  })
  return { ...under, ...Object.fromEntries(entries) }
}

export interface ProgramData {
  readonly values: Values
  readonly computed: readonly { readonly key: string; readonly line: number }[]
}

interface Reading {
  readonly text: string
  readonly variables: Map<string, Node>
  readonly computed: { key: string; line: number }[]
}

/**
 * Returns the object that a program exports, directly or as the result of a function, and its named exports.
 *
 * @param isHead true for front matter: an object, or the variables of a program
 * @returns undefined for a program without an export, or for a text that is not a program
 */
export function dataOfProgram(program: string, isHead = false): ProgramData | undefined {
  const text = isHead ? program.replace(/^\s*(?=\{)/, '$&export default') : program
  const reading: Reading = { text, variables: new Map(), computed: [] }
  const found = statementsOf(reading)
    .map((node) => exportsOf(node, isHead, reading))
    .filter((entries) => entries !== undefined)
  if (found.length === 0) return undefined
  return { values: read(found.flat(), '', reading), computed: reading.computed }
}

function statementsOf({ text }: Reading): readonly AnyNode[] {
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }).body
  } catch {
    return []
  }
}

type Entry = readonly [key: string | undefined, value: Node]

function exportsOf(node: AnyNode, isHead: boolean, reading: Reading): readonly Entry[] | undefined {
  const isNamed = node.type === 'ExportNamedDeclaration'
  const declared = isNamed ? node.declaration : node
  if (declared?.type === 'VariableDeclaration') {
    const named = declared.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init ? [[id.name, init] as const] : [],
    )
    for (const [name, value] of named) reading.variables.set(name, value)
    return isNamed || isHead ? named : undefined
  }
  const { expression } = node.type === 'ExpressionStatement' ? node : {}
  const isAssigned =
    expression?.type === 'AssignmentExpression' &&
    sourceOf(expression.left, reading) === 'module.exports'
  const isDefault = node.type === 'ExportDefaultDeclaration'
  const value = isDefault ? node.declaration : isAssigned ? expression.right : undefined
  const meant = value && meantBy(value as AnyNode, reading)
  return meant?.type === 'ObjectExpression' ? propertiesOf(meant) : undefined
}

/** Resolves a node: to the value of a variable, or to the only result of a function. */
function meantBy(node: AnyNode, reading: Reading): AnyNode | undefined {
  if (node.type === 'Identifier') {
    const value = reading.variables.get(node.name)
    return value?.type === 'Identifier' ? undefined : (value as AnyNode | undefined)
  }
  if (!('params' in node)) return node
  if (node.body.type !== 'BlockStatement') return node.body as AnyNode
  const [last, ...others] = node.body.body.toReversed()
  const isPlain = others.every(({ type }) => type === 'VariableDeclaration')
  if (last?.type !== 'ReturnStatement' || !isPlain) return undefined
  return (last.argument ?? undefined) as AnyNode
}

function propertiesOf({ properties }: ObjectExpression): readonly Entry[] {
  return properties.map((property): Entry => {
    if (property.type === 'SpreadElement') return [undefined, property]
    const { key, value, computed } = property
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    return [computed ? undefined : name, value]
  })
}

function read(entries: readonly Entry[], path: string, reading: Reading): Values {
  const found = entries.flatMap(([name, node]): [string, FieldValue][] => {
    const key = path + (name ?? '…')
    const value = name === undefined ? undefined : literalOf(node as AnyNode, `${key}.`, reading)
    if (value === undefined) reading.computed.push({ key, line: node.loc?.start.line ?? 1 })
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(found)
}

function literalOf(node: AnyNode, path: string, reading: Reading): FieldValue {
  if (node.type === 'Literal')
    return typeof node.value === 'bigint' || node.value instanceof RegExp ? undefined : node.value
  if (node.type === 'ObjectExpression') return read(propertiesOf(node), path, reading)
  if (node.type === 'TemplateLiteral') {
    const places = node.expressions.map((part) => sourceOf(part, reading).replace(/^data\./, ''))
    // Eleventy can read properties of the page in templates too.
    if (places.some((place) => !/^page\.\w+$/.test(place))) return undefined
    const placeAfter = (at: number) => (at < places.length ? `{{ ${places[at]} }}` : '')
    return node.quasis.map(({ value }, at) => value.cooked + placeAfter(at)).join('')
  }
  if (node.type === 'ArrayExpression') {
    const items = node.elements.map((item) => item && literalOf(item as AnyNode, path, reading))
    return items.includes(undefined) ? undefined : items
  }
  const meant = meantBy(node, reading)
  return meant === undefined || meant === node ? undefined : literalOf(meant, path, reading)
}

function sourceOf({ start, end }: Node, { text }: Reading): string {
  return text.slice(start, end)
}
