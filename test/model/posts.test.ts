import { describe, expect, it } from 'vitest'
import { contentsOf } from '../support/contents.ts'
import { temporarySite } from '../support/temporary-site.ts'

const list = 'public/v1/acme/posts/index.json'
const front = '---\ntitle: A\ncategory: news\ndate: 2026-01-02\n---\n'

describe('a post', () => {
  it.each<readonly [name: string, slug: string, date?: string]>([
    ['hello.mdx', 'hello'],
    ['index.md', 'index'],
    ['2025/2026-02-03-hello.md', 'hello', '2026-02-03'],
    ['2026-02-03-hello/index.md', 'hello', '2026-02-03'],
  ])('takes slug and date from the name %s', async (name, slug, date) => {
    const text = front.replace(/date.*\n/, date ? '' : '$&publishedAt: 2026-01-02T00:00:00Z\n')
    const site = temporarySite().write(`content/acme/posts/${name}`, `${text}Text.\n`)
    expect(await site.problems()).toEqual([])
    const publishedAt = `${date ?? '2026-01-02'}T00:00:00.000Z`
    expect(site.json(list).posts).toMatchObject([{ slug, publishedAt }])
  })

  it('keeps the slug and title as they were typed', async () => {
    const values = ['123', '007', '1e3', '0x1F', '1_000', '2024-01-01', 'true', '1.10', 'no']
    const site = temporarySite()
    for (const [index, value] of values.entries())
      site.post(`p${index}`, { slug: value, title: value })
    await site.build()
    for (const value of values) {
      const { post } = site.json(`public/v1/acme/posts/${value}.json`)
      expect([post.slug, post.title]).toEqual([value, value])
    }
  })

  it('has the same bytes whatever ends its lines', async () => {
    const [unix, windows, old] = await Promise.all(
      ['\n', '\r\n', '\r'].map(async (end) => {
        const text = `${front}a\nb\n\n    c\n    d\n`.replaceAll('\n', end)
        const site = temporarySite().write('content/acme/posts/a.md', text)
        await site.build()
        return contentsOf(site.out)
      }),
    )
    expect(windows).toEqual(unix)
    expect(old).toEqual(unix)
  })

  it.each([
    ['# Hi\n', 'Hi', 'the first heading is used'],
    ['Text.\n', 'hello', 'the file name is used'],
  ])('without a title has a warning: %j', async (body, title, told) => {
    const text = front.replace('title: A\n', '') + body
    const site = temporarySite().write('content/acme/posts/2026-03-04-hello.md', text)
    expect(await site.problems()).toEqual([
      `acme/posts/2026-03-04-hello.md:2:1 missing-title \`title\` is missing; ${told}. Add \`title: …\`.`,
    ])
    expect(site.json(list).posts).toMatchObject([{ title }])
  })

  it.each([
    ['""', []],
    ['"http://x y"', [expect.stringContaining('`coverImage` "http://x y" must be a URL')]],
  ])('has no cover, or a valid one: %s', async (coverImage, told) => {
    const site = temporarySite().post('first', { coverImage })
    expect(await site.problems()).toEqual(told)
    if (told.length === 0) expect(site.json(list).posts).toMatchObject([{ coverImage: null }])
  })

  it('with a day in its name that does not exist has an error', async () => {
    const text = front.replace('date: 2026-01-02\n', '')
    const site = temporarySite().write('content/acme/posts/2024-02-31-a.md', text)
    const told = /^acme\/posts\/2024-02-31-a\.md:2:1 invalid-date .*"2024-02-31".* Rename the file/
    expect(await site.problems()).toEqual([expect.stringMatching(told)])
  })
})

it.each([
  ['a slug that differs in case alone', { slug: 'FIRST' }],
  ['an id that is the slug of another', { id: 'first' }],
  ['an alias that is the slug of another', { aliases: '[first]' }],
  ['an alias that is its own slug', { aliases: '[x, SECOND]' }],
  ['a slug that a later file has as its name', { slug: 'third' }],
])('identifiers are refused with the place of the other: %s', async (_, fields) => {
  const site = temporarySite().post('first').post('second', fields).post('third')
  expect(await site.problems()).toEqual([
    expect.stringMatching(
      /^acme\/posts\/second\.md:5:\d+ duplicate-identifier .*acme\/posts\/(?:first|second|third)\.md:/,
    ),
  ])
})

it.each<
  readonly [which: string, slug: string, stated: Readonly<Record<string, string>>, at: number]
>([
  ['from the name of its file', 'first', {}, 2],
  ['that it states in an earlier file', 'third', { slug: 'third' }, 6],
])('a draft yields its slug to a published post: one %s', async (_, slug, stated, line) => {
  const site = temporarySite()
    .post('first', { draft: 'true', ...stated })
    .post('second', { slug })
  expect(await site.problems()).toEqual([
    expect.stringMatching(
      `^acme/posts/first.md:${line}:.* The slug "${slug}" is taken by acme/posts/second.md:5. `,
    ),
  ])
})

describe('terms', () => {
  it('come from a folder, from a list, or from both', async () => {
    const site = temporarySite()
      .write('content/acme/tags/one.md', '---\nname: One\n---\n\nThe *first*.\n\n')
      .write(
        'content/acme/tags.yml',
        '\ufeff- { slug: two, name: Two, description: Second. }\n- three\n',
      )
    await site.build()
    expect(site.json('public/v1/acme/tags/index.json').tags).toMatchObject([
      { slug: 'one', description: 'The *first*.' },
      { slug: 'three', name: 'three', description: null },
      { slug: 'two', description: 'Second.' },
    ])
  })

  it.each([
    ['tags/x.md', '---\nname: X\n', '1:1 front-matter-unclosed'],
    ['tags/x.md', '---\nname:\n---\n', '2:6 missing-field'],
    ['tags/x.md', '---\nname: X\ndescription: here\n---\nand here\n', '3:14 conflicting-fields'],
    ['tags.yml', '- slug: x\n', '1:3 missing-field `name` is missing. Add `name: …`.'],
    ['tags.yml', '- name: x\n', '1:3 missing-field `slug` is missing. Add `slug: …` to the entry.'],
  ])(
    'with an error have it once, not again at every reference: %s %j',
    async (file, text, told) => {
      const problems = await temporarySite()
        .write(`content/acme/${file}`, text)
        .post('first', { tags: '[x]' })
        .problems()
      expect(problems).toEqual([expect.stringContaining(`acme/${file}:${told}`)])
    },
  )
})

it('workspace.yml may be missing: the folder gives the name', async () => {
  const site = temporarySite().post('first').remove('content/acme/workspace.yml')
  const { manifest } = await site.build()
  expect(manifest.workspaces['acme']?.name).toBe('acme')
})
