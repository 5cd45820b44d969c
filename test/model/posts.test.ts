import { describe, expect, it } from 'vitest'
import type { QuarryConfig } from '../../src/config.ts'
import { pictureBytes } from '../conformance/picture.ts'
import { contentsOf } from '../support/contents.ts'
import { temporarySite } from '../support/temporary-site.ts'

const first = 'public/v1/acme/posts/first.json'

describe('a post', () => {
  it('has every key of the interface, in its order, with null or nothing for what is absent', async () => {
    const site = temporarySite().post('first')
    await site.build()
    expect(JSON.stringify(site.json(first).post)).toMatch(
      /^{"id":"[a-z2-7]{16}","slug":"first","title":"first","content":"<p>Text\.<\/p>\\n","featured":false,"coverImage":null,"description":"","publishedAt":"2026-01-02T00:00:00\.000Z","updatedAt":"2026-01-02T00:00:00\.000Z","attribution":null,"authors":\[\],"category":{"id":"[a-z2-7]{16}","name":"News","slug":"news","description":"What is new\."},"tags":\[\]}$/,
    )
  })

  it('takes slug and date from the file name', async () => {
    const site = temporarySite().write(
      'content/acme/posts/2025/2025-07-08-summer.md',
      '---\ntitle: Summer\ncategory: news\n---\n',
    )
    await site.build()
    expect(site.json('public/v1/acme/posts/summer.json').post).toMatchObject({
      slug: 'summer',
      publishedAt: '2025-07-08T00:00:00.000Z',
    })
  })

  it.each(['123', '007', '1e3', '0x1F', '1_000', '2024-01-01', 'true', '1.10', 'no'])(
    'keeps the slug and title %s as it was typed',
    async (value) => {
      const site = temporarySite().post('first', { slug: value, title: value })
      await site.build()
      const { post } = site.json(`public/v1/acme/posts/${value}.json`)
      expect([post.slug, post.title]).toEqual([value, value])
    },
  )

  it('keeps authors and tags in the order of the front matter', async () => {
    const site = temporarySite()
      .write('content/acme/tags.yml', '- { slug: a, name: A }\n- { slug: b, name: B }\n')
      .write('content/acme/authors.yml', '- { slug: x, name: X }\n- { slug: y, name: Y }\n')
      .post('first', { tags: '[b, a]', authors: '[y, x]' })
    await site.build()
    const { post } = site.json(first)
    expect(post.tags.map((tag: { slug: string }) => tag.slug)).toEqual(['b', 'a'])
    expect(post.authors.map((author: { slug: string }) => author.slug)).toEqual(['y', 'x'])
  })

  it('may refer to terms by id', async () => {
    const site = temporarySite()
      .write('content/acme/tags.yml', '- { slug: a, id: tag-one, name: A }\n')
      .post('first', { tags: '[tag-one]' })
    await site.build()
    expect(site.json(first).post.tags[0].slug).toBe('a')
  })

  it('takes the default category of its workspace', async () => {
    const site = temporarySite()
      .write('content/acme/workspace.yml', 'defaults:\n  category: news\n')
      .post('first', { category: '' })
    await site.build()
    expect(site.json(first).post.category.slug).toBe('news')
  })

  it('serves its Markdown byte for byte', async () => {
    const body = '\n\n# Title  \n\n* a\tb\n\n\n'
    const site = temporarySite().post('first', {}, body)
    await site.build()
    expect(site.json('public/v1/acme/posts/_markdown/first.json').post.content).toBe(body)
  })

  it('has the same bytes whatever ends its lines', async () => {
    const [unix, windows, old] = await Promise.all(
      ['\n', '\r\n', '\r'].map(async (end) => {
        const text = '---\ntitle: A\ncategory: news\ndate: 2026-01-02\n---\na\nb\n\n    c\n    d\n'
        const site = temporarySite()
        site.write('content/acme/posts/a.md', text.replaceAll('\n', end))
        await site.build()
        return contentsOf(site.out)
      }),
    )
    expect(windows).toEqual(unix)
    expect(old).toEqual(unix)
  })

  it.each([
    ['hello.markdown', 'hello'],
    ['hello.mdx', 'hello'],
    ['2026-02-03-hello.markdown', 'hello'],
    ['index.md', 'index'],
    ['hello/index.md', 'hello'],
    ['2020/hello/index.mdx', 'hello'],
    ['2020-01-02-hello/index.md', 'hello'],
  ])('of %s has the slug %s', async (name, slug) => {
    const text = '---\ntitle: A\ncategory: news\ndate: 2026-01-02\n---\nText.\n'
    const site = temporarySite().write(`content/acme/posts/${name}`, text)
    expect(await site.problems()).toEqual([])
    expect(site.json('public/v1/acme/posts/index.json').posts).toMatchObject([{ slug }])
  })

  it('takes the date of its folder', async () => {
    const text = '---\ntitle: A\ncategory: news\n---\nText.\n'
    const site = temporarySite().write('content/acme/posts/2026-02-03-a/index.md', text)
    await site.build()
    expect(site.json('public/v1/acme/posts/index.json').posts).toMatchObject([
      { slug: 'a', publishedAt: '2026-02-03T00:00:00.000Z' },
    ])
  })

  it('shows images that are in its folder, and links to posts in theirs', async () => {
    const text = '---\ntitle: A\ncategory: news\ndate: 2026-01-02\n---\n'
    const site = temporarySite({ links: { post: '/{slug}' } })
      .write('content/acme/posts/a/index.md', `${text}![i](i.png) [b](../b/index.mdx)\n`)
      .write('content/acme/posts/b/index.mdx', `${text}Text.\n`)
      .write('content/acme/posts/a/i.png', pictureBytes)
    expect(await site.problems()).toEqual([])
    const { content } = site.json('public/v1/acme/posts/a.json').post
    expect(content).toMatch(/^<p><img src="\/media\/acme\/\w+\.png" alt="i"> <a href="\/b">b<\/a>/)
  })

  it('of the same name with another ending is a duplicate', async () => {
    const text = '---\ntitle: A\ncategory: news\ndate: 2026-01-02\n---\n'
    const site = temporarySite()
      .write('content/acme/posts/hello.md', text)
      .write('content/acme/posts/hello.mdx', text)
    expect(await site.problems()).toEqual([
      expect.stringMatching(
        /hello\.mdx:2:1 duplicate-identifier .* taken by .*set another `slug`\.$/,
      ),
    ])
  })

  it.each([
    ['2024/hello.md', '2025/hello.md', true],
    ['2024-01-02-hello.md', '2025-01-02-hello.md', true],
    ['a/hello/index.md', 'hello.md', true],
    ['hello/index.md', 'hello.md', false],
  ])('in another place is one that whole paths tell apart: %s %s', async (a, b, isApart) => {
    const text = '---\ntitle: A\ncategory: news\ndate: 2026-01-02\n---\n'
    const one = (frontMatter: QuarryConfig['frontMatter']) =>
      temporarySite({ frontMatter })
        .write(`content/acme/posts/${a}`, text)
        .write(`content/acme/posts/${b}`, text)
    const problems = await one({}).problems()
    expect(problems).toHaveLength(1)
    expect(problems[0]?.includes("slug: { derive: 'path' }")).toBe(isApart)
    const byPath = await one({ posts: { slug: { derive: 'path' } } }).problems()
    expect(byPath).toHaveLength(isApart ? 0 : 1)
    expect(byPath.filter((problem) => problem.includes('derive'))).toEqual([])
  })
})

