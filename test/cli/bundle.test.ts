// What the bundled command loads for a build: its start is most of a build without a change.
// Knows nothing of what the code does.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../.lib/command/', import.meta.url))

/** What is loaded of a build that writes something. */
const ofBuilds = ['main', 'build-command', 'site', 'write-site', 'render-threads']
/** Where little has changed, and where much has. */
const ofEdits = [...ofBuilds, 'segment']
/** Where front matter has changed. */
const ofFrontMatter = ['front-matter', 'post-summary', 'library']

it('needs no parser of Markdown to build: threads have their own', () => {
  const packages = packagesOf(...ofEdits, ...ofBuilds, ...ofFrontMatter)
  expect(packages).toContain('yaml')
  expect(
    [...packages].filter((name) => /^(?:micromark|mdast|remark|unified|hast)/.test(name)),
  ).toEqual([])
})

it.each([
  ['nothing', ['main', 'build-command']],
  ['nothing but bodies', ofEdits],
])('needs nothing to list folders nor to read front matter where %s changed', (_, chunks) => {
  const packages = packagesOf(...chunks)
  const unneeded = ['fast-glob', 'gray-matter', 'zod', 'yaml']
  expect([...packagesOf(...chunks, 'entries', ...ofFrontMatter)]).toEqual(
    expect.arrayContaining(unneeded),
  )
  for (const name of unneeded) expect(packages).not.toContain(name)
})

it('needs neither threads nor other programs of Node where little changed', () => {
  const unneeded = ['tinypool', 'node:worker_threads', 'node:perf_hooks', 'node:child_process']
  const named = (...chunks: readonly string[]) =>
    unneeded.filter((name) => textsOf(...chunks).some((text) => loads(text, name)))
  expect(named('main', 'build-command')).toEqual([])
  expect(named(...ofEdits)).toEqual([])
})

it('needs nothing to make search segments with where threads make them', () => {
  const sources = sourcesOf(...ofBuilds)
  expect(sources).toContain('src/emit/segment-threads.ts')
  expect(sources).not.toContain('src/query/index-builder.ts')
  expect(sourcesOf(...ofEdits)).toContain('src/query/index-builder.ts')
})

it('speaks English alone', () => {
  expect(packagesOf(...ofFrontMatter).has('zod')).toBe(true)
  expect(sourcesOf(...ofFrontMatter).filter((path) => path.includes('zod/v4/locales/'))).toEqual([
    'node_modules/zod/v4/locales/en.js',
  ])
})

/** Whether a chunk loads a module when it is loaded itself. */
function loads(text: string, name: string): boolean {
  return text.replaceAll(`import("${name}")`, '').includes(`"${name}"`)
}

/** Packages in the chunks that begin with these names, and in all that those import at once. */
function packagesOf(...names: readonly string[]): ReadonlySet<string> {
  const packages = sourcesOf(...names).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  return new Set(packages)
}

/** The files that such chunks were made of. */
function sourcesOf(...names: readonly string[]): readonly string[] {
  return textsOf(...names).flatMap((text) =>
    [...text.matchAll(/^\/\/ ((?:node_modules|src)\/.+)$/gm)].map(([, path = '']) => path),
  )
}

/** The text of such chunks. */
function textsOf(...names: readonly string[]): readonly string[] {
  const chunks = readdirSync(folder)
  const waiting = names.map(
    (name) =>
      chunks.find(
        (chunk) =>
          chunk === `${name}.js` ||
          (/^-[0-9A-Z]{8}\.js$/.test(chunk.slice(name.length)) && chunk.startsWith(name)),
      ) ?? expect.unreachable(`no chunk of ${name}`),
  )
  const texts = new Map<string, string>()
  for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
    if (texts.has(chunk)) continue
    const text = readFileSync(`${folder}${chunk}`, 'utf8')
    texts.set(chunk, text)
    for (const [, name = ''] of text.matchAll(
      /^(?:import|\} from|export .*? from).*?"\.\/([^"]+)"/gm,
    ))
      waiting.push(name)
  }
  return [...texts.values()]
}
