import { describe, expect, it } from 'vitest'
import type { FrontMatterMapping } from '../../src/model/front-matter-mapping.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** The one post that a foreign front matter makes. */
async function imported(frontMatter: FrontMatterMapping, lines: string, path = 'x.md') {
  const site = temporarySite({ frontMatter })
    .write('content/acme/workspace.yml', 'references: create\ndefaults: { category: news }\n')
    .write(`content/acme/posts/${path}`, `---\ntitle: T\n${lines}\n---\n`)
  const problems = await site.problems()
  const post =
    problems.length === 0 ? site.json('public/v1/acme/posts/index.json').posts[0] : undefined
  return { post, problems }
}

describe('a front matter mapping', () => {
  it.each<[FrontMatterMapping, string, object]>([
    [
      { publishedAt: 'created' },
      'created: 2026-01-02',
      { publishedAt: '2026-01-02T00:00:00.000Z' },
    ],
    [
      { publishedAt: ['no', 'created'] },
      'created: 2026-01-02',
      { publishedAt: '2026-01-02T00:00:00.000Z' },
    ],
    [
      { publishedAt: 'created' },
      'publishedAt: 2026-01-02',
      { publishedAt: '2026-01-02T00:00:00.000Z' },
    ],
    [
      { publishedAt: 'created' },
      'created:\ndate: 2026-01-02',
      { publishedAt: '2026-01-02T00:00:00.000Z' },
    ],
    [
      { publishedAt: { from: 'date', dates: 'loose' } },
      'date: 2026-01-02 5:06:07 +0200',
      { publishedAt: '2026-01-02T03:06:07.000Z' },
    ],
    [{ description: 'summary' }, 'date: 2026-01-02\nsummary: S', { description: 'S' }],
    [
      { tags: { split: ',' } },
      'date: 2026-01-02\ntags: b, a',
      { tags: [{ slug: 'b' }, { slug: 'a' }] },
    ],
    [
      { tags: { split: ' ' } },
      'date: 2026-01-02\ntags: b  a',
      { tags: [{ slug: 'b' }, { slug: 'a' }] },
    ],
    [
      { tags: { slugify: true } },
      'date: 2026-01-02\ntags: [Open Source]',
      { tags: [{ slug: 'open-source' }] },
    ],
    [
      { category: { from: 'categories', take: 'first' } },
      'date: 2026-01-02\ncategories: [one, two]',
      { category: { slug: 'one' } },
    ],
    [{ category: { default: 'rest' } }, 'date: 2026-01-02', { category: { slug: 'rest' } }],
    [{ slug: { slugify: true } }, 'date: 2026-01-02\nslug: Hello, You', { slug: 'hello-you' }],
    [
      { draft: { from: 'published', not: true } },
      'date: 2026-01-02\npublished: true',
      { slug: 'x' },
    ],
    // One key may feed two fields, and a key that is a field of its own stays one.
    [
      { tags: { from: 'category', split: ',' } },
      'date: 2026-01-02\ncategory: one',
      { tags: [{ slug: 'one' }], category: { slug: 'one' } },
    ],
  ])('%j reads %j', async (mapping, lines, expected) => {
    const { post, problems } = await imported(mapping, lines)
    expect(problems).toEqual([])
    expect(post).toMatchObject(expected)
  })

  it('makes a draft of what another tool has not published', async () => {
    const { post } = await imported(
      { draft: { from: 'published', not: true } },
      'date: 2026-01-02\npublished: false',
    )
    expect(post).toBeUndefined()
  })

  it.each([
    ['draft: true', false],
    ['draft: false', true],
    ['', true],
    ['draft: true\npublished: true', false],
    ['status: draft\npublished: true', false],
    ['published: false', false],
  ])('publishes nothing that calls itself a draft: %j', async (lines, isPublished) => {
    const mapping = { draft: { from: 'published', not: true } } as const
    const { post } = await imported(mapping, `date: 2026-01-02\n${lines}`.trim())
    expect(post !== undefined).toBe(isPublished)
  })

  it('negates no default', async () => {
    const mapping = { draft: { from: 'published', not: true, default: 'true' } } as const
    const { post } = await imported(mapping, 'date: 2026-01-02')
    expect(post).toBeUndefined()
  })

  it('makes slugs of whole paths', async () => {
    const { post } = await imported(
      { slug: { derive: 'path' } },
      'date: 2026-01-02',
      'guide/start/index.md',
    )
    expect(post.slug).toBe('guide-start')
  })

  it('makes slugs of file names that are none', async () => {
    const { post } = await imported(
      { slug: { slugify: true } },
      'date: 2026-01-02',
      "What's new?.md",
    )
    expect(post.slug).toBe('whats-new')
  })

  it('warns of neither the keys that it reads nor those that it ignores', async () => {
    const mapping = { publishedAt: 'created', ignore: ['layout'] } as const
    const { problems } = await imported(mapping, 'created: 2026-01-02\nlayout: post\nother: x')
    expect(problems).toEqual([expect.stringContaining('acme/posts/x.md:5:1 unknown-key "other"')])
  })

  it('tells a bad value at its place in the file', async () => {
    const { problems } = await imported({ publishedAt: 'created' }, 'created: soon')
    expect(problems).toEqual([expect.stringContaining('acme/posts/x.md:3:10 invalid-date')])
  })
})
