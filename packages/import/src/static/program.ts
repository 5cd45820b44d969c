// The data that a program in JavaScript exports, as far as literals state it. The program is never run.
import { type AnyNode, type Node, type ObjectExpression, type Options, parse } from 'acorn'
import type { FieldValue } from '../site.ts'
import type { Values } from './front.ts'

/** Data of a program. */
export interface ProgramData {
  /** Values with the types that they have in the program. */
  readonly values: Values
  /** Keys whose values are no literals. */
  readonly computed: readonly { readonly key: string; readonly line: number }[]
  /** The program with blanks in place of comments and of the properties that were read. */
  readonly rest: string
}

interface Reading {
  readonly text: string
  readonly variables: Map<string, Node>
  readonly computed: { key: string; line: number }[]
  /** Ranges of comments, and of properties that were read. */
  readonly done: (readonly [start: number, end: number])[]
}

/**
 * The object that a program exports by itself or as the result of a function, and its named exports.
 *
 * @param isHead true for front matter: an object, or the variables of a program
 * @returns undefined for a program that exports none, or is none
 */
export function dataOfProgram(program: string, isHead = false): ProgramData | undefined {
  const text = isHead && /^\s*\{/.test(program) ? `export default${program}` : program
  const reading: Reading = { text, variables: new Map(), computed: [], done: [] }
  const found = statementsOf(reading)
    .map((node) => exportOf(node, isHead, reading))
    .filter((values) => values !== undefined)
  if (found.length === 0) return undefined
  const rest = reading.done.reduce(
    (left, [start, end]) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  )
  return { values: Object.assign({}, ...found), computed: reading.computed, rest }
}

function statementsOf({ text, done }: Reading): readonly AnyNode[] {
  const onComment: Options['onComment'] = (_, __, start, end) => done.push([start, end])
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onComment })
      .body
  } catch {
    return []
  }
}

function exportOf(node: AnyNode, isHead: boolean, reading: Reading): Values | undefined {
  const isNamed = node.type === 'ExportNamedDeclaration'
  const declared = isNamed ? node.declaration : node
  if (declared?.type === 'VariableDeclaration') {
    const named = declared.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init ? [[id.name, init] as const] : [],
    )
    for (const [name, value] of named) reading.variables.set(name, value)
    return isNamed || isHead ? read(named, '', reading) : undefined
  }
  if (node.type === 'ExportDefaultDeclaration') return objectOf(node.declaration, reading)
  if (node.type !== 'ExpressionStatement') return undefined
  const { expression } = node
  const isExport =
    expression.type === 'AssignmentExpression' &&
    sourceOf(expression.left, reading) === 'module.exports'
  return isExport ? objectOf(expression.right, reading) : undefined
}

function objectOf(node: Node, reading: Reading): Values | undefined {
  const meant = meantBy(node as AnyNode, reading)
  return meant?.type === 'ObjectExpression' ? read(propertiesOf(meant), '', reading) : undefined
}

/** What a node stands for: the value of a variable, or the only result of a function. */
function meantBy(node: AnyNode, reading: Reading): AnyNode | undefined {
  if (node.type === 'Identifier') {
    const value = reading.variables.get(node.name)
    return value?.type === 'Identifier' ? undefined : (value as AnyNode | undefined)
  }
  if (!('params' in node)) return node
  if (node.body.type !== 'BlockStatement') return node.body as AnyNode
  const [last, ...others] = node.body.body.toReversed()
  const isPlain = others.every(({ type }) => type === 'VariableDeclaration')
  return last?.type === 'ReturnStatement' && isPlain
    ? ((last.argument ?? undefined) as AnyNode)
    : undefined
}

type Entry = readonly [key: string | undefined, value: Node, whole?: Node]

function propertiesOf({ properties }: ObjectExpression): readonly Entry[] {
  return properties.map((property): Entry => {
    if (property.type === 'SpreadElement') return [undefined, property]
    const { key, value, computed } = property
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    return [computed ? undefined : name, value, property]
  })
}

/** The literal values of entries; others are noted. */
function read(entries: readonly Entry[], path: string, reading: Reading): Values {
  const { computed, done } = reading
  const found = entries.flatMap(([name, node, whole = node]): [string, FieldValue][] => {
    const count = computed.length
    const key = path + (name ?? '…')
    const value = name === undefined ? undefined : literalOf(node as AnyNode, `${key}.`, reading)
    if (value === undefined) computed.push({ key, line: node.loc?.start.line ?? 1 })
    if (computed.length === count) done.push([whole.start, whole.end])
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(found)
}

/** The value of a node; undefined when it is no literal. */
function literalOf(node: AnyNode, path: string, reading: Reading): FieldValue {
  if (node.type === 'Literal')
    return typeof node.value === 'bigint' || node.value instanceof RegExp ? undefined : node.value
  if (node.type === 'ObjectExpression') return read(propertiesOf(node), path, reading)
  if (node.type === 'TemplateLiteral') {
    const places = node.expressions.map((part) => sourceOf(part, reading).replace(/^data\./, ''))
    // Eleventy knows properties of the page also in templates.
    if (places.some((place) => !/^page\.\w+$/.test(place))) return undefined
    return node.quasis
      .map(({ value }, at) => value.cooked + (at < places.length ? `{{ ${places[at]} }}` : ''))
      .join('')
  }
  if (node.type === 'ArrayExpression') {
    const items = node.elements.map((item) => item && literalOf(item as AnyNode, path, reading))
    return items.includes(undefined) ? undefined : items
  }
  if (
    node.type === 'NewExpression' &&
    sourceOf(node.callee, reading) === 'Date' &&
    node.arguments[0]
  )
    return literalOf(node.arguments[0] as AnyNode, path, reading)
  const meant = meantBy(node, reading)
  return meant === undefined || meant === node ? undefined : literalOf(meant, path, reading)
}

function sourceOf({ start, end }: Node, { text }: Reading): string {
  return text.slice(start, end)
}
