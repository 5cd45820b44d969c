// What each kind of edit makes a build do: which rules run, how often, and that what comes out is what a clean build
// makes. Counts, never times.
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { build } from '../../src/build.ts'
import { resolveSettings } from '../../src/config.ts'
import { isError } from '../../src/diagnostics.ts'
import { contentsOf } from '../support/contents.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const png = Buffer.from('iVBORw0KGgo=', 'base64')
const date = '2026-01-02'

type Edit = (site: TemporarySite) => unknown

describe('an edit of a body', () => {
  const edits: readonly (readonly [string, Edit])[] = [
    ['of a post', (site) => site.post('b', {}, 'Text b.\n')],
    ['with an image and a link', (site) => site.post('a', fields, '![i](i.png) [d](draft.md)\n')],
    ['with a heading', (site) => site.post('a', fields, '# Heading\n\nText.\n')],
    ['of a draft', (site) => site.post('draft', draft, 'More.\n')],
    ['with a NUL', (site) => site.post('b', {}, 'A\0B\n')],
  ]

  it.each(edits)('%s splits its neighbours again, and parses nothing', async (_, edit) => {
    const site = await builtSite()
    edit(site)
    const { runs } = await rebuilt(site)
    expect(runs).toMatchObject({ 'split files': 1 })
    expect(runs).not.toHaveProperty('front matter')
    expect(runs).not.toHaveProperty('library')
    expect(runs).not.toHaveProperty('fragments')
  })

  it('is none of the library, until it is the title of a post', async () => {
    const site = await builtSite()
    site.post('untitled', { title: '' }, '# One\n')
    expect((await rebuilt(site)).runs).toMatchObject({ library: 1, 'front matter': 1 })
    site.post('untitled', { title: '' }, '# Two\n')
    const { runs } = await rebuilt(site)
    expect(runs).toMatchObject({ library: 1, fragments: 1 })
    expect(runs).not.toHaveProperty('front matter')
  })

  it('makes the tags of one chunk of posts', async () => {
    const site = temporarySite({ cache: 'cache' })
    for (let day = 1; day <= 600; day++) site.post(`post-${day}`, { publishedAt: dateOf(day) })
    const first = await rebuilt(site)
    expect(first.runs['entity tags']).toBeGreaterThan(1)
    expect(first.runs['split files']).toBeGreaterThan(10)
    site.post('post-300', { publishedAt: dateOf(300) }, 'Another text.\n')
    const once = { 'split files': 1, 'entity tags': 1, block: 1, segment: 1 }
    expect((await rebuilt(site)).runs).toEqual(once)
  })

  it('finds front matter wherever its file is by now', async () => {
    const site = await builtSite()
    rename(site, 'b', 'c')
    const { runs } = await rebuilt(site)
    expect(runs).toMatchObject({ library: 1 })
    expect(runs).not.toHaveProperty('front matter')
  })
})

describe('the library is made again', () => {
  const edits: readonly (readonly [string, Edit])[] = [
    ['a title', (site) => site.post('a', { ...fields, title: 'Other' }, 'Text.\n')],
    ['a post that is new', (site) => site.post('c')],
    ['a post that is gone', (site) => site.remove('content/acme/posts/b.md')],
    ['a post with another name', (site) => rename(site, 'b', 'c')],
    ['two posts in the place of each other', (site) => swap(site)],
    ['a category', (site) => site.write('content/acme/categories/news.md', '---\nname: N\n---\n')],
    ['a text of a category', (site) => site.write('content/acme/categories/news.md', category)],
    ['settings', (site) => site.write('content/acme/workspace.yml', `name: Other\n${settings}`)],
    ['keys', (site) => site.write('content/acme/keys.yml', '[]\n')],
    ['an image', (site) => site.write('content/acme/posts/i.png', Buffer.concat([png, png]))],
    ['another workspace', (site) => site.write('content/beta/workspace.yml', 'name: Beta\n')],
    ['an empty workspace', ({ content }) => mkdirSync(join(content, 'beta'))],
    ['a fence with a line break', (site) => rewrite(site, 'open', (text) => `${text}\n`)],
  ]

  it.each(edits)('for %s', async (_, edit) => {
    const site = await builtSite()
    edit(site)
    expect((await rebuilt(site)).runs).toMatchObject({ library: 1 })
  })

  it('for a post that is published by now, and for none that is not yet', async () => {
    const site = await builtSite()
    site.post('soon', { publishedAt: '2026-06-02', tags: '[fresh]' })
    expect((await rebuilt(site)).runs).toMatchObject({ library: 1 })
    site.post('b', {}, 'Text b.\n')
    const { runs } = await rebuilt(site)
    expect(runs).not.toHaveProperty('library')
    site.post('b', {}, 'Other text b.\n')
    const later = Date.UTC(2026, 5, 3)
    expect((await rebuilt(site, later)).runs).toMatchObject({ library: 1 })
  })

  it('for another configuration', async () => {
    const site = await builtSite()
    Object.assign(site.config, { links: { post: '/posts/{slug}' } })
    expect((await rebuilt(site)).runs).toMatchObject({ library: 1 })
    Object.assign(site.config, { frontMatter: { ignore: ['strange'] } })
    expect((await rebuilt(site)).runs).toMatchObject({ library: 1, 'front matter': 4 })
  })
})

