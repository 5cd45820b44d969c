// docs/http-api.md: its list of parameters says what is declared. UPDATE=1 writes it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
  posts: 'lists of posts',
  post: 'single posts',
  terms: 'other lists',
  term: 'other single resources',
  sitemap: 'the sitemap',
  changes: '`changes`',
}

it('docs/http-api.md lists the parameters as they are declared', () => {
  const names = Object.keys(parameterTable) as ParameterName[]
  const made = names.filter((name) => operationsOf(name).length > 0).map(lineOf)
  const list = /(?<=<!-- parameters -->\n\n)(?:- .*\n)+/
  const [shown = ''] = list.exec(text) ?? []
  if (process.env['UPDATE'] === '1')
    writeFileSync(
      file,
      text.replace(list, () => made.join('')),
    )
  else expect(shown).toBe(made.join(''))
})

function operationsOf(name: ParameterName): readonly OperationKind[] {
  return (Object.keys(operationNames) as OperationKind[]).filter((operation) =>
    parameterTable[name].on.includes(operation),
  )
}

function lineOf(name: ParameterName): string {
  const operations = operationsOf(name)
  const [operation = 'posts'] = operations
  const isOfLists = operations.includes('posts')
  const places = operations.filter((each) => each !== 'posts').map((each) => operationNames[each])
  const key = parameterTable[name].needsKey ? ', with a key' : ''
  const meaning =
    name === 'include' ? 'Adds [data](#included-data).' : descriptionOf(name, operation)
  const value = name === 'strict' ? '' : defaultParameters[name]
  const isShown = (typeof value === 'string' && value !== '') || typeof value === 'number'
  const details = [
    name === 'include' ? '' : valuesOf(typeOf(name, operation).schema),
    isShown ? `\`${value}\` by default` : '',
    places.length === 0 ? '' : `${isOfLists ? 'also ' : ''}on ${places.join(', ')}${key}`,
  ].filter((part) => part !== '')
  const remark = details.length === 0 ? '' : ` (${details.join('; ')})`
  return `- \`${name}\`${remark}: ${meaning}\n`
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

/** The values of a parameter; empty for lists of slugs and for dates, which are described together. */
function valuesOf(schema: ValueSchema): string {
  const { type, enum: words, minimum, maximum, maxLength, items, anyOf } = schema
  if (schema.description !== undefined) return ''
  if (anyOf !== undefined) return anyOf.map(valuesOf).join(', or ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (type === 'boolean') return '`true` or `false`'
  if (words !== undefined)
    return words.length > 10 ? 'keys of a post' : words.map((word) => `\`${word}\``).join(', ')
  if (type === 'integer')
    return maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `${minimum} to ${maximum}`
  if (type === 'array') return items?.enum === undefined ? '' : valuesOf(items)
  return `at most ${maxLength} characters`
}