describe('drafts', () => {
  it.each([{ status: 'draft' }, { draft: 'true' }])('leave no trace: %j', async (fields) => {
    const site = temporarySite()
      .post('first')
      .post('secret', { title: 'Hush', ...fields }, 'Psst.')
    await site.build()
    const all = site.files().map((file) => file + site.text(file))
    expect(all.filter((text) => /secret|Hush|Psst/.test(text))).toEqual([])
    expect(site.json('public/v1/acme/categories/news.json').count).toEqual({ posts: 1 })
  })

  it('create no terms', async () => {
    const site = temporarySite()
      .write('content/acme/workspace.yml', 'references: create\n')
      .post('secret', { status: 'draft', tags: '[hush]' })
    await site.build()
    expect(site.json('public/v1/acme/tags/index.json').tags).toEqual([])
  })
})

describe('scheduled posts', () => {
  it('are in no file before their time, and the manifest says when that is', async () => {
    const site = temporarySite().post('first').post('later', { publishedAt: '2027-01-01' })
    const { manifest } = await site.build()
    expect(site.files().filter((file) => file.includes('later'))).toEqual([])
    expect(site.json('public/v1/acme/posts/index.json').pagination.totalItems).toBe(1)
    expect(manifest.validUntil).toBe('2027-01-01T00:00:00.000Z')
    expect(manifest.workspaces['acme']).toMatchObject({ posts: 1, scheduled: 1 })
  })

  it('are there from their very moment on', async () => {
    const site = temporarySite().post('later', { publishedAt: '2027-01-01' })
    await site.build({ now: Date.UTC(2027, 0, 1) })
    expect(site.json('public/v1/acme/posts/index.json').pagination.totalItems).toBe(1)
  })
})

