// Files that the bundled command loads for a build: its start is most of a build without a change.
import { readFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'
import { expect, it } from 'vitest'

const metafile = new URL('../../.lib/node-metafile.json', import.meta.url)
const { outputs }: Metafile = JSON.parse(readFileSync(metafile, 'utf8'))

/** Entries that a build without a change loads. */
const ofBuilds = ['src/cli/main.ts', 'src/cli/build-command.ts']
/** Where little has changed. */
const ofEdits = [...ofBuilds, 'part:edit']
/** Where search segments are made in the main thread. */
const ofSegments = [...ofEdits, 'part:segment']
/** Where front matter has changed. */
const ofFrontMatter = ['part:content', 'src/content/entries.ts']

it('needs no parser of Markdown to build: threads have their own', () => {
  const packages = packagesOf(...ofSegments, ...ofFrontMatter)
  expect(packages).toContain('yaml')
  expect(
    [...packages].filter((name) => /^(?:micromark|mdast|remark|unified|hast)/.test(name)),
  ).toEqual([])
})

it.each([
  ['nothing', ofBuilds],
  ['nothing but bodies', ofSegments],
])('needs nothing to list folders nor to read front matter where %s changed', (_, entries) => {
  const packages = packagesOf(...entries)
  const unneeded = ['fast-glob', 'gray-matter', 'zod', 'yaml']
  expect([...packagesOf(...entries, ...ofFrontMatter)]).toEqual(expect.arrayContaining(unneeded))
  for (const name of unneeded) expect(packages).not.toContain(name)
})

it('needs neither threads nor other programs of Node where little changed', () => {
  const unneeded = ['tinypool', 'node:worker_threads', 'node:perf_hooks', 'node:child_process']
  const named = (...entries: readonly string[]) =>
    unneeded.filter((name) => openedBy(...entries).some((path) => loads(path, name)))
  expect(named(...ofBuilds)).toEqual([])
  expect(named(...ofSegments)).toEqual([])
  expect(named('src/platforms/node/metrics.ts')).toContain('node:perf_hooks')
})

it('needs nothing to make search segments with where threads make them', () => {
  const sources = sourcesOf(...ofEdits)
  expect(sources).toContain('src/emit/segment-threads.ts')
  expect(sources).not.toContain('src/query/index-builder.ts')
  expect(sourcesOf(...ofSegments)).toContain('src/query/index-builder.ts')
})

it('speaks English alone', () => {
  expect(packagesOf(...ofFrontMatter).has('zod')).toBe(true)
  expect(sourcesOf(...ofFrontMatter).filter((path) => path.includes('zod/v4/locales/'))).toEqual([
    'node_modules/zod/v4/locales/en.js',
  ])
})

/** Whether a file loads a module when it is loaded itself. */
function loads(path: string, name: string): boolean {
  const found = outputs[path]?.imports.some(
    (one) => one.kind !== 'dynamic-import' && [name, name.slice('node:'.length)].includes(one.path),
  )
  return found === true
}

/** Packages in the files that these entries open. */
function packagesOf(...entries: readonly string[]): ReadonlySet<string> {
  const packages = sourcesOf(...entries).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  return new Set(packages)
}

/** Sources with code in those files. */
function sourcesOf(...entries: readonly string[]): readonly string[] {
  return openedBy(...entries).flatMap((path) =>
    Object.entries(outputs[path]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([source]) => source),
  )
}

/** The files of these entries, and all that those import. */
function openedBy(...entries: readonly string[]): readonly string[] {
  const all = Object.keys(outputs)
  const paths = new Set(
    entries.map(
      (entry) =>
        all.find((path) => outputs[path]?.entryPoint === entry) ??
        expect.unreachable(`no file of ${entry}`),
    ),
  )
  for (const path of paths)
    for (const { kind, external, path: next } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) paths.add(next)
  return [...paths]
}
