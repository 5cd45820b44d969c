import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('imports nothing but Node, vitest and files of its own folder', () => {
  const names = readdirSync(import.meta.dirname).filter((name) => /\.m?[jt]s$/.test(name))
  const imported = names.flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8')
    const found = text.matchAll(/^(?:import|export) .*?from '(.*?)'|import\('(.*?)'\)/gms)
    return [...found].map(([, from, dynamic]) => from ?? dynamic ?? '')
  })
  expect(imported.length).toBeGreaterThan(20)
  expect(imported.filter((from) => !/^(node:\w+(\/\w+)?|vitest|\.\/[\w.]+)$/.test(from))).toEqual(
    [],
  )
})
