// docs/http-api.md: its list of parameters has those that are declared, in their order, with their defaults and limits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  defaultParameters,
  type ParameterName,
  parameterTable,
  typeOf,
} from '../../src/api/parameters.ts'

const documented = ['posts', 'post', 'terms', 'term', 'sitemap', 'changes'] as const

it('docs/http-api.md lists the parameters as they are declared', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/http-api.md'), 'utf8')
  const [list = ''] = /(?<=<!-- parameters -->\n\n)(?:- .*\n)+/.exec(text) ?? []
  const lines = new Map(list.split('\n').map((line) => [line.split('`')[1] ?? '', line]))
  lines.delete('')
  const names = (Object.keys(parameterTable) as ParameterName[]).filter((name) =>
    documented.some((operation) => parameterTable[name].on.includes(operation)),
  )
  expect([...lines.keys()]).toEqual(names)
  for (const name of names) {
    const value = name === 'strict' ? '' : defaultParameters[name]
    const isShown = typeof value === 'number' || (typeof value === 'string' && value !== '')
    if (isShown) expect(lines.get(name)).toContain(`\`${value}\` by default`)
    const operation = documented.find((kind) => parameterTable[name].on.includes(kind)) ?? 'posts'
    const schema: { enum?: readonly string[]; maxLength?: number } = typeOf(name, operation).schema
    const { enum: words = [], maxLength } = schema
    for (const word of words) expect(lines.get(name)).toContain(`\`${word}\``)
    if (maxLength !== undefined && name !== 'since')
      expect(lines.get(name)).toContain(`at most ${maxLength} characters`)
  }
})
