// Terms that posts create: their names as typed, and what else posts say of authors.
import { describe, expect, it } from 'vitest'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

function creating(config = {}): TemporarySite {
  return temporarySite(config).write('content/acme/workspace.yml', 'references: create\n')
}

const terms = (site: TemporarySite, kind: string) =>
  site.json(`public/v1/acme/${kind}/index.json`)[kind]

describe('a name that no file states', () => {
  it('stays as it was typed, and its slug is made of it', async () => {
    const site = creating().post('first', {
      category: 'Open Source',
      tags: '[JavaScript, Node.js, "  Two   words "]',
      authors: '[Simon Zünd]',
    })
    expect(await site.problems()).toEqual([])
    const { post } = site.json('public/v1/acme/posts/first.json')
    expect(post).toMatchObject({
      category: { name: 'Open Source', slug: 'open-source' },
      tags: [
        { name: 'JavaScript', slug: 'javascript' },
        { name: 'Node.js', slug: 'node-js' },
        { name: 'Two words', slug: 'two-words' },
      ],
      authors: [{ name: 'Simon Zünd', slug: 'simon-zünd' }],
    })
    expect(site.json('public/v1/acme/tags/javascript.json').count).toEqual({ posts: 1 })
  })

  it('has the spelling that most posts use, and the others are warned of once', async () => {
    const site = creating()
      .post('a', { tags: '[javascript]' })
      .post('b', { tags: '[JavaScript]' })
      .post('c', { tags: '[JavaScript]' })
      .post('d', { tags: '[javascript]' })
      .post('e', { tags: '[JavaScript]' })
    expect(await site.problems()).toEqual([
      'acme/posts/a.md:5:8 differing-spelling "javascript" is the tag that is "JavaScript" elsewhere (3 times). Use one spelling, or define the tag in a file.',
    ])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'JavaScript', slug: 'javascript' }])
  })

  it('is the first by code point where two are as frequent', async () => {
    const site = creating().post('a', { tags: '[css]' }).post('b', { tags: '[CSS]' })
    await site.build()
    expect(terms(site, 'tags')).toMatchObject([{ name: 'CSS', slug: 'css' }])
  })

  it('is not that of a draft', async () => {
    const site = creating()
      .post('a', { tags: '[css]' })
      .post('b', { tags: '[CSS]', draft: 'true' })
      .post('c', { tags: '[CSS]', draft: 'true' })
    expect(await site.problems()).toEqual([])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'css' }])
  })

  it('is not that of a scheduled post while a published one names it', async () => {
    const site = creating()
      .post('a', { tags: '[css]', authors: '[Ada]' })
      .post('b', {
        tags: '[CSS]',
        authors: '[{ name: ADA, role: Editor }]',
        publishedAt: '2026-07-01',
      })
      .post('c', { tags: '[CSS]', publishedAt: '2026-08-01' })
    expect(await site.problems()).toEqual([])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'css' }])
    expect(terms(site, 'authors')).toMatchObject([{ name: 'Ada', role: null }])
    await site.build({ now: Date.UTC(2026, 6, 2) })
    expect(terms(site, 'tags')).toMatchObject([{ name: 'CSS' }])
    expect(terms(site, 'authors')).toMatchObject([{ name: 'ADA', role: 'Editor' }])
  })

  it('is named anew by the next build after a publication, when nothing else changed', async () => {
    const site = temporarySite({ cache: 'cache' })
      .write('content/acme/workspace.yml', 'references: create\n')
      .post('a', { tags: '[css]' })
      .post('b', { tags: '[CSS]', publishedAt: '2026-07-01' })
    await site.build()
    await site.post('a', { tags: '[css]' }, 'Other text.\n').build({ now: Date.UTC(2026, 6, 2) })
    expect(terms(site, 'tags')).toMatchObject([{ name: 'CSS' }])
  })

  it('is that of a post rather than that of a default', async () => {
    const site = temporarySite()
      .write('content/acme/workspace.yml', 'references: create\ndefaults: { category: essays }\n')
      .post('a', { category: '' })
      .post('b', { category: '' })
      .post('c', { category: 'Essays' })
    expect(await site.problems()).toEqual([])
    expect(site.json('public/v1/acme/posts/a.json').post.category.name).toBe('Essays')
  })

  it.each(['js', 'JS', 'JavaScript', 'JAVASCRIPT'])('means the stated term: %s', async (tag) => {
    const site = creating()
      .write('content/acme/tags/js.md', '---\nname: JavaScript\n---\n')
      .post('a', { tags: `[${tag}]` })
    expect(await site.problems()).toEqual([])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'JavaScript', slug: 'js' }])
  })

  it('is an error where no slug can be made of it', async () => {
    const problems = await creating().post('a', { tags: '["???"]' }).problems()
    expect(problems).toEqual([
      'acme/posts/a.md:5:8 invalid-identifier "???" cannot become the slug of a tag: it is empty. Define the tag in a file with this `name` and a `slug`.',
    ])
  })

  it('costs an edit of its spelling in another post', async () => {
    const site = temporarySite({ cache: 'cache' })
      .write('content/acme/workspace.yml', 'references: create\n')
      .post('a', { tags: '[css]' })
      .post('b', { tags: '[css]' })
    await site.build()
    await site.post('a', { tags: '[CSS]' }).post('c', { tags: '[CSS]' }).build()
    const [b] = site.json('public/v1/acme/posts/b.json').post.tags
    expect(b).toMatchObject({ name: 'CSS', slug: 'css' })
  })
})

