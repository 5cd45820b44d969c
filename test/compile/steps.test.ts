import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'

const steps = new URL('../../.tools/compile/steps.mjs', import.meta.url).href
const program = `
import { readFileSync, writeFileSync } from 'node:fs'
import { step } from ${JSON.stringify(steps)}
await step('copy', ['a.txt'], async () => {
  writeFileSync('copy.txt', readFileSync('a.txt', 'utf8') + readFileSync('node_modules/b/b.txt', 'utf8'))
  return { inputs: ['node_modules/b/b.txt'], outputs: ['copy.txt'] }
})
`

/** A project with one step, made once. */
function compiledProject(): { readonly folder: string; readonly compile: () => string } {
  const folder = emptyFolder({
    'a.txt': 'a',
    'node_modules/b/b.txt': 'b',
    'node_modules/.package-lock.json': '{"b": "1.0.0"}',
    'package.json': '{}',
    'package-lock.json': '{"b": "1.0.0"}',
    'tsconfig.json': '{}',
    '.tools/compile/copy.mjs': program,
  })
  const script = join(folder, '.tools/compile/copy.mjs')
  const compile = () => execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
  compile()
  return { folder, compile }
}

it('leaves a step out whose files have the same content, whatever their dates', () => {
  const { folder, compile } = compiledProject()
  for (const path of ['a.txt', 'copy.txt']) utimesSync(join(folder, path), 1, 1)
  expect(compile()).toBe('')
})

it.each([
  ['a source', 'a.txt', 'A'],
  ['a file of a package', 'node_modules/b/b.txt', 'B'],
  ['the version of an installed package', 'node_modules/.package-lock.json', '{"b": "1.0.1"}'],
  ['the version of a package', 'package-lock.json', '{"b": "1.0.1"}'],
  ['the script', '.tools/compile/copy.mjs', `${program}\n`],
  ['another script', '.tools/compile/other.mjs', ''],
  ['its output', 'copy.txt', 'ab, by hand'],
  ['its record', '.lib/steps/copy.json', '{"inp'],
  ['the options of the compiler', 'tsconfig.json', '{ }'],
])('runs a step again after a change of %s, once', (_, path, text) => {
  const { folder, compile } = compiledProject()
  writeFileSync(join(folder, path), text)
  expect(compile()).toBe('compile: copy\n')
  expect(compile()).toBe('')
})

it('runs a step again whose output is gone', () => {
  const { folder, compile } = compiledProject()
  rmSync(join(folder, 'copy.txt'))
  expect(compile()).toBe('compile: copy\n')
  expect(existsSync(join(folder, 'copy.txt'))).toBe(true)
})

it('runs a step again that failed', () => {
  const { folder, compile } = compiledProject()
  rmSync(join(folder, 'a.txt'))
  expect(compile).toThrow('a.txt')
  writeFileSync(join(folder, 'a.txt'), 'a')
  expect(compile()).toBe('compile: copy\n')
})

it('runs a step again whose input changed while it ran', () => {
  const { folder, compile } = compiledProject()
  const script = join(folder, '.tools/compile/copy.mjs')
  const edit = "writeFileSync('a.txt', 'edited meanwhile'); writeFileSync('copy.txt'"
  writeFileSync(script, program.replace("writeFileSync('copy.txt'", edit))
  expect(compile()).toContain('a file changed while copy ran')
  writeFileSync(script, program)
  expect(compile()).toBe('compile: copy\n')
  expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe('edited meanwhileb')
  expect(compile()).toBe('')
})

it('tells a step whether its outputs are as it wrote them, and depends on a text', () => {
  const { folder, compile } = compiledProject()
  const script = join(folder, '.tools/compile/copy.mjs')
  const told = program.replace('async () => {', 'async (areIntact) => { console.log(areIntact)')
  const withKey = (key: string) => writeFileSync(script, told.replace(/\}\)\n$/, `}, '${key}')\n`))
  withKey('one')
  expect(compile()).toBe('compile: copy\ntrue\n')
  writeFileSync(join(folder, 'copy.txt'), '')
  expect(compile()).toBe('compile: copy\nfalse\n')
  expect(compile()).toBe('')
})
