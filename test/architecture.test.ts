import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../src/', import.meta.url))

/** Each may import those before it, and itself. */
const rooms = [
  ...['diagnostics.ts', 'api', 'search', 'snapshot', 'content', 'model'],
  ...['markdown', 'runtime', 'mcp', 'config', 'config.ts', 'build', 'hosts'],
  ...['cli', 'authoring.ts', 'index.ts', 'runtime.ts', 'loaders.ts', 'vite.ts', 'astro.ts'],
]

/** Rooms that run in a worker, and the packages that they may take there; of the client, types. */
const portableRooms = ['diagnostics.ts', 'api', 'search', 'snapshot', 'runtime', 'runtime.ts']
const portablePackages = ['@noble/hashes', 'fast-decode-uri-component', '#client']

interface SourceFile {
  /** Below `src`, with `/`. */
  readonly path: string
  /** Modules as they are named, those of types too. */
  readonly imports: readonly string[]
}

const files: readonly SourceFile[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map((path) => ({ path, imports: importsIn(readFileSync(join(folder, path), 'utf8')) }))

describe('the source', () => {
  it('has no file outside the rooms', () => {
    expect(files.filter(({ path }) => !rooms.includes(roomOf(path)))).toEqual([])
  })

  it('has every file that its page names', () => {
    const page = readFileSync(join(folder, '../docs/architecture.md'), 'utf8')
    const named = Array.from(page.matchAll(/`([\w-]+\/[\w-]+\.ts)`/g), ([, path]) => path)
    expect(named.filter((path) => !files.some((file) => file.path === path))).toEqual([])
    const sections = Array.from(page.matchAll(/^\*\*`(\w+)\/`\*\*(.+?)\n\n/gms), (found) => found)
    const order = sections.map(([, room]) => room)
    expect(order).toEqual(rooms.filter((room) => /^\w+$/.test(room)))
    for (const [, room = '', text = ''] of sections) {
      const own = files.flatMap(({ path }) =>
        roomOf(path) === room ? posix.basename(path, '.ts') : [],
      )
      const shown = Array.from(text.matchAll(/`([a-z][a-z-]*)`/g), ([, name = '']) => name)
      // A host and a command are in the file with their name.
      if (!['hosts', 'config', 'cli'].includes(room))
        expect(shown).toEqual(expect.arrayContaining(own))
      else expect(own).toEqual(expect.arrayContaining(shown))
    }
  })

  it('has rooms that import only rooms above them', () => {
    const rank = (path: string) => rooms.indexOf(roomOf(path))
    const wrong = localImports().filter(({ from, to }) => rank(to) > rank(from))
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it('has a search that imports nothing else', () => {
    const foreign = localImports().filter(
      ({ from, to }) => roomOf(from) === 'search' && roomOf(to) !== 'search',
    )
    expect(foreign).toEqual([])
  })

  it('needs no Node and hardly a package where it runs in a worker', () => {
    const foreign = files
      .filter(({ path }) => portableRooms.includes(roomOf(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => !name.startsWith('.') && !isOneOf(portablePackages, name))
          .map((name) => `${path} imports ${name}`),
      )
    expect(foreign).toEqual([])
  })

  it('is not imported by the black box, which runs what is compiled', () => {
    const box = fileURLToPath(new URL('blackbox/', import.meta.url))
    const shared = ['command-line.ts', 'empty-folder.ts', 'cleanup.ts']
    const imported = [...shared.map((name) => `../support/${name}`), ...readdirSync(box)]
      .filter((name) => /\.m?[jt]s$/.test(name))
      .flatMap((name) => importsIn(readFileSync(join(box, name), 'utf8')))
    const isShared = (name: string) => shared.includes(name.replace('../support/', ''))
    const allowed = /^(?:node:[\w/]+|vitest(?:\/suite)?|\.\/[\w.-]+)$/
    expect(imported.length).toBeGreaterThan(20)
    expect(imported.filter((name) => !allowed.test(name) && !isShared(name))).toEqual([])
  })
})

function importsIn(text: string): readonly string[] {
  return ts.preProcessFile(text, true, false).importedFiles.map((file) => file.fileName)
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function localImports(): readonly { readonly from: string; readonly to: string }[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('.'))
      .map((name) => ({ from: path, to: posix.join(posix.dirname(path), name) })),
  )
}

function isOneOf(packages: readonly string[], name: string): boolean {
  return packages.some((known) => name === known || name.startsWith(`${known}/`))
}
