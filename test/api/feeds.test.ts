// Feeds, sitemaps and lists for language models, read as their readers read them.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { Ajv } from 'ajv'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import jsonFeedSchema from 'jsonfeed-schema/schema-v1.1.json' with { type: 'json' }
import remarkParse from 'remark-parse'
import { parseSitemap } from 'sitemap'
import { unified } from 'unified'
import { beforeAll, describe, expect, it } from 'vitest'
import { validateXML, type XMLLintOptions } from 'xmllint-wasm'
import { plainText } from '../../src/api/feeds.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { TemporarySite, temporarySite } from '../support/temporary-site.ts'

const due = '2026-06-02T08:00:00.000Z'
const hostileTitle = 'A ]]> & <b>"\u0001\u007f\uffff [x](y) `_*\\'

/** Settings of the workspace, then its posts. */
function siteWith(settings: string, count = 3): TemporarySite {
  const site = new TemporarySite()
    .write('content/acme/workspace.yml', `name: "A & <B>"\nreferences: create\n${settings}`)
    .write('content/acme/authors/ada.md', '---\nname: Ada & Söhne\nimage: /ada.png\n---\n')
  return site.posts(count)
}

const absolute = 'links: { post: "https://example.com/{year}/{slug}/?a=1&b=2", broken: ignore }\n'

function texts(site: TemporarySite) {
  const read = (name: string) => site.text(`public/v1/acme/${name}`)
  return {
    rss: read('feed.xml'),
    atom: read('atom.xml'),
    json: read('feed.json'),
    sitemap: read('sitemap.xml'),
    llms: read('llms.txt'),
  }
}

/** The text of a node of Markdown and of all below it. */
function textOf(node: object | undefined): string {
  if (node === undefined) return ''
  if ('value' in node) return String(node.value)
  return 'children' in node ? (node.children as object[]).map(textOf).join('') : ''
}

/** Read by every test of hostile posts. */
let hostile: ReturnType<typeof texts>

beforeAll(async () => {
  const site = siteWith(absolute).post(
    'hostile',
    {
      title: JSON.stringify(hostileTitle).replace('\u007f', '\\x7f').replace('\uffff', '\\uffff'),
      publishedAt: '2026-02-01T10:00:00Z',
      updatedAt: '2026-01-01',
      description: '"one\\ntwo"',
      tags: '[a b]',
      authors: '[ada]',
      coverImage: 'https://cdn.test/c.png',
    },
    '[a](/about?x=1&y) ![b](//cdn.test/b.png) [c](../c) [d](mailto:a@b.test) `<a href="/e">` <b title=">">f</b> ]]>\n',
  )
  site
    .post('scheduled', { publishedAt: due, updatedAt: '2030-01-01' })
    .post('gone', { status: 'draft' })
  expect(await site.problems()).toEqual([])
  hostile = texts(site)
})

const sitemapPackage = createRequire(import.meta.url)
  .resolve('sitemap')
  .replace(/\/dist\/.*$/, '')
const sitemapSchema = readFileSync(`${sitemapPackage}/schema/sitemap.xsd`, 'utf8')
/** The grammar of RFC 4287. */
const atomGrammar = readFileSync(new URL('../fixtures/feeds/atom.rng', import.meta.url), 'utf8')

const problemsOf = async (options: XMLLintOptions) => (await validateXML(options)).errors

it('feeds and links of other posts have the own URL of a post, and feeds its id for ever', async () => {
  const site = siteWith(absolute, 0)
    .post('path', { publishedAt: '2026-01-02', url: '"/own/ä b/"' })
    .post('whole', { publishedAt: '2026-01-01', url: 'https://other.test/x' })
    .post('links', { publishedAt: '2026-01-03' }, '[a](path.md#top) [b](whole.md)\n')
  await site.build()
  const own = ['https://example.com/own/%C3%A4%20b/', 'https://other.test/x']
  const { rss, sitemap } = texts(site)
  const items = parseRssFeed(rss).items ?? []
  expect(items.slice(1).map(({ link }) => link)).toEqual(own)
  for (const url of own) expect(sitemap).toContain(`<loc>${url}</loc>`)
  const post = () => site.text('public/v1/acme/posts/links.json')
  expect(post()).toContain(JSON.stringify(`href="${own[0]}#top"`).slice(1, -1))
  expect(post()).toContain(JSON.stringify(`href="${own[1]}"`).slice(1, -1))
  expect(JSON.parse(post()).post).not.toHaveProperty('url')
  site.post('path', { publishedAt: '2026-01-02', url: '/new/', title: 'New' })
  await site.build()
  expect(post()).toContain('https://example.com/new/#top')
  const [, renamed] = parseRssFeed(texts(site).rss).items ?? []
  expect(renamed).toMatchObject({ link: 'https://example.com/new/', guid: items[1]?.guid })
})

