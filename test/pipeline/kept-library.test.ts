// A library that is taken from the build before: when it is, and that it is the one that would be made now.
// Knows nothing of how it is kept.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { resolveSettings } from '../../src/config.ts'
import { documentKey } from '../../src/content/document-record.ts'
import { type Scan, Scanner } from '../../src/content/scan.ts'
import {
  documentsVersion,
  KeptLibrary,
  type RecalledLibrary,
} from '../../src/pipeline/kept-library.ts'
import { SiteLoader } from '../../src/pipeline/site.ts'
import { readToolId } from '../../src/pipeline/tool-id.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const png = Buffer.from('iVBORw0KGgo=', 'base64')
const date = '2026-01-02'

describe('the library of the last build', () => {
  it('is taken where nothing but bodies changed, and is what would be made now', async () => {
    const site = await builtSite()
    site
      .post('a', fields, 'Another ![i](i.png), and a [draft](draft.md).\n')
      .post('b', {}, 'Text b.\n')
      .post('draft', draft, 'More.\n')
    expect([...((await recalled(site))?.changed.keys() ?? [])]).toEqual(paths('a', 'b', 'draft'))
    const [kept, made] = [await site.load(join(site.folder, 'cache')), await site.load()]
    expect(kept.workspaces.map(({ workspace }) => workspace)).toEqual(
      made.workspaces.map(({ workspace }) => workspace),
    )
    expect(kept.diagnostics).toEqual(made.diagnostics)
    const codes = kept.diagnostics.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(['unknown-key', 'unknown-entry', 'draft-link']))
    expect(kept.media).toEqual(made.media)
    expect(kept.rendered).toBe(2)
  })

  it('keeps the order of the fields of a post, by which what was made of it is found', async () => {
    const site = await builtSite()
    const [kept, made] = [await site.load(join(site.folder, 'cache')), await site.load()]
    const texts = [kept, made].map(({ workspaces }) =>
      JSON.stringify(workspaces.map(({ workspace }) => workspace.posts.map(({ post }) => post))),
    )
    expect(texts[0]).toBe(texts[1])
  })

  it('names each term by one object, which all its posts share', async () => {
    const site = await builtSite()
    const [of] = (await recalled(site))?.workspaces ?? []
    const [news] = of?.categories ?? []
    expect(of?.posts.map(({ post }) => post.category === news)).toEqual([true, true, true])
  })

  it('is taken again and again, until more than 64 posts are others than they were', async () => {
    const site = (await builtSite()).posts(65)
    await site.build()
    for (const edited of [1, 64, 65]) {
      for (let number = 1; number <= edited; number++) {
        site.post(`post-${number}`, { publishedAt: dateOf(number) }, `Text ${edited}.\n`)
      }
      expect((await recalled(site))?.changed.size).toBe(edited === 65 ? undefined : edited)
      await site.build()
    }
    expect((await recalled(site))?.changed.size).toBe(0)
  })

  const edits: readonly (readonly [string, (site: TemporarySite) => unknown])[] = [
    ['a title', (site) => site.post('a', { ...fields, title: 'Other' }, 'Text.\n')],
    ['a post that is new', (site) => site.post('c')],
    ['a post that is gone', (site) => site.remove('content/acme/posts/b.md')],
    ['a post with another name', (site) => rename(site, 'b', 'c')],
    ['two posts in the place of each other', (site) => swap(site)],
    ['a category', (site) => site.write('content/acme/categories/news.md', '---\nname: N\n---\n')],
    ['settings', (site) => site.write('content/acme/workspace.yml', 'name: Other\n')],
    ['keys', (site) => site.write('content/acme/keys.yml', '[]\n')],
    ['an image', (site) => site.write('content/acme/posts/i.png', Buffer.concat([png, png]))],
    ['another workspace', (site) => site.write('content/beta/workspace.yml', 'name: Beta\n')],
    ['an empty workspace', ({ content }) => mkdirSync(join(content, 'beta'))],
    ['a body with a NUL', (site) => site.post('b', {}, 'A\0B\n')],
    ['a body that is not UTF-8', (site) => append(site, 'b', Buffer.from([0xff]))],
    ['a body that is too long', (site) => append(site, 'b', Buffer.alloc(1024 * 1024, 'x '))],
    ['a fence that does not end', (site) => rewrite(site, 'open', (text) => `${text}-\n`)],
  ]

  it.each(edits)('is made anew for %s', async (_, edit) => {
    const site = await builtSite()
    expect(await recalled(site)).toBeDefined()
    edit(site)
    expect(await recalled(site)).toBeUndefined()
  })

  it('is made anew for a body that was warned of, and for a file that changes once it was looked at', async () => {
    const site = (await builtSite()).post('b', {}, 'A\0B\n')
    await site.build()
    site.post('b', {}, 'AB\n')
    expect(await recalled(site)).toBeUndefined()
    await site.build()
    const scan = await new Scanner(site.post('b', {}, 'ABC\n').content).scan()
    expect(await recalled(site, {}, scan)).toBeDefined()
    site.post('b', {}, 'ABCD\n')
    expect(await recalled(site, {}, scan)).toBeUndefined()
  })

  it('is none of another version of Unicode', async () => {
    const site = await builtSite()
    const settings = resolveSettings(site.config)
    const scan = await new Scanner(site.content).scan()
    const { tool } = readToolId()
    const other = { tool: tool.replace(/Unicode .*/, 'Unicode 1'), renderer: '' }
    expect(other.tool).not.toBe(tool)
    const kept = new KeptLibrary(site.content, openCache(site), other, settings)
    expect(kept.find(scan, someNoon)).toBeUndefined()
  })

  it('is none of another configuration', async () => {
    const site = await builtSite()
    expect(await recalled(site, { baseUrl: 'https://a.example' })).toBeUndefined()
    expect(await recalled(site, { links: { post: '/{id}' } })).toBeUndefined()
    expect(await recalled(site, { frontMatter: { ignore: ['x'] } })).toBeUndefined()
  })

  it('is made anew where a body is not kept any more', async () => {
    const site = await builtSite()
    const settings = resolveSettings({ ...site.config, content: site.content })
    const tool = { ...readToolId(), renderer: 'another' }
    const loader = new SiteLoader(site.content, openCache(site), tool, settings)
    const scan = await new Scanner(site.content).scan()
    const { rendered, workspaces } = await loader.load(scan).finally(() => loader.close())
    expect(rendered).toBe(3)
    expect(workspaces[0]?.snapshot.postCount).toBe(3)
  })

  it('leaves what is kept of documents to the builds that read them', async () => {
    const site = await builtSite()
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) {
      await site.post('b', {}, `${text}\n`.repeat(500)).build()
    }
    const cache = openCache(site)
    const version = documentsVersion(readToolId(), resolveSettings(site.config))
    const isKept = (name: string) => {
      const bytes = readFileSync(join(site.content, `acme/posts/${name}.md`))
      const content = createHash('sha256').update(bytes).digest('hex')
      return cache.find(documentKey(version, 'post', content)) !== undefined
    }
    expect([isKept('a'), isKept('draft'), isKept('b')]).toEqual([true, true, false])
    const ann = readFileSync(join(site.content, 'acme/authors/ann.md'))
    const content = createHash('sha256').update(ann).digest('hex')
    expect(cache.find(documentKey(version, 'term', content))).toBeDefined()
  })
})

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
  const own = 'fields: { rating: number, level: text, none: text }'
  site
    .write('content/acme/workspace.yml', `references: create\n${own}\n`)
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