describe('order', () => {
  it('is by date and then by id, both from the end', async () => {
    const site = temporarySite()
      .post('a', { id: 'id-1' })
      .post('b', { id: 'id-3' })
      .post('c', { id: 'id-2' })
      .post('d', { id: 'id-0', publishedAt: '2026-02-01' })
    await site.build()
    const { posts } = site.json('public/v1/acme/posts/index.json')
    expect(posts.map((post: { slug: string }) => post.slug)).toEqual(['d', 'b', 'c', 'a'])
  })
})

describe('problems of posts', () => {
  it.each([
    ['tags', '[x]', 'tag'],
    ['authors', '[x]', 'author'],
    ['category', 'x', 'category'],
  ])('name the list of a workspace that has one: %s', async (field, value, noun) => {
    const list = field === 'category' ? 'categories' : field
    const site = temporarySite()
      .write('content/beta/workspace.yml', 'name: Beta\n')
      .write('content/beta/categories.yml', '- slug: news\n  name: News\n')
      .write(`content/beta/${list}.yml`, '- slug: news\n  name: News\n')
    const fields = { category: 'news', publishedAt: '2026-01-01', title: 'P', [field]: value }
    const front = Object.entries(fields).map(([key, text]) => `${key}: ${text}\n`)
    site.write('content/beta/posts/p.md', `---\n${front.join('')}---\n`)
    expect(await site.problems()).toEqual([
      expect.stringContaining(
        `unknown-${noun} "x" is not a${noun === 'author' ? 'n' : ''} ${noun}. Add an entry with \`slug: x\` to \`${list}.yml\``,
      ),
    ])
  })

  const place = 'acme/posts/first.md'
  it.each([
    [
      { title: '""' },
      `${place}:2:8 missing-title \`title\` is empty; the file's name is the title. Write a title`,
    ],
    [{ title: '' }, `${place}:2:8 missing-title \`title\` is empty; the file's name is the title.`],
    [{ title: '[a]' }, `${place}:2:8 invalid-field \`title\` must be text.`],
    [{ publishedAt: '2026-02-30' }, `${place}:4:14 invalid-date`],
    [{ publishedAt: '""' }, `${place}:4:14 invalid-date`],
    [{ featured: 'yes' }, `${place}:5:11 invalid-field \`featured\` "yes" must be true or false.`],
    [{ slug: 'a/b' }, `${place}:5:7 invalid-identifier \`slug\` "a/b" has a character`],
    [{ slug: '../../etc' }, `${place}:5:7 invalid-identifier`],
    [{ id: 'con' }, `${place}:5:5 invalid-identifier`],
    [
      { status: 'live' },
      `${place}:5:9 invalid-field \`status\` "live" must be "published" or "draft".`,
    ],
    [{ tags: 'one' }, `${place}:5:7 unknown-tag "one" is not a tag.`],
    [{ tags: '{ a: b }' }, `${place}:5:7 invalid-field \`tags.0\` must be text`],
    [{ authors: '{ a: b }' }, `${place}:5:10 invalid-field \`authors.0\` must be a name, or a map`],
    [{ aliases: '[a/b]' }, `${place}:5:11 invalid-identifier \`aliases.0\` "a/b" has a character`],
    [{ tags: '[a, [b]]' }, `${place}:5:11 invalid-field \`tags.1\` must be text.`],
    [{ coverImage: 'javascript:alert(1)' }, `${place}:5:13 invalid-field \`coverImage\``],
    [{ coverImage: '"java\\tscript:alert(1)"' }, `${place}:5:13 invalid-field \`coverImage\``],
    [
      { category: 'nwes' },
      `${place}:3:11 unknown-category "nwes" is not a category. Did you mean "news"?`,
    ],
    [{ tags: '[x]' }, `${place}:5:8 unknown-tag "x" is not a tag. Add \`tags/x.md\``],
    [{ authors: '[x]' }, `${place}:5:11 unknown-author "x" is not an author.`],
    [{ draft: 'true', status: 'published' }, `${place}:5:8 conflicting-fields`],
  ])('are told at their place: %j', async (fields, expected) => {
    const problems = await temporarySite().post('first', fields).problems()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(expected)
  })

  it('name the category that is missing and the two ways to mend it', async () => {
    const problems = await temporarySite()
      .write('content/acme/posts/2026-01-01-x.md', '---\ntitle: X\n---\n')
      .problems()
    expect(problems).toEqual([
      'acme/posts/2026-01-01-x.md:2:1 missing-field `category` is missing. Add `category: …`, or `defaults: { category: … }` to workspace.yml.',
    ])
  })

  it('are all found in one run, sorted, those of bodies too', async () => {
    const problems = await temporarySite()
      .post('b', { category: 'nwes', featured: 'x' })
      .post('a', { tags: '[y, x]' }, `${'>'.repeat(3000)} deep`)
      .problems()
    expect(problems.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'acme/posts/a.md:5:8 unknown-tag',
      'acme/posts/a.md:5:11 unknown-tag',
      expect.stringMatching(/^acme\/posts\/a\.md:\d+:\d+ too-deep$/),
      'acme/posts/b.md:3:11 unknown-category',
      'acme/posts/b.md:5:11 invalid-field',
    ])
  })

  it('do not hide each other in one post', async () => {
    const problems = await temporarySite()
      .write(
        'content/acme/posts/x.md',
        '---\ncategory: nope\ndate: foo\ntags: [zz]\nfeatured: x\n---\n',
      )
      .problems()
    expect(problems.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'acme/posts/x.md:2:1 missing-title',
      'acme/posts/x.md:2:11 unknown-category',
      'acme/posts/x.md:3:7 invalid-date',
      'acme/posts/x.md:4:8 unknown-tag',
      'acme/posts/x.md:5:11 invalid-field',
    ])
  })

  it('name a key as it was written', async () => {
    const site = temporarySite().write('content/acme/posts/x.md', post('date: 2026-13-02'))
    expect((await site.problems()).join()).toContain('x.md:4:7 invalid-date `date` "2026-13-02" is')
    site.write('content/acme/posts/x.md', post('publishedAt: 2026-13-02'))
    expect((await site.problems()).join()).toContain('`publishedAt` "2026-13-02" is')
    function post(line: string): string {
      return `---\ntitle: X\ncategory: news\n${line}\n---\n`
    }
  })

  it('name the slug where a name was written, and never a file that could not be', async () => {
    const problems = await temporarySite()
      .write('content/acme/authors/ada.md', '---\nname: Ada Lovelace\n---\n')
      .post('first', { authors: '[Ada Lovelace, Grace Hopper]' })
      .problems()
    expect(problems).toEqual([
      expect.stringContaining('Did you mean "ada"?'),
      expect.stringContaining('Add `authors/grace-hopper.md`'),
    ])
  })

  it('write nothing', async () => {
    const site = temporarySite().post('first', { category: 'nwes' })
    await expect(site.build()).rejects.toThrow('The content has 1 error.')
    expect(() => site.files()).toThrow('ENOENT')
  })

  it('warn of unknown keys with the nearest known one', async () => {
    const problems = await temporarySite().post('first', { tittle: 'x', mood: 'y' }).problems()
    expect(problems).toEqual([
      `${place}:5:1 unknown-key "tittle" is not a known key; it is ignored. Did you mean "title"?`,
      `${place}:6:1 unknown-key "mood" is not a known key; it is ignored. Your own keys go below \`fields:\`; \`frontMatter: { posts: { ignore: ['mood'] } }\` in the configuration ignores this one.`,
    ])
  })

  it('warn of a term that is named twice, and keep one', async () => {
    const site = temporarySite()
      .write('content/acme/tags.yml', '- { slug: a, name: A }\n')
      .post('first', { tags: '[a, a]' })
    expect(await site.problems()).toEqual([
      `${place}:5:11 repeated-reference "a" is named twice; the second is ignored.`,
    ])
    expect(site.json(first).post.tags).toHaveLength(1)
  })
})