describe('feeds of hostile posts', () => {
  it('are RSS 2.0 that a reader reads', async () => {
    const { rss } = hostile
    expect(await problemsOf({ xml: rss, normalization: 'format' })).toEqual([])
    const { title, link, items = [], lastBuildDate } = parseRssFeed(rss)
    expect([title, link, items.length]).toEqual(['A & <B>', 'https://example.com/', 4])
    expect(lastBuildDate).toBe('Sun, 01 Feb 2026 10:00:00 GMT')
    const [item] = items
    expect(item).toMatchObject({
      title: plainText(hostileTitle),
      link: 'https://example.com/2026/hostile/?a=1&b=2',
      pubDate: 'Sun, 01 Feb 2026 10:00:00 GMT',
      guid: { isPermaLink: false },
      categories: [{ name: 'news' }, { name: 'a b' }],
      dc: { creators: ['Ada & Söhne'] },
    })
    expect(item?.content?.encoded).toContain('<code>&#x3C;a href="/e"></code>')
    expect(new Set(items.map(({ guid }) => guid?.value)).size).toBe(4)
  })

  it('are Atom that a reader reads, with the same ids, and updates no earlier than publications', async () => {
    const { atom, rss } = hostile
    const byGrammar = (xml: string) =>
      problemsOf({ xml, schema: atomGrammar, extension: 'relaxng' })
    expect(await byGrammar(atom)).toEqual([])
    expect(await byGrammar(atom.replace(/<updated>.*?<\/updated>/, ''))).not.toEqual([])
    const { id, updated, links, authors, entries = [] } = parseAtomFeed(atom)
    expect(id).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect([updated, authors, links]).toEqual([
      '2026-02-01T10:00:00.000Z',
      [{ name: 'A & <B>' }],
      [{ href: 'https://example.com/', rel: 'alternate', type: 'text/html' }],
    ])
    expect(entries[0]).toMatchObject({
      title: { value: plainText(hostileTitle) },
      published: '2026-02-01T10:00:00.000Z',
      updated: '2026-02-01T10:00:00.000Z',
      summary: { value: 'one\ntwo' },
    })
    const guids = parseRssFeed(rss).items?.map(({ guid }) => guid?.value)
    expect(entries.map((entry) => entry.id)).toEqual(guids)
  })

  it('are JSON Feed 1.1 by its schema, with absolute addresses', async () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(jsonFeedSchema)
    expect([validate(JSON.parse(hostile.json)), validate.errors]).toEqual([true, null])
    const [item] = parseJsonFeed(hostile.json).items ?? []
    expect(item).toMatchObject({
      image: 'https://cdn.test/c.png',
      authors: [{ name: 'Ada & Söhne', avatar: 'https://example.com/ada.png' }],
      tags: ['news', 'a b'],
    })
    expect(item?.content_html?.match(/(?<=(?:href|src)=")[^"]+/g)).toEqual([
      'https://example.com/about?x=1&#x26;y',
      'https://cdn.test/b.png',
      'https://example.com/2026/c',
      'mailto:a@b.test',
      '/e',
    ])
  })

  it('have a sitemap by its schema that names every visible post', async () => {
    const { sitemap } = hostile
    expect(await problemsOf({ xml: sitemap, schema: sitemapSchema })).toEqual([])
    const items = await parseSitemap(Readable.from([sitemap]))
    expect(items.map(({ url }) => url)).toEqual(
      ['hostile', 'post-3', 'post-2', 'post-1'].map(
        (slug) => `https://example.com/2026/${slug}/?a=1&b=2`,
      ),
    )
    expect(items[0]?.lastmod).toBe('2026-02-01T10:00:00.000Z')
  })

  it('have a list in Markdown that means the titles themselves', async () => {
    const [heading, , list] = unified().use(remarkParse).parse(hostile.llms).children
    expect(textOf(heading)).toBe('A & <B>')
    if (list?.type !== 'list') throw new Error('no list')
    const links = list.children.map(({ children: [paragraph] }) => {
      const link = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
      return link?.type === 'link' ? [textOf(link), link.url] : []
    })
    expect(links[0]).toEqual([
      plainText(hostileTitle).replace('\u007f', ' '),
      'https://example.com/2026/hostile/?a=1&b=2',
    ])
    expect(textOf(list.children[0])).toMatch(/: one two$/)
    expect(links).toHaveLength(4)
  })
})

it('feeds name the latest 20 posts and their own address where that of the API is known', async () => {
  const site = siteWith(`baseUrl: https://api.example.com/x/\n${absolute}`, 25)
  await site.build()
  const { rss, atom, json, sitemap } = texts(site)
  const { items, feed_url } = JSON.parse(json)
  expect(items.map(({ title }: { title: string }) => title)).toEqual(
    Array.from({ length: 20 }, (_, index) => `post-${25 - index}`),
  )
  expect(feed_url).toBe('https://api.example.com/x/v1/acme/feed.json')
  expect(parseRssFeed(rss).atom?.links?.[0]?.href).toMatch(/acme\/feed\.xml$/)
  expect(parseAtomFeed(atom).links?.map(({ rel }) => rel)).toEqual(['alternate', 'self'])
  expect(sitemap.match(/<url>/g)).toHaveLength(25)
})

it('a post is Markdown with its title, alone and among all, unless a slug ends in .md', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'links: { post: "https://example.com/{slug}" }\n')
    .post('one', { title: '"On\\ne"' }, 'A "quoted" *text*.\n')
    .post('one.md', { publishedAt: '2026-01-01' })
    .post('two', { publishedAt: '2025-01-01' }, 'Two.\n')
    .post('later', { publishedAt: '2999-01-01' }, 'Later.\n')
  await site.build()
  const { handler } = await serveFolder(site.out)
  const ask = (path: string) => askHandler(handler(), `/v1/acme/${path}`)
  const two = await ask('posts/two.md')
  expect([two.text, two.header('content-type')]).toEqual([
    '# two\n\nTwo.\n',
    'text/markdown; charset=utf-8',
  ])
  expect(site.text('public/v1/acme/posts/two.md')).toBe(two.text)
  expect(JSON.parse((await ask('posts/one.md')).text).post.slug).toBe('one.md')
  expect((await ask('posts/later.md')).status).toBe(404)
  expect((await ask('llms-full.txt')).text).toBe(
    '# On e\n\nA "quoted" *text*.\n\n\n# one.md\n\nText.\n\n\n# two\n\nTwo.\n\n\n',
  )
})
