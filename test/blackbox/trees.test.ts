// Files that builds write, by path, size and hash; see README.md.
import { hash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { expectGolden } from './golden.ts'
import { quarryMust } from './programs.ts'
import { editSite, later, now, writeSite } from './site.ts'

/** Size and hash of a file by its path, in the order of paths. */
type Tree = ReadonlyMap<string, string>

const deployments = [
  ['netlify', 'deploy/netlify/public'],
  ['vercel', '.vercel/output/static'],
  ['static', 'deploy/static/public'],
] as const

const folder = emptyFolder()

describe('the sample site', () => {
  const site = join(folder, 'sample')
  const trees: Record<string, Tree> = {}
  let config = ''

  beforeAll(async () => {
    writeSite(site)
    const build = async (out: string, words: readonly string[]) => {
      await quarryMust(site, ['build', '--cache', 'cache', '--out', out, ...words])
      trees[out] = treeOf(join(site, out))
    }
    await build('first', ['--now', now])
    await build('drafts', ['--now', now, '--drafts'])
    await build('later', ['--now', later])
    await build('clean', ['--now', now, '--force'])
    for (const [host, published] of deployments) {
      await build('dist', ['--now', now, '--for', host])
      // A build for another host has other files, and removes the deployment of this one.
      trees[host] = treeOf(join(site, published), '')
      if (host === 'vercel') config = readFileSync(join(site, '.vercel/output/config.json'), 'utf8')
    }
    cpSync(join(site, 'first'), join(site, 'edited'), { recursive: true })
    editSite(site)
    await build('edited', ['--now', later])
  })

  it('has these files', () => {
    expectGolden({ 'trees/sample.txt': treeLines(trees['first']) })
  })

  it('has the same files with drafts, and when nothing is reused', () => {
    expect(trees['drafts']).toEqual(trees['first'])
    expect(trees['clean']).toEqual(trees['first'])
  })

  it('has other files a month later', () => {
    expectGolden({ 'trees/sample-later.txt': changedLines(trees['first'], trees['later']) })
  })

  it('has other files after edits', () => {
    expectGolden({ 'trees/sample-edited.txt': changedLines(trees['later'], trees['edited']) })
  })

  it.each(deployments)('has these public files on %s', (host) => {
    expectGolden({ [`deployments/${host}.txt`]: publishedLines(trees[host], trees['first']) })
  })

  it('has these objects in a bucket', () => {
    expectGolden({ 'deployments/static-objects.txt': objectLines(site) })
  })

  it('has these routes on vercel', () => {
    const { routes } = JSON.parse(config)
    const lines = routes.map((route: object) => `${JSON.stringify(route)}\n`)
    expectGolden({ 'deployments/vercel-routes.txt': lines.join('') })
  })

  it('says what it has', () => {
    const manifests = ['first', 'later', 'edited'].map((out) => manifestLines(site, out))
    expectGolden({ 'manifests.txt': manifests.join('\n') })
  })
})

describe("the repository's content", () => {
  const site = join(folder, 'repository')

  beforeAll(async () => {
    cpSync(join(import.meta.dirname, '../../content'), join(site, 'content'), { recursive: true })
    const precompute = {
      pageSizes: [10, 3],
      ids: true,
      lists: ['default', 'asc', 'excludeContent', 'all', 'excludeContent+all'],
    }
    writeFileSync(join(site, 'quarry.config.json'), JSON.stringify({ precompute, changes: true }))
    await quarryMust(site, ['build', '--now', now, '--cache', 'cache'])
  })

  it('has these files, with everything precomputed', () => {
    expectGolden({ 'trees/repository.txt': treeLines(treeOf(join(site, 'dist'))) })
  })

  it('has this OpenAPI document', () => {
    const text = readFileSync(join(site, 'dist/public/openapi.json'), 'utf8')
    expectGolden({ 'openapi.json': `${JSON.stringify(JSON.parse(text), null, 1)}\n` })
  })
})

/** Files below `public` and `private`. */
function treeOf(out: string, ...folders: readonly string[]): Tree {
  const tree = new Map<string, string>()
  for (const folder of folders.length === 0 ? ['public', 'private'] : folders) {
    if (!existsSync(join(out, folder))) continue
    const names = readdirSync(join(out, folder), { recursive: true, withFileTypes: true })
    for (const entry of names) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      tree.set(relative(out, file), described(file))
    }
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The page of the explorer is a program, and a list of changes names builds. */
function described(file: string): string {
  const bytes = readFileSync(file)
  if (file.endsWith('.html')) return 'page'
  const text = /\/(changes|status)\.json$/.test(file) ? withoutIds(bytes.toString()) : bytes
  return `${text.length} ${hashOf(text)}`
}

function withoutIds(text: string): string {
  return text.replace(/"build":( ?)"[0-9a-f]{16}"/g, '"build":$1"<build>"')
}

/** Files by folder. Those of v2 that have the bytes of v1 are counted only. */
function treeLines(tree: Tree = new Map()): string {
  const folders = grouped(tree, ([path]) => path.slice(0, path.lastIndexOf('/') + 1))
  return [...folders]
    .map(([folder, files]) => {
      const own = files.filter(
        ([path, file]) => twinOf(path) === path || tree.get(twinOf(path)) !== file,
      )
      const twins = files.length - own.length
      const lines = own.map(([path, file]) => `  ${path.slice(folder.length)} ${file}\n`)
      return `${folder}\n${twins === 0 ? '' : `  ${twins} files as in v1\n`}${lines.join('')}`
    })
    .join('')
}

/** The file of v1 with the same response. */
function twinOf(path: string): string {
  return path.replace('private/v2/', 'public/v1/')
}

/** What is added, changed and removed. */
function changedLines(before: Tree = new Map(), after: Tree = new Map()): string {
  const changed = new Map<string, string>()
  for (const [path, file] of after) {
    const isTwin = after.get(twinOf(path)) === file && before.has(path) === before.has(twinOf(path))
    if (before.get(path) !== file && !(isTwin && twinOf(path) !== path))
      changed.set(`${before.has(path) ? '' : 'new '}${path}`, file)
  }
  const removed = [...before.keys()]
    .filter((path) => !after.has(path))
    .map((path) => `removed ${path}\n`)
  return [...changed].map(([path, file]) => `${path} ${file}\n`).join('') + removed.join('')
}

/** For each folder, how many files it has, how many of those have the bytes of one in `dist/public`, and their hash. */
function publishedLines(tree: Tree = new Map(), built: Tree = new Map()): string {
  const known = new Set(
    [...built].filter(([path]) => path.startsWith('public/')).map(([, of]) => of),
  )
  const folders = grouped(tree, ([path]) => path.slice(0, path.lastIndexOf('/') + 1))
  const line = (folder: string, files: readonly (readonly [string, string])[]) => {
    const same = files.filter(([, file]) => known.has(file)).length
    const text = files.map((file) => file.join(' ')).join('\n')
    return `/${folder} ${files.length} files, ${same} as built, ${hashOf(text)}\n`
  }
  return [...folders].map(([folder, files]) => line(folder, files)).join('')
}

/** The objects of a bucket, by type and caching: key and file. */
function objectLines(site: string): string {
  const deployment = join(site, 'deploy/static')
  const text = readFileSync(join(deployment, 'objects.json'), 'utf8')
  const objects: readonly Readonly<Record<string, string>>[] = JSON.parse(text)
  expect(objects.filter(({ file = '' }) => !existsSync(join(deployment, file)))).toEqual([])
  const kinds = grouped(objects, ({ key: _, file: __, ...kind }) => Object.values(kind).join(' | '))
  return [...kinds]
    .map(([kind, of]) => `${kind}\n${of.map(({ key, file }) => `  ${key} ${file}\n`).join('')}`)
    .join('')
}

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function hashOf(bytes: string | Uint8Array): string {
  return hash('sha256', bytes).slice(0, 12)
}

/** The manifest, without what depends on the insides of `function`. */
function manifestLines(site: string, out: string): string {
  const manifest = JSON.parse(readFileSync(join(site, out, 'manifest.json'), 'utf8'))
  expect(existsSync(join(site, out, 'function'))).toBe(true)
  expect(manifest.build).toMatch(/^[0-9a-f]{16}$/)
  expect(manifest.contentHash).toMatch(/^[0-9a-f]{64}$/)
  const { validFrom, validUntil, workspaces } = manifest
  return `${out}\n${JSON.stringify({ validFrom, validUntil, workspaces }, null, 1)}\n`
}