describe('identifiers', () => {
  it.each([
    ['the same slug', { slug: 'first' }],
    ['a slug that differs in case alone', { slug: 'FIRST' }],
    ['an id that is the slug of another', { id: 'first' }],
  ])('refuses %s, naming both files', async (_, fields) => {
    const problems = await temporarySite().post('first').post('second', fields).problems()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(
      /^acme\/posts\/second\.md:5:\d+ duplicate-identifier .*acme\/posts\/first\.md:/,
    )
  })

  it('lets a resource have one text as slug and id', async () => {
    expect(await temporarySite().post('first', { id: 'first' }).problems()).toEqual([])
  })

  it('lets different kinds and workspaces share names', async () => {
    const site = temporarySite()
      .write('content/acme/tags/news.md', '---\nname: News\n---\n')
      .write('content/other/categories/news.md', '---\nname: News\n---\n')
      .post('news')
    expect(await site.problems()).toEqual([])
  })
})

describe('terms', () => {
  it('come from a folder, from a list, or from both', async () => {
    const site = temporarySite()
      .write('content/acme/tags/one.md', '---\nname: One\n---\n\nThe *first*.\n\n')
      .write(
        'content/acme/tags.yml',
        '- slug: two\n  name: Two\n  description: The second.\n- slug: three\n  name: Three\n',
      )
    await site.build()
    const { tags } = site.json('public/v1/acme/tags/index.json')
    expect(
      tags.map(({ slug, description }: { slug: string; description: string }) => [
        slug,
        description,
      ]),
    ).toEqual([
      ['one', 'The *first*.'],
      ['three', null],
      ['two', 'The second.'],
    ])
  })

  it('refuse an entry without a slug or a name, at its place', async () => {
    const problems = await temporarySite()
      .write('content/acme/tags.yml', '- name: One\n- slug: two\n')
      .problems()
    expect(problems).toEqual([
      'acme/tags.yml:1:3 missing-field `slug` is missing. Add `slug: …` to the entry.',
      'acme/tags.yml:2:3 missing-field `name` is missing. Add `name: …`.',
    ])
  })

  it('refuse a description that stands twice', async () => {
    const problems = await temporarySite()
      .write('content/acme/tags/one.md', '---\nname: One\ndescription: here\n---\nand here\n')
      .problems()
    expect(problems[0]).toContain('acme/tags/one.md:3:14 conflicting-fields')
  })
})

