// What programs of hosts import, and the list of all packages. `npm run unused` checks what the modules import.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const { dependencies, devDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

/** Compiled files with the modules that they name. */
const files = readdirSync(join(root, '.lib'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.m?js$/.test(path))
  .map((path) => {
    const text = readFileSync(join(root, '.lib', path), 'utf8')
    const { importedFiles } = ts.preProcessFile(text, true, true)
    return { path, text, names: importedFiles.map(({ fileName }) => fileName) }
  })
const bundles = files.filter(({ path }) => /^functions|^render-worker/.test(path))

function packagesOf(of: typeof files): readonly string[] {
  const named = of.flatMap(({ names }) => names.filter((name) => !/^[.#]|^node:/.test(name)))
  const all = named.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  return [...new Set(all)].filter((name) => !builtinModules.includes(name)).sort()
}

it('programs of hosts and the render thread need no packages', () => {
  expect(bundles.length).toBeGreaterThan(8)
  expect(packagesOf(bundles)).toEqual([])
})

it('Node loads the handlers, with the files next to them', () => {
  const handlers = bundles.filter(({ path }) => /-handler\.js$|mjs$/.test(path))
  const script = handlers.map(({ path }) => `await import(${JSON.stringify(`./.lib/${path}`)})`)
  const flags = ['--input-type=module', '--eval', script.join('\n')]
  expect(handlers.length).toBeGreaterThan(6)
  execFileSync(process.execPath, flags, { cwd: root, stdio: 'pipe' })
})

it('the packages on which the project is to be built are there', () => {
  const base = ['gray-matter', 'unified', 'remark-parse', 'remark-html', 'fast-glob', 'commander']
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(base))
  expect(Object.keys(devDependencies)).toContain('vitest')
})

it('every package has a line in the documentation', () => {
  const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  const named = new Set(lines.flatMap((line) => line.match(/`[^`]+`/g) ?? []))
  const all = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies })
  const isNamed = (name: string) => named.has(`\`${name.replace(/^@types\/.*/, '@types/*')}\``)
  expect(all.filter((name) => !isNamed(name))).toEqual([])
})