/** What a build would begin with. */
async function recalled(
  site: TemporarySite,
  config: TemporarySite['config'] = {},
  scan?: Scan,
): Promise<RecalledLibrary | undefined> {
  const settings = resolveSettings({ ...site.config, ...config })
  const kept = new KeptLibrary(site.content, openCache(site), readToolId(), settings)
  return kept.find(scan ?? (await new Scanner(site.content).scan()), someNoon)
}

function openCache(site: TemporarySite): Cache {
  const cache = Cache.open(join(site.folder, 'cache'))
  onTestFinished(() => cache.close())
  return cache
}

function paths(...names: readonly string[]): readonly string[] {
  return names.map((name) => `acme/posts/${name}.md`)
}

function dateOf(number: number): string {
  return new Date(Date.UTC(2026, 0, number)).toISOString()
}

function rename(site: TemporarySite, from: string, to: string): void {
  const [before = '', after = ''] = paths(from, to).map((path) => join(site.content, path))
  renameSync(before, after)
}

function swap(site: TemporarySite): void {
  rename(site, 'a', 'c')
  rename(site, 'b', 'a')
  rename(site, 'c', 'b')
}

function append(site: TemporarySite, name: string, bytes: Uint8Array): void {
  const [path = ''] = paths(name)
  const before = readFileSync(join(site.content, path))
  site.write(`content/${path}`, Buffer.concat([before, bytes]))
}

function rewrite(site: TemporarySite, name: string, change: (text: string) => string): void {
  const [path = ''] = paths(name)
  const before = readFileSync(join(site.content, path), 'utf8')
  rmSync(join(site.content, path))
  site.write(`content/${path}`, change(before))
}