describe('a library of an earlier build', () => {
  it('is the one that would be made now', async () => {
    const site = await builtSite()
    site.post('a', fields, 'Another ![i](i.png), and a [draft](draft.md).\n')
    const [stored, made] = [await site.load(join(site.folder, 'cache')), await site.load()]
    expect(stored.memo.runs.has('library')).toBe(false)
    expect(stored.workspaces.map(({ workspace }) => workspace)).toEqual(
      made.workspaces.map(({ workspace }) => workspace),
    )
    const texts = [stored, made].map(({ workspaces }) =>
      JSON.stringify(workspaces.map(({ workspace }) => workspace.posts.map(({ post }) => post))),
    )
    expect(texts[0]).toBe(texts[1])
    expect(stored.diagnostics).toEqual(made.diagnostics)
    const codes = stored.diagnostics.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(['unknown-key', 'unknown-entry', 'draft-link']))
    expect(stored.media).toEqual(made.media)
    expect(stored.rendered).toBe(1)
  })

  it('names each term by one object, which all its posts share', async () => {
    const site = await builtSite()
    const { memo, workspaces } = await site.load(join(site.folder, 'cache'))
    expect(memo.runs.has('library')).toBe(false)
    const [of] = workspaces
    const [news] = of?.workspace.categories ?? []
    expect(of?.workspace.posts.map(({ post }) => post.category === news)).toEqual(
      new Array(3).fill(true),
    )
  })

  it('is found again once an error is fixed', async () => {
    const site = await builtSite()
    site.write('content/acme/posts/b.md', Buffer.from([0xff]))
    expect((await site.diagnostics()).filter(isError)).toMatchObject([{ code: 'invalid-utf8' }])
    site.post('b', {}, '[a](a.md)\n')
    expect((await rebuilt(site)).runs).not.toHaveProperty('library')
  })
})

describe('a body of MDX', () => {
  const text = '![x](i.png)\n\n*hi* {1+1} text\n\n    code here\n'

  it.each([
    ['with an image', text, text],
    ['whose name a body of Markdown could have', 'mdx\0*hi* {1+1}\n', '*hi* {1+1}\n'],
  ])('%s is not rendered as Markdown, nor the reverse', async (_, markdown, mdx) => {
    const front = '---\ntitle: T\ncategory: news\npublishedAt: 2026-01-01\n---\n'
    const contents = await Promise.all(
      [['a.md'], ['b.mdx'], ['a.md', 'b.mdx']].map(async (names) => {
        const site = temporarySite().write('content/acme/posts/i.png', png)
        for (const name of names) {
          site.write(`content/acme/posts/${name}`, front + (name === 'a.md' ? markdown : mdx))
        }
        await site.build()
        return names.map((name) => site.text(`public/v1/acme/posts/${name[0]}.json`))
      }),
    )
    const [[ofMarkdown] = [], [ofMdx] = [], both] = contents
    expect(both).toEqual([ofMarkdown, ofMdx])
    expect(ofMarkdown).not.toBe(ofMdx)
  })
})

const settings = 'references: create\nfields: { rating: number, level: text, none: text }\n'
const category = '---\nname: News\n---\nAnother text.\n'
const fields = {
  tags: '[one]',
  authors: '[ann]',
  coverImage: 'i.png',
  strange: 'x',
  fields: '{ rating: 4.5, level: "\\ud83d\\ude00" }',
}
const draft = { draft: 'true' }

async function builtSite(): Promise<TemporarySite> {
  const site = temporarySite({ cache: 'cache', links: { post: '/{slug}' } })
  site
    .write('content/acme/workspace.yml', settings)
    .write('content/acme/authors/ann.md', '---\nname: Ann\nsocials: []\n---\n')
    .write('content/acme/posts/i.png', png)
    .write('content/acme/odd.txt', '')
    .post('a', fields, 'Text.\n')
    .post('b', {}, '[a](a.md)\n')
    .post('draft', draft)
    .write(
      'content/acme/posts/open.md',
      `---\ntitle: Open\ncategory: news\npublishedAt: ${date}\n---`,
    )
  await site.build()
  return site
}

/** Builds again. @returns how often each rule ran; what came out is what a build without a cache makes */
async function rebuilt(
  site: TemporarySite,
  now = someNoon,
): Promise<{ readonly runs: Readonly<Record<string, number>> }> {
  let runs: Readonly<Record<string, number>> = {}
  const onRules = (counts: ReadonlyMap<string, number>) => {
    runs = Object.fromEntries(counts)
  }
  const { diagnostics } = await site.build({ now, trace: { onRules } })
  const out = join(site.folder, 'clean')
  const { content, folder: project } = site
  const clean = await build(
    resolveSettings({ ...site.config, cache: false, content, out, project }),
    { now },
  )
  // A clean build knows no slugs of an earlier one.
  expect(diagnostics.filter(({ code }) => code !== 'lost-slug')).toEqual(clean.diagnostics)
  expect(contentsOf(site.out)).toEqual(contentsOf(out))
  return { runs }
}

function dateOf(number: number): string {
  return new Date(Date.UTC(2024, 0, number)).toISOString()
}

function rename(site: TemporarySite, from: string, to: string): void {
  const posts = join(site.content, 'acme/posts')
  renameSync(join(posts, `${from}.md`), join(posts, `${to}.md`))
}

function swap(site: TemporarySite): void {
  rename(site, 'a', 'c')
  rename(site, 'b', 'a')
  rename(site, 'c', 'b')
}

function rewrite(site: TemporarySite, name: string, change: (text: string) => string): void {
  const path = `content/acme/posts/${name}.md`
  site.write(path, change(readFileSync(join(site.folder, path), 'utf8')))
}
