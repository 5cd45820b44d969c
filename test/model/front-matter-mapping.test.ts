import { describe, expect, it } from 'vitest'
import type { FrontMatterMapping } from '../../src/model/map-fields.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** The one post that a foreign front matter makes. */
async function imported(frontMatter: FrontMatterMapping, lines: string, path = 'x.md') {
  const site = temporarySite({ frontMatter })
    .write('content/acme/workspace.yml', 'references: create\ndefaults: { category: news }\n')
    .write(`content/acme/posts/${path}`, `---\ntitle: T\ndate: 2026-01-02\n${lines}\n---\n`)
  const problems = await site.problems()
  const isWhole = problems.length === 0
  const post = isWhole ? site.json('public/v1/acme/posts/index.json').posts[0] : undefined
  return { post, problems }
}

const published = (date: string) => ({ publishedAt: `2026-${date}T00:00:00.000Z` })
const negated = { draft: { from: 'published', not: true } } as const

describe('a front matter mapping', () => {
  it.each<[FrontMatterMapping, string, object]>([
    [{ publishedAt: 'created' }, 'created: 2026-03-04', published('03-04')],
    [{ publishedAt: 'created' }, 'publishedAt: 2026-03-04', published('03-04')],
    [
      { publishedAt: { from: 'at', dates: 'loose' } },
      'at: 2026-01-02 5:06:07 +0200',
      { publishedAt: '2026-01-02T03:06:07.000Z' },
    ],
    [{ tags: { split: ',' } }, 'tags: b, a', { tags: [{ slug: 'b' }, { slug: 'a' }] }],
    [
      { category: { from: 'categories', take: 'first' } },
      'categories: [one, two]',
      { category: { slug: 'one' } },
    ],
    [{ category: { take: 'last' } }, 'category: [one, two]', { category: { slug: 'two' } }],
    [{ category: { take: 'first' } }, 'category: one', { category: { slug: 'one' } }],
    [{ authors: ['by', 'x.y'] }, 'x: { y: Ada }', { authors: [{ slug: 'ada' }] }],
    [{ tags: { split: ' ' } }, 'tags: b  a', { tags: [{ slug: 'b' }, { slug: 'a' }] }],
    [{ category: { default: 'rest' } }, 'tags: []', { category: { slug: 'rest' } }],
    [{ slug: { slugify: true } }, 'slug: Hello, You', { slug: 'hello-you' }],
    [negated, 'published: true', { slug: 'x' }],
    // One key may feed two fields, and a key that is a field of its own stays one.
    [
      { tags: { from: 'category', split: ',' } },
      'category: one',
      { tags: [{ slug: 'one' }], category: { slug: 'one' } },
    ],
  ])('%j reads %j', async (mapping, lines, expected) => {
    const { post, problems } = await imported(mapping, lines)
    expect(problems).toEqual([])
    expect(post).toMatchObject(expected)
  })

  it.each([
    ['draft: true', false],
    ['draft: false', true],
    ['draft: true\npublished: true', false],
    ['status: draft\npublished: true', false],
    ['published: false', false],
  ])('publishes nothing that calls itself a draft: %j', async (lines, isPublished) => {
    const { post } = await imported(negated, lines)
    expect(post !== undefined).toBe(isPublished)
  })

  it('warns of neither the keys that it reads nor those that it ignores', async () => {
    const mapping = { description: 'summary', ignore: ['layout'] } as const
    const { problems } = await imported(mapping, 'summary: S\nlayout: post\nother: x')
    expect(problems).toEqual([expect.stringContaining('acme/posts/x.md:6:1 unknown-key "other"')])
  })

  it.each<[FrontMatterMapping, string, string]>([
    [{ publishedAt: 'created' }, 'created: soon', '4:10 invalid-date `created` "soon" is not'],
    [negated, 'published: "yes"', '4:12 invalid-field `published` "yes" must be true or false.'],
    [{ slug: 'meta.slug' }, 'meta: { slug: a b }', '4:15 invalid-identifier `meta.slug` "a b"'],
    [{ slug: 'name' }, 'slug: a b', '4:7 invalid-identifier `slug` "a b"'],
  ])('tells a bad value with its key and place in the file: %j %j', async (mapping, line, told) => {
    const { problems } = await imported(mapping, line)
    expect(problems).toEqual([expect.stringContaining(`acme/posts/x.md:${told}`)])
  })
})
