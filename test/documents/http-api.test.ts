// docs/http-api.md: its table of parameters says what is declared. UPDATE=1 writes it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { descriptionOf } from '../../src/api/openapi.ts'
import {
  type OperationKind,
  type ParameterName,
  parameterTable,
  typeOf,
} from '../../src/api/parameter-table.ts'
import { defaultParameters } from '../../src/api/request.ts'

const file = join(import.meta.dirname, '../../docs/http-api.md')
const text = readFileSync(file, 'utf8')

const operationNames: Partial<Record<OperationKind, string>> = {
  posts: 'post list',
  post: 'single post',
  terms: 'lists of categories, tags, authors',
  term: 'one of these',
  sitemap: 'sitemap',
  changes: 'changes',
}

describe('the table of parameters', () => {
  it('says what is declared', () => {
    const names = Object.keys(parameterTable) as ParameterName[]
    const rows = names.filter((name) => operationsOf(name).length > 0).map(rowOf)
    const table = ['| parameter | where | meaning | values | default |', '|---|---|---|---|---|']
    const made = `${[...table, ...rows].join('\n')}\n`
    const [shown = ''] = /^\| parameter \|[\s\S]*?\n(?=\n)/m.exec(text) ?? []
    if (process.env['UPDATE'] === '1')
      writeFileSync(
        file,
        text.replace(shown, () => made),
      )
    else expect(shown).toBe(made)
  })
})

function operationsOf(name: ParameterName): readonly OperationKind[] {
  return (Object.keys(operationNames) as OperationKind[]).filter((operation) =>
    parameterTable[name].on.includes(operation),
  )
}

function rowOf(name: ParameterName): string {
  const operations = operationsOf(name)
  const where = operations.map((operation) => operationNames[operation])
  const [operation = 'posts'] = operations
  const meaning = name === 'include' ? includeMeaning(operations) : descriptionOf(name, operation)
  const value = name === 'strict' ? '' : defaultParameters[name]
  const isShown = (typeof value === 'string' && value !== '') || typeof value === 'number'
  const cells = [
    `${where.join('; ')}${parameterTable[name].needsKey ? ', with a key' : ''}`,
    meaning.replace(/\.$/, ''),
    name === 'include' ? 'any of these' : valuesOf(typeOf(name, operation).schema),
    isShown ? `\`${value}\`` : '',
  ]
  return `| \`${name}\` | ${cells.join(' | ').replaceAll('|  |', '| |')} |`
}

/** The values of `include` that any of the operations takes, each once. */
function includeMeaning(operations: readonly OperationKind[]): string {
  const parts = operations.flatMap((each) => {
    const [lead = '', ...values] = descriptionOf('include', each).split(/(?<=:) |, (?=`)/)
    return [lead, ...values.map((value) => value.replace(/\.$/, ''))]
  })
  const [lead, ...values] = new Set(parts)
  return `${lead} ${values.join('; ')}`
}

interface ValueSchema {
  readonly type?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly description?: string
  readonly items?: ValueSchema
  readonly anyOf?: readonly ValueSchema[]
}

function valuesOf(schema: ValueSchema): string {
  const { type, enum: words, minimum, maximum, maxLength, maxItems, items, anyOf } = schema
  if (schema.description !== undefined) return schema.description
  if (anyOf !== undefined) return anyOf.map(valuesOf).join(', or ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (type === 'boolean') return '`true`, `false`'
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ')
  if (type === 'integer')
    return maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `${minimum} to ${maximum}`
  if (type === 'array') {
    const most = maxItems === undefined ? '' : `, at most ${maxItems}`
    return `${items?.enum === undefined ? 'a list with commas' : valuesOf(items)}${most}`
  }
  return `text, at most ${maxLength} characters`
}