describe('slugs of names', () => {
  it('are looked up where the mapping asks for it, and nothing is created', async () => {
    const site = temporarySite({ frontMatter: { tags: { slugify: true } } })
      .write('content/acme/tags/open-source.md', '---\nname: Free software\n---\n')
      .post('a', { tags: '[Open Source]' })
    expect(await site.problems()).toEqual([])
    expect(terms(site, 'tags')).toMatchObject([{ name: 'Free software' }])
    const problems = await site.post('b', { tags: '[Closed Source]' }).problems()
    expect(problems).toEqual([expect.stringContaining('unknown-tag "Closed Source" is not a tag.')])
  })

  it('are not looked up without being asked', async () => {
    const problems = await temporarySite()
      .write('content/acme/tags/open-source.md', '---\nname: Free software\n---\n')
      .post('a', { tags: '[Open Source]' })
      .problems()
    expect(problems).toEqual([
      expect.stringContaining('"Open Source" is not a tag. Did you mean "open-source"?'),
    ])
  })
})

describe('one text where a list is meant', () => {
  it.each([
    ['one', ['one']],
    ['[one]', ['one']],
    ['[one, ]', ['one']],
    ['\n  - one\n  -', ['one']],
    ['""', []],
    ['', []],
    ['[]', []],
  ])('reads tags: %j', async (tags, expected) => {
    const site = creating().post('a', { tags })
    expect(await site.problems()).toEqual([])
    const { post } = site.json('public/v1/acme/posts/a.json')
    expect(post.tags.map(({ name }: { name: string }) => name)).toEqual(expected)
  })
})

describe('several categories', () => {
  it('are one and tags', async () => {
    const site = creating({ frontMatter: { category: 'categories' } }).write(
      'content/acme/posts/a.md',
      '---\ntitle: A\ndate: 2026-01-02\ncategories: [One, Two, Three]\ntags: [Three, Four]\n---\n',
    )
    expect(await site.problems()).toEqual([
      "acme/posts/a.md:4:19 several-categories A post has one category; the others become tags. Set `frontMatter: { posts: { category: { take: 'first' } } }` in the configuration to leave them out.",
    ])
    const { post } = site.json('public/v1/acme/posts/a.json')
    expect(post.category.name).toBe('One')
    expect(post.tags.map(({ name }: { name: string }) => name)).toEqual(['Three', 'Four', 'Two'])
  })

  it('are one where the mapping takes the first', async () => {
    const frontMatter = { posts: { category: { take: 'first' } } } as const
    const site = creating({ frontMatter }).post('a', { category: '[One, Two]' })
    expect(await site.problems()).toEqual([])
    expect(site.json('public/v1/acme/posts/a.json').post.tags).toEqual([])
  })

  it('may be none', async () => {
    const problems = await creating().post('a', { category: '[]' }).problems()
    expect(problems).toEqual([expect.stringContaining('missing-field `category` is missing.')])
  })
})