describe('a term whose file has errors', () => {
  it.each([
    ['tags/x.md', '---\nname: X\n', 'acme/tags/x.md:1:1 front-matter-unclosed'],
    ['tags/x.md', '---\nname:\n---\n', 'acme/tags/x.md:2:6 missing-field'],
    ['tags.yml', '- slug: x\n', 'acme/tags.yml:1:3 missing-field'],
    ['tags.yml', '- { slug: x', 'acme/tags.yml:1:'],
  ])('is told once, not again at every reference: %s %j', async (file, text, expected) => {
    const problems = await temporarySite()
      .write(`content/acme/${file}`, text)
      .post('first', { tags: '[x]' })
      .post('second', { tags: '[x]' })
      .problems()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(expected)
  })
})

describe('workspace.yml', () => {
  it('may be missing: the folder gives the name', async () => {
    const site = temporarySite().post('first').remove('content/acme/workspace.yml')
    const { manifest } = await site.build()
    expect(manifest.workspaces['acme']?.name).toBe('acme')
  })

  it('keeps a private workspace out of v1', async () => {
    const site = temporarySite().write('content/acme/workspace.yml', 'v1: private\n').post('first')
    await site.build()
    expect(site.files().filter((file) => file.startsWith('public/v1'))).toEqual([])
    expect(site.files()).toContain('private/v2/acme/posts/first.json')
  })

  it('refuses what it does not know, with the nearest thing that it does', async () => {
    const problems = await temporarySite()
      .write('content/acme/workspace.yml', 'nmae: x\nreferences: maybe\n')
      .problems()
    expect(problems).toEqual([
      expect.stringContaining(
        'acme/workspace.yml:1:1 unknown-key "nmae" is not a known key; it is ignored. Did you mean "name"?',
      ),
      expect.stringContaining(
        'acme/workspace.yml:2:13 invalid-field `references` "maybe" must be "error" or "create".',
      ),
    ])
  })
})
