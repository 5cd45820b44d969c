// What is kept of a post says all that its front matter says, and its front matter is not looked at for it.
// Knows nothing of bodies.

import { expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import type { RawContent } from '../../src/content/raw.ts'
import { Scanner } from '../../src/content/scan.ts'
import { Memo } from '../../src/memo/memo.ts'
import { type FrontMatterMapping, mappingsOf } from '../../src/model/front-matter-mapping.ts'
import { buildLibrary } from '../../src/model/library.ts'
import { Documents } from '../../src/pipeline/documents.ts'
import { makeFolder, readContent } from '../content/support.ts'
import fc from '../support/fast-check.ts'

const settings = 'references: create\nfields: { rating: number, level: text }\n'

it('is all that is read of a post that a build has seen', async () => {
  const root = await makeFolder({
    'acme/workspace.yml': settings,
    'acme/posts/a.md': post({ title: 'A', tags: '[x, y]', strange: '1' }),
    'acme/posts/2026-01-02-b.md': post({ title: 'B', fields: '{ rating: 4, level: "1" }' }),
    'acme/posts/c.md': post({ title: 'C', draft: 'true' }),
  })
  const read = readings(root, {})
  const first = await read()
  expect(first.parsed).toBe(3)
  const second = await read()
  expect(second.outcome).toEqual(first.outcome)
  expect(second.outcome.diagnostics).toMatchObject([{ code: 'unknown-key', line: 6 }])
  expect(second).toMatchObject({ parsed: 0, decoded: 0 })
})

it('leads to the front matter of those alone that something is wrong with', async () => {
  const root = await makeFolder({
    'acme/workspace.yml': settings,
    'acme/posts/a.md': post({ title: 'A', slug: 'one' }),
    'acme/posts/b.md': post({ title: 'B', slug: 'two' }),
    'acme/posts/c.md': post({ title: 'C', tags: '[x, x, x]' }),
    'acme/posts/d.md': post({ title: 'D', slug: 'ONE' }),
  })
  const read = readings(root, {})
  const first = await read()
  const second = await read()
  expect(second.outcome).toEqual(first.outcome)
  expect(second.outcome.diagnostics).toMatchObject([
    { file: 'acme/posts/c.md', line: 5, column: 11, lineText: 'tags: [x, x, x]' },
    { file: 'acme/posts/c.md', line: 5, column: 14 },
    { file: 'acme/posts/d.md', line: 5, column: 7, message: expect.stringMatching(/a\.md:5\.$/) },
  ])
  // The post that has the slug is looked at too, for its line.
  expect(second.decoded).toBe(3)
})

it('is made again for another mapping', async () => {
  const root = await makeFolder({
    'acme/workspace.yml': settings,
    'acme/posts/a.md': post({ title: 'A', name: 'Other' }),
  })
  const cache = openCache()
  expect((await readings(root, {}, cache)()).outcome.titles).toEqual(['A'])
  const other = await readings(root, { title: 'name' }, cache)()
  expect(other.outcome.titles).toEqual(['Other'])
  expect(other.parsed).toBe(1)
})

it('says what the front matter says, whatever that is', async () => {
  const texts = fc.constantFrom(
    '',
    '~',
    '""',
    'one',
    'One',
    'no',
    '2026-13-01',
    '2026-01-02',
    '[a]',
  )
  const slugs = fc.constantFrom('[a, b]', '[a, a]', 'a', '[A, ""]', '[[a]]', '{ a: b }')
  const front = fc.record(
    {
      title: texts,
      slug: texts,
      id: texts,
      category: texts,
      tags: slugs,
      authors: slugs,
      date: texts,
      publishedAt: texts,
      updatedAt: texts,
      featured: fc.constantFrom('true', 'no', ''),
      draft: fc.constantFrom('true', 'false', 'maybe'),
      status: fc.constantFrom('draft', 'published', 'x'),
      coverImage: fc.constantFrom('i.png', 'javascript:1', 'https://example.com/a.png'),
      fields: fc.constantFrom('{ rating: 4 }', '{ rating: x }', '{ other: 1 }', 'text', '~'),
      names: slugs,
      strange: texts,
    },
    { requiredKeys: [] },
  )
  const names = ['acme/posts/a.md', 'acme/posts/2026-05-06-b.md', 'acme/posts/c/index.md'] as const
  const mapping = fc.constantFrom<FrontMatterMapping>(
    {},
    { tags: 'names', ignore: ['strange'] },
    { slug: { derive: 'path', slugify: true }, category: { from: 'names', take: 'first' } },
    { draft: { from: 'featured', not: true }, publishedAt: { dates: 'loose' } },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(front, front, front),
      mapping,
      fc.constantFrom('', settings, 'defaults: { category: one }\n'),
      async (fronts, frontMatter, workspace) => {
        const files = names.map((name, index) => [name, post(fronts[index] ?? {})])
        const root = await makeFolder({
          ...Object.fromEntries(files),
          'acme/workspace.yml': workspace,
          'acme/tags.yml': '- { slug: a, name: A }\n',
        })
        const read = readings(root, frontMatter)
        const plain = outcomeOf(await readContent(root), frontMatter)
        expect((await read()).outcome).toEqual(plain)
        expect((await read()).outcome).toEqual(plain)
      },
    ),
    { numRuns: 150 },
  )
})

/** Reads a folder as each build does, by way of one cache; without one nothing is found that was read before. */
function readings(root: string, mapping: FrontMatterMapping, cache = openCache()) {
  return async () => {
    const memo = new Memo(cache, { version: 'test' })
    const scan = await new Scanner(root).scan()
    const documents = new Documents(root, scan, mappingsOf(mapping), memo)
    for await (const { document } of documents.split()) expect(document.file).toMatch(/\.md$/)
    const { workspaces, diagnostics } = await documents.content()
    const content = { workspaces, diagnostics: [...documents.diagnostics, ...diagnostics] }
    const outcome = outcomeOf(content, mapping)
    return { outcome, parsed: memo.runs.get('front matter') ?? 0, decoded: documents.decoded }
  }
}

function outcomeOf(content: RawContent, mapping: FrontMatterMapping) {
  const library = buildLibrary(content, mapping)
  return {
    titles: library.workspaces.flatMap(({ posts }) => posts.map(({ post }) => post.title)),
    workspaces: library.workspaces.map(({ destinations, ...workspace }) => workspace),
    diagnostics: [...content.diagnostics, ...library.diagnostics],
  }
}

function openCache(): Cache {
  const cache = Cache.open(null)
  onTestFinished(() => cache.close())
  return cache
}

function post(fields: Readonly<Record<string, string>>): string {
  const all = { title: 'Title', category: 'one', publishedAt: '2026-01-02', ...fields }
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}\n`)
  return `---\n${lines.join('')}---\nText.\n`
}