describe('authors in posts', () => {
  it.each([
    ['Ada', { name: 'Ada', slug: 'ada', image: null, socials: [] }],
    [
      '"[Ada L](https://ada.example)"',
      {
        name: 'Ada L',
        slug: 'ada-l',
        socials: [{ platform: 'website', url: 'https://ada.example' }],
      },
    ],
    [
      '"Ada ([@ada](https://twitter.com/ada))"',
      { name: 'Ada', socials: [{ platform: 'twitter', url: 'https://twitter.com/ada' }] },
    ],
    ['"[Ada](javascript:1)"', { name: 'Ada', socials: [] }],
    ['"Ada [née Byron]"', { name: 'Ada [née Byron]', socials: [] }],
    [
      '{ name: Ada, image: /ada.png, role: Editor, bio: Writes., url: "https://ada.example" }',
      {
        name: 'Ada',
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
  ])('are %j', async (authors, expected) => {
    const site = creating().post('a', { authors })
    expect(await site.problems()).toEqual([])
    expect(site.json('public/v1/acme/posts/a.json').post.authors).toMatchObject([expected])
  })

  it('are told once what the first post says of them', async () => {
    const site = creating()
      .post('a', { authors: '[Ada]' })
      .post('b', { authors: '[{ name: Ada, role: Editor }]' })
      .post('c', { authors: '[{ name: Ada, role: Reader, bio: Writes. }]' })
    expect(await site.problems()).toEqual([])
    expect(site.json('public/v1/acme/posts/a.json').post.authors).toMatchObject([
      { name: 'Ada', role: 'Editor', bio: 'Writes.' },
    ])
  })

  it('are found at a path, and their own keys are mapped', async () => {
    const frontMatter = {
      posts: { authors: 'params.author' },
      authors: { image: 'avatar', role: 'occupation' },
    }
    const site = creating({ frontMatter })
      .write(
        'content/acme/authors/bob.md',
        '---\nname: Bob\navatar: /b.png\noccupation: Baker\n---\n',
      )
      .post('a', { params: '{ author: [bob, { name: Ada, avatar: /a.png, occupation: Poet }] }' })
    expect(await site.problems()).toEqual([])
    expect(site.json('public/v1/acme/posts/a.json').post.authors).toMatchObject([
      { name: 'Bob', image: '/b.png', role: 'Baker' },
      { name: 'Ada', image: '/a.png', role: 'Poet' },
    ])
  })
})

describe('aliases', () => {
  it.each(['old', '[old]', '[older, old]', '[old, old]'])(
    'are slugs that a post had: %s',
    async (aliases) => {
      expect(await temporarySite().post('first', { aliases }).problems()).toEqual([])
    },
  )

  it.each(['first', 'FIRST', '9s9vv1bn4u6pnzxk'])(
    'do not lead to themselves: %s',
    async (alias) => {
      const problems = await temporarySite()
        .post('first', { id: '9s9vv1bn4u6pnzxk', aliases: `[x, ${alias}]` })
        .problems()
      expect(problems).toEqual([
        expect.stringMatching(
          /acme\/posts\/first\.md:6:\d+ duplicate-identifier The alias .* taken by acme\/posts\/first\.md:[25]/,
        ),
      ])
    },
  )

  it.each(['second', 'SECOND', 'other'])('are not those of others: %s', async (alias) => {
    const problems = await temporarySite()
      .post('first', { aliases: `[x, ${alias}]` })
      .post('second', { aliases: 'other' })
      .problems()
    expect(problems).toEqual([
      expect.stringMatching(
        /acme\/posts\/second\.md:\d+:\d+ duplicate-identifier .* taken by acme\/posts\/first\.md:5/,
      ),
    ])
  })
})
