// Terms that posts create: their names as typed, and what else posts say of authors.
import { describe, expect, it } from 'vitest'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

function creating(config = {}): TemporarySite {
  return temporarySite(config).write('content/acme/workspace.yml', 'references: create\n')
}

const terms = (site: TemporarySite, kind: string) =>
  site.json(`public/v1/acme/${kind}/index.json`)[kind]
const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)
const postOf = (site: TemporarySite) => site.json('public/v1/acme/posts/a.json').post

describe('a name that no file states', () => {
  it('has the spelling that most posts use, else the first by code point', async () => {
    const site = creating()
      .post('a', { tags: '[javascript, css]' })
      .post('b', { tags: '[JavaScript, CSS]' })
      .post('c', { tags: '[JavaScript]' })
      .post('d', { tags: '[javaScript]', draft: 'true' })
    expect(await site.problems()).toEqual([])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'CSS' }, { name: 'JavaScript' }])
  })

  it('is not that of a scheduled post while a published one names it', async () => {
    const authors = '[{ name: ADA, role: Editor }]'
    const site = creating()
      .post('a', { tags: '[css]', authors: '[Ada]' })
      .post('b', { tags: '[CSS]', authors, publishedAt: '2026-07-01' })
      .post('c', { tags: '[CSS]', publishedAt: '2026-08-01' })
    expect(await site.problems()).toEqual([])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'css' }])
    expect(terms(site, 'authors')).toMatchObject([{ name: 'Ada', role: null }])
    await site.build({ now: Date.UTC(2026, 6, 2) })
    expect(terms(site, 'tags')).toMatchObject([{ name: 'CSS' }])
    expect(terms(site, 'authors')).toMatchObject([{ name: 'ADA', role: 'Editor' }])
  })

  it.each(['js', 'JS', 'JAVASCRIPT'])('means the stated term: %s', async (tag) => {
    const site = creating()
      .write('content/acme/tags/js.md', '---\nname: JavaScript\n---\n')
      .post('a', { tags: `[${tag}]` })
    expect(await site.problems()).toEqual([])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'JavaScript', slug: 'js' }])
  })
})

it('two names that make one slug are a warning', async () => {
  const site = creating().post('a', { tags: '[C]' }).post('b', { tags: '[C++]' })
  const told =
    'b.md:5:8 duplicate-identifier "C++" and "C" make one tag, "c". Define each in a file'
  expect(await site.problems()).toEqual([expect.stringContaining(told)])
  site.write('content/acme/tags/cpp.md', '---\nname: C++\nslug: cpp\n---\n')
  expect(await site.problems()).toEqual([])
})

it.each([
  ['one', ['one']],
  ['\n  - one\n  -', ['one']],
  ['""', []],
])('tags may be one text, and have empty items: %j', async (tags, expected) => {
  const site = creating().post('a', { tags })
  expect(await site.problems()).toEqual([])
  expect(namesOf(postOf(site).tags)).toEqual(expected)
})

it('several categories are one and tags', async () => {
  const site = creating().post('a', { category: '[One, Two, Three]', tags: '[Three, Four]' })
  expect(await site.problems()).toEqual([
    expect.stringMatching(/^acme\/posts\/a\.md:3:17 several-categories A post has one category/),
  ])
  const { category, tags } = postOf(site)
  expect([category.name, ...namesOf(tags)]).toEqual(['One', 'Three', 'Four', 'Two'])
  const problems = await creating().post('a', { category: '[]' }).problems()
  expect(problems).toEqual([expect.stringContaining('missing-field `category` is missing.')])
})

it.each([
  ['Ada', { name: 'Ada', slug: 'ada', image: null, socials: [] }],
  [
    '"[Ada](https://twitter.com/ada)"',
    { name: 'Ada', socials: [{ platform: 'twitter', url: 'https://twitter.com/ada' }] },
  ],
  ['"[Ada](javascript:1)"', { name: 'Ada', socials: [] }],
  ['"Ada [née Byron]"', { name: 'Ada [née Byron]', socials: [] }],
  [
    '{ name: Ada, image: /ada.png, role: Editor, bio: Writes., url: "https://ada.example" }',
    {
      image: '/ada.png',
      role: 'Editor',
      bio: 'Writes.',
      socials: [{ platform: 'website', url: 'https://ada.example' }],
    },
  ],
  [
    '[{ name: Ada, slug: countess, socials: { github: "https://github.com/ada" } }]',
    { slug: 'countess', socials: [{ platform: 'github', url: 'https://github.com/ada' }] },
  ],
])('authors in posts are %j', async (authors, expected) => {
  const site = creating().post('a', { authors })
  expect(await site.problems()).toEqual([])
  expect(postOf(site).authors).toMatchObject([expected])
})

it.each([
  ['{ name: Ada, url: "javascript:1" }', '5:28 invalid-field `authors.0.url` "javascript:1"'],
  ['{ name: Ada, socials: { x: "data:1" } }', '5:37 invalid-field `authors.0.socials.x` "data:1"'],
  ['{ slug: ada }', '5:10 missing-field `authors.0.name` is missing.'],
  ['[[Ada]]', '5:11 invalid-field `authors.0` must be a name, or a map with `name`.'],
])('a mistake in an author of a post is told at its place: %s', async (authors, told) => {
  const problems = await creating().post('a', { authors }).problems()
  expect(problems).toEqual([expect.stringContaining(`acme/posts/a.md:${told}`)])
})
