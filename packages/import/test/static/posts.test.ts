// Posts of sites of files: their names, URLs, terms, links, and what is read of each tool.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/command-call.ts'
import { emptyFolder } from '../../../../test/support/empty-folder.ts'
import type { ImporterName } from '../../src/index.ts'
import type { Section } from '../../src/ledger.ts'
import { readByline } from '../../src/static/authors.ts'
import { fileOf, importSite, rowsOf } from '../imported.ts'

const post = (front = '', body = 'Text.') =>
  `---\ntitle: T\ndate: 2020-01-02\n${front}\n---\n${body}\n`
const posts = (files: readonly string[]) => files.filter((path) => path.startsWith('posts/'))

const patterns = rowsOf(String.raw`
jekyll     | _posts/2020-01-02-a.md |         |                                                              | /{year}/{month}/{day}/{slug}.html | 1
jekyll     | _posts/2020-01-02-a.md |         | _config.yml = permalink: pretty\nbaseurl: /b                  | /b/{year}/{month}/{day}/{slug}/   | 1
jekyll     | _posts/2020-01-02-a.md |         | _config.yml = collections: {posts: {permalink: /n/:title/}}   | /n/{slug}/                        | 1
jekyll     | _posts/2020-01-02-a.md | permalink: /p/:title/ |                                              | /p/{slug}/                        | 1
jekyll     | c/_posts/2020-01-02-a.mark |     | _config.yml = collections_dir: c\nmarkdown_ext: mark\npermalink: /:categories/:title | /{slug} | 1
hugo       | content/posts/a.md     | slug: a | hugo.yaml = permalinks: {posts: "/:year/:section/:slug/"}     | /{year}/posts/{slug}/             | 1
hugo       | content/posts/a.md     |         | hugo.yaml = permalinks: {posts: "/:section/:year/:month"}      | /posts/{year}/{month}/            | 1
hugo       | content/posts/a.md     | slug: a | hugo.yaml = permalinks: {posts: "b/:slug"}                    | /b/{slug}/                        | 1
hugo       | content/posts/a.md     | slug: a | hugo.yaml = permalinks: {posts: "/:sectionslug/:slug"}        | /{slug}/                          | 0
hugo       | content/posts/a.md     | slug: a | hugo.yaml = permalinks: {posts: "/:sections[:1]/:slug"}       | /posts/{slug}/                    | 1
hugo       | content/posts/a.md     | publishDate: 2999-01-02 | hugo.yaml = permalinks: {posts: "/:year/:slug/"} | /{year}/{slug}/ | 0
eleventy   | posts/a.md             |         | .eleventy.js = module.exports = () => ({ pathPrefix: '/pre/' }) | /pre/posts/{slug}/ | 1
hugo       | content/posts/a.md     | url: /x/a | hugo.yaml = title: T                                        | /x/{slug}/                        | 1
docusaurus | blog/2020-01-02-a.md   |         | docusaurus.config.js = baseUrl = 'https://x', docs: {routeBasePath: '/'}, blog: {} | /blog/{year}/{month}/{day}/{slug} | 1
eleventy   | posts/a.md             |         | posts/posts.json = {"permalink": "/w/{{ page.fileSlug }}/"}   | /w/{slug}/                        | 1
eleventy   | posts/a/a.md           |         |                                                              | /posts/{slug}/                    | 1
eleventy   | posts/2020-01-02-a.md  | slug: b\nurl: /c/ |                                                    | /posts/{slug}/                    | 1
eleventy   | posts/a.md             | layout: p | _includes/p.njk = ---\npermalink: "/w/{{ page.fileSlug }}/"\n---\n | /w/{slug}/ | 1
eleventy   | posts/a.md             | layout: p | _includes/p.njk = ---\nlayout: p\npermalink: "/v/{{ page.fileSlug }}/"\n---\n | /v/{slug}/ | 1
eleventy   | posts/a.md             | eleventyComputed: {permalink: "/c/{{ page.fileSlug }}/"} | | /c/{slug}/ | 1
eleventy   | posts/a.md             | permalink: {build: "/c/a/"} | | /c/{slug}/ | 1
eleventy   | views/posts/a.md       | | eleventy.config.js = export default function (c) {\n  c.setInputDirectory("./views")\n} | /posts/{slug}/ | 1
jekyll     | _posts/2020-01-02-a.md | slug: A b\ncategories: [Big News] | _config.yml = permalink: /:categories/:title/ | /big%20news/{slug}/ | 1
jekyll     | _posts/2020-01-02-a.md | categories: [x] | _config.yml = permalink: /:slugified_categories/:title/ | /{slug}/ | 0
eleventy   | posts/a.md             | permalink: "{{ gone }}" |                                               | /{slug}/                          | 0
next       | posts/let.it.md        |         | pages/posts/[slug].js = x                                     | /posts/{slug}                     | 1
hexo       | source/_posts/a.md     |         | _config.yml = permalink: :title.html                          | /{slug}.html                      | 1
pelican    | content/a.md           | slug: a | pelicanconf.py = ARTICLE_URL = 'p/{date:%Y}/{slug}.html'      | /p/{year}/{slug}.html             | 1
mkdocs     | docs/blog/posts/a.md   | slug: a | mkdocs.yml = site_name: S | /blog/{year}/{month}/{day}/{slug}/ | 1
nikola     | posts/a.md             |         | conf.py = X = 1                                               | /posts/{slug}/                    | 1
zola       | content/x/a.md         |         | config.toml = base_url = "https://e.com"                      | /x/{slug}/                        | 1
zola       | content/x/A.md         |         | config.toml = base_url = "https://e.com"\n[slugify]\npaths = "off" | /x/{slug}/                   | 1
astro      | src/content/posts/2020-01-02-a.md | | src/pages/[year]/[month]/[day]/[slug].astro = x               | /{year}/{month}/{day}/{slug}      | 1
astro      | src/content/posts/2020-01-03-a.md | | src/pages/[year]/[month]/[slug].astro = x                     | /{year}/{month}/{slug}            | 0
astro      | src/content/posts/2020-01-03-a.md | | src/pages/[year]/[month]/[slug].astro = /^\\d{4}-/            | /{year}/{month}/{slug}            | 1
astro      | src/content/post/2020-01-02-a.md | | src/pages/blog/[...slug].astro = x                             | /blog/{slug}                      | 1
astro      | src/content/post/2020-01-02-a.md | | src/pages/blog/[slug].astro = id.replace(/^\\d{4}-\\d\\d/)     | /blog/{slug}                      | 0
astro      | src/content/docs/blog/A b.md |      | astro.config.mjs = base: '/x'                                 | /x/blog/{slug}                    | 1
astro      | src/content/posts/a.md |         | src/pages/[lang]/[...slug].astro = x                          | /{slug}                           | 0
astro      | content/notes/x/a.md   |         | src/content.config.ts = glob({ base: './content/notes' })      | /notes/x/{slug}                   | 0
astro      | src/pages/posts/2020-01-02-a.md | |                                                               | /posts/{slug}                     | 1
next       | content/blog/2020-01-02-a.mdx | | app/(x)/blog/[slug]/page.tsx = x                              | /blog/{slug}                      | 1
next       | content/posts/x/a.md   |         | pages/[slug].js = x                                           | /{slug}                           | 1
next       | content/posts/x/a.md   |         | pages/[...slug].js = x                                        | /x/{slug}                         | 0
next       | posts/2020-01-02-a.md  |         | app/page.js = x                                               | /posts/{slug}                     | 0
next       | posts/a.md             | permalink: /b/a/ |                                                       | /b/{slug}/                        | 1
gatsby     | content/blog/2020-01-02-a/index.md | | gatsby-node.js = createFilePath()                            | /blog/{slug}                      | 0
gatsby     | content/blog/a.md      |         | src/pages/blog/{Mdx.fields__slug}.js = x                      | /blog/{slug}                      | 1
hugo       | extra/posts/a.md       |         | hugo.yaml = module: {mounts: [{source: extra, target: content}]}  | /posts/{slug}/                | 1
nikola     | news/x/a.md            |         | conf.py = POSTS = (\n    ("posts/*.md", "p", "t"),\n    ("news/*.md", "n", "t"),\n)\n | /n/x/{slug}/ | 1
docusaurus | articles/a.md          |         | docusaurus.config.js = trailingSlash: true, blog: {path: './articles'} | /blog/{slug}/             | 1
vitepress  | posts/a.md             |         | .vitepress/config.ts = srcDir: 'posts'                        | /{slug}.html                      | 1
vitepress  | posts/a/index.md       |         | .vitepress/config.ts = title: 'T'                             | /posts/{slug}/                    | 1
vitepress  | posts/2020-01-02-a.md  |         | .vitepress/config.ts = cleanUrls: true                        | /posts/{slug}                     | 1
hugo       | content/posts/a.md     |         | hugo.yaml = uglyURLs: true                                    | /posts/{slug}.html                | 1
nikola     | posts/a.md             |         | conf.py = PRETTY_URLS = False                                 | /posts/{slug}.html                | 1
mkdocs     | docs/blog/posts/a.md   | slug: a | mkdocs.yml = site_url: https://x.com/d/\nuse_directory_urls: no | /d/blog/{year}/{month}/{day}/{slug}.html | 1
hexo       | source/_posts/a.md     |         | _config.yml = permalink: :title.html\npretty_urls: {trailing_html: false} | /{slug}                  | 1
mkdocs     | docs/blog/posts/a.md   |         | mkdocs.yml = plugins:\n- blog:\n    post_slugify: !!python/name:own | /{slug}/                      | 0
nikola     | posts/2020-01-02-A_b.md |        | conf.py = X = 1                                               | /posts/{slug}/                    | 1
hexo       | source/_posts/a.md     |         | _config.yml = permalink: :category/:title/                    | /{slug}/                          | 0
pelican    | content/n/a.md         | slug: a | pelicanconf.py = ARTICLE_URL = '{category}/{slug}.html'       | /n/{slug}.html                    | 1
pelican    | content/n/a.md         | slug: a\ncategory: m, o | pelicanconf.py = ARTICLE_URL = '{category}/{slug}.html' | /m-o/{slug}.html          | 1
pelican    | content/a.md           | slug: a | pelicanconf.py = ARTICLE_URL = '{author}/{slug}.html'         | /{slug}/                          | 0
hexo       | source/_posts/a.md     |         | _config.yml = permalink: :lang/:title/index.html\npermalink_defaults: {lang: de}\npretty_urls: {trailing_index: false} | /de/{slug}/ | 1
pelican    | content/a.md           | slug: a\nurl: c/a/ | publishconf.py = SITEURL = ''                               | /c/{slug}/                        | 1
pelican    | content/a.md           | slug: a | publishconf.py = ARTICLE_URL = 'x/{slug}'\nARTICLE_URL = 'y/{slug}/' | /y/{slug}/            | 1
docusaurus | blog/a.md              |         | docusaurus.config.js = baseUrl: process.env.BASE ?? '/s/', blog: {} | /blog/{slug}      | 0
mkdocs     | docs/blog/posts/a.md   | slug: a | mkdocs.yml = site_url: !ENV [A, 'https://x.com/d/'] | /blog/{year}/{month}/{day}/{slug}/ | 0
nikola     | posts/a.md             |         | conf.py = STRIP_INDEXES = False                               | /posts/{slug}/index.html          | 1
jekyll     | _posts/2020-01-02-a.md |         | _config.yml = permalink: /:y_day/:title/                      | /{slug}/                          | 0
vitepress  | posts/a.md             |         | .vitepress/config.ts = rewrites: {'posts/:x': ':x'}           | /posts/{slug}.html                | 0
`)

it('has no title from a comment in a block of code of a tool', async () => {
  const body = '{% highlight sh %}\n# A comment\n{% endhighlight %}\n\n# The title\n'
  const { read } = await importSite('jekyll', { '_posts/2020-01-02-a.md': body })
  expect(read('posts/a.md')).toContain('title: The title\n')
})

describe('the URL of a post', () => {
  it('is a guess where a helper of its route may cut the date of its file', async () => {
    const { report } = await importSite('astro', {
      'src/content/blog/2020-01-02-a.md': post(),
      'src/pages/blog/[slug].astro': "import { nameOf } from '../../lib/names'",
      'src/lib/names.ts': 'export const nameOf = (id) => id.replace(/^\\d{4}-\\d\\d-\\d\\d-/, "")',
    })
    expect(report.addresses).toMatchObject({ given: 0, posts: 1 })
  })

  it.each(patterns)('of %s, %s with %j and %j is given by %s', async (...row) => {
    const [name, path = '', front, more, pattern, given] = row
    const files = { ...fileOf(more), [path]: post(front) }
    const { report, read } = await importSite(name as ImporterName, files)
    expect(report.addresses).toEqual({ pattern, given: Number(given), posts: 1 })
    expect(read('workspace.yml')).toContain(`${pattern}\n`)
  })

  // As `hugo list all` gives them.
  it.each([
    ['/:sections/:filename', '/posts/n/{slug}/'],
    ['/:monthname/:slug', '/january/{slug}/'],
  ])('of Hugo with the pattern %s is given by %s', async (pattern, given) => {
    const { report } = await importSite('hugo', {
      'hugo.yaml': `permalinks: {posts: "${pattern}"}`,
      'content/posts/_index.md': '---\ntitle: Big News\n---\n',
      'content/posts/n/_index.md': '---\ntitle: N\nslug: n2\n---\n',
      'content/posts/n/folder/t.md': post(),
    })
    expect(report.addresses).toEqual({ pattern: given, given: 1, posts: 1 })
  })

  it('of a page is that of its file; a link to a file that is missing stays, and is no error', async () => {
    const { read, entries } = await importSite('jekyll', {
      '_posts/2020-01-02-a.md': post('', '[x](../about.md) [y](../nope.md#z)'),
      'about.md': '# About\n',
    })
    expect(read('posts/a.md')).toContain('[x](/about) [y](../nope.md#z)')
    expect(entries('left')).toEqual({ 'link to a file that is not in the source': 1 })
    expect(read('workspace.yml')).toContain('broken: warning')
  })

  it('that the pattern does not give stays in its post, and the report counts it', async () => {
    const {
      post: read,
      entries,
      report,
    } = await importSite('hugo', {
      ...{
        'content/posts/a.md': post(),
        'content/posts/b.md': post(),
        'content/posts/c.md': post('url: /c/'),
      },
    })
    expect(report.addresses).toMatchObject({ given: 2, posts: 3 })
    expect(read('c').fields['url']).toBe('/c/')
    expect(entries('changed')).toMatchObject({ 'own URL → `url`': 1 })
  })

  it('is no pattern for many others, and has no date of a post without one', async () => {
    const many = Array.from({ length: 11 }, (_, at) => [
      `_posts/2020-01-02-x${at}.md`,
      post(`permalink: /n/${at}/i/`),
    ])
    const { post: read, report } = await importSite('jekyll', {
      ...Object.fromEntries(many),
      '_config.yml': 'permalink: /:i_month/:year/:title/',
      ...{ '_posts/2020-01-02-a.md': post('permalink: /odd/a/'), '_drafts/b.md': 'Text.\n' },
    })
    expect(report.addresses).toEqual({ pattern: '/{slug}/', given: 0, posts: 12 })
    expect(['a', 'b'].map((slug) => read(slug).fields['url'])).toEqual(['/odd/a/', undefined])
  })

  it('that only programs know is a line of the report', async () => {
    const files = { 'posts/a.md': post('permalink: "{{ gone }}"') }
    const { entries } = await importSite('eleventy', files)
    const line = 'URL in the site that only its programs know: state it as `url`'
    expect(entries('left')).toHaveProperty([line], 1)
  })

  it.each<[ImporterName, Record<string, string>]>([
    ['docusaurus', { 'docusaurus.config.js': "module.exports = { baseUrl: '/d/' }" }],
    ['vitepress', { '.vitepress/config.js': "export default { base: '/d/', cleanUrls: true }" }],
  ])('of %s, and of other pages, has the base in links too', async (name, config) => {
    const folder = name === 'docusaurus' ? 'blog' : 'posts'
    const body = `[b](/${folder}/b) [c](/d/${folder}/b/#x) [d](/guide/x#y) [e](/d/guide/) [f](/)`
    const files = { [`${folder}/a.md`]: post('', body), [`${folder}/b.md`]: post(), ...config }
    const { post: read } = await importSite(name, files)
    const links = '[b](./b.md) [c](./b.md#x) [d](/d/guide/x#y) [e](/d/guide/) [f](/d/)'
    expect(read('a').body).toBe(links)
  })
})

describe('a date', () => {
  it.each([
    ['2020-01-03', '2020-01-03'],
    ['2020-01-02', undefined],
    ['2020-01-02T09:00:00Z', '2020-01-02T09:00:00Z'],
    ['2020-01-01', undefined, { lastmod: '2020-01-01T00:00:00.000Z' }],
  ])('of a change, %s, is %j', async (lastmod, updatedAt, fields?: object) => {
    const { post: read } = await importSite('hugo', {
      'hugo.yaml': 'timeZone: Europe/Berlin',
      'content/posts/a.md': post(`lastmod: ${lastmod}`),
    })
    expect(read('a').fields).toMatchObject({ publishedAt: '2020-01-02' })
    expect([read('a').fields['updatedAt'], read('a').fields['fields']]).toEqual([updatedAt, fields])
  })
})

describe('a slug', () => {
  it.each([
    [':title', '', 'announcing-c-2.0'],
    [':slug', 'slug: short', 'short'],
  ])('of Hugo is what %s makes of %j', async (place, more, slug) => {
    const { files } = await importSite('hugo', {
      'hugo.toml': `[permalinks]\nposts = "/:year/${place}/"\n`,
      'content/posts/2020-01-02-file.md': post(more).replace(
        'title: T',
        'title: "Announcing C  2.0!"',
      ),
    })
    expect(posts(files)).toEqual([`posts/${slug}.md`])
  })

  it.each([
    ['pelican', 'content/a.md', "What's  new – C++ é?", 'whats-new-c-e', 1],
    ['pelican', 'content/a.md', '中文', '中文', 0],
    ['mkdocs', 'docs/blog/posts/a.md', "What's – é?", 'whats--é', 1],
  ])('of %s for %j and the title %s is %s', async (name, path, title, slug, given) => {
    const text = post().replace('title: T', `title: "${title}"`)
    const files = { [path]: text, 'mkdocs.yml': '' }
    const { report, files: written } = await importSite(name as ImporterName, files)
    expect(posts(written)).toEqual([`posts/${slug}.md`])
    expect(report.addresses).toMatchObject({ given })
  })

  it('is valid and unique; ids and aliases are taken if they are free', async () => {
    const { files, entries, ...made } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': post('id: 4711\nredirect_from: [/old/name.html, /two/]'),
      '_posts/2021-01-02-two.md': post('id: one'),
      '_posts/2021-02-02-a.md': post('permalink: /x/two/'),
      '_posts/2020-01-02-con.md': post('permalink: /a/../../../etc/passwd'),
    })
    expect(posts(files)).toEqual(
      ['one', 'passwd', 'two-2020', 'two'].map((name) => `posts/${name}.md`),
    )
    expect(made.post('one').fields).toMatchObject({ id: '4711', aliases: ['name'] })
    expect(made.post('two').fields).not.toHaveProperty('id')
    expect(entries('left')).toMatchObject({ 'id that is taken or not valid': 1 })
  })
})

describe('links and images', () => {
  it('of Nikola lead to files, tags and slugs', async () => {
    const links = '[a](link://filename/posts/b.md) [b](link://tag/x) [c](link://slug/b) link://rss/'
    const files = { 'posts/a.md': post('', links), 'posts/b.md': post(), 'conf.py': 'X = 1' }
    const { post: read, entries } = await importSite('nikola', files)
    expect(read('a').body).toBe('[a](./b.md) [b](/categories/x/) [c](./b.md) link://rss/')
    expect(entries('left')).toHaveProperty(['link to a page of Nikola: it stays as text'], 1)
    const code = { 'content/a.md': post('slug: a', '`[b]({filename}b.md)`') }
    expect((await importSite('pelican', code)).post('a').body).toContain('{filename}')
  })

  it('lead to files of the workspace, or to a path of the site', async () => {
    const body =
      '[a](/2020/01/02/b.html#x) [c](b.md) [d](../about.md) ![e](/img/e.png) ![f](/x/f.gif) ![n](/n.png) [g](#in_g)\n\n## In G'
    const {
      post: read,
      files,
      entries,
    } = await importSite('jekyll', {
      ...{ '_posts/2020-01-02-a.md': post('', body), '_posts/2020-01-02-b.md': post() },
      ...{
        'img/e.png': 'GIF89a',
        'deep/x/f.gif': 'GIF89a',
        'n.png': '<html>',
        'about.md': '---\n---\n',
      },
    })
    expect(read('a').body.split('\n')[0]).toBe(
      '[a](./b.md#x) [c](/_posts/b) [d](/about) ![e](../media/img/e.png.gif) ![f](../media/deep/x/f.gif) ![n](/n.png) [g](#in-g)',
    )
    expect(files).toEqual(expect.arrayContaining(['media/deep/x/f.gif', 'media/img/e.png.gif']))
    expect(entries('left')).toMatchObject({ 'image that is not a valid image': 1 })
    expect(entries('changed')).toMatchObject({ 'link to a heading → its id': 1 })
  })

  it('lead to pages below the base, to images of other bundles, and to files that are reported', async () => {
    const body = '[a](@/c.md) [b](../../c.md) ![c](/x/b/i.png) ![d](../b/i.png) [e](f.pdf)'
    const { post: read, entries } = await importSite('zola', {
      'config.toml': 'base_url = "https://e.com/base"',
      ...{ 'content/x/a/index.md': post('', body), 'content/x/a/f.pdf': 'x', 'content/c.md': 'c' },
      ...{ 'content/x/2020-01-02-b/index.md': post(), 'content/x/2020-01-02-b/i.png': 'GIF89a' },
    })
    const image = '../media/content/x/2020-01-02-b/i.png.gif'
    expect(read('a').body).toBe(
      `[a](/base/c) [b](/base/c) ![c](${image}) ![d](${image}) [e](/base/x/a/f.pdf)`,
    )
    const left = 'linked file: serve it at its URL, or copy it to `media` (`media.files`)'
    expect(entries('left')).toMatchObject({ [left]: 1 })
  })

  it('never leave the source', async () => {
    const links = '![a](/../key.png) ![b](../../key.png) {% include ../../key.png %}'
    const folder = emptyFolder({
      ...{ 'key.png': 'secret', 'site/_posts/2020-01-02-a.md': post('', links) },
      ...{ 'k.md': 'secret', 'site/blog/b.md': post('', "import K from '../../k.md'\n\n<K />") },
    })
    symlinkSync(`${folder}/key.png`, `${folder}/site/link.png`)
    const { stdout, exitCode } = await call(folder, 'import jekyll site --workspace w'.split(' '))
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 1 })
    expect(stdout).toContain('1  symbolic link: not followed')
    expect(readFileSync(`${folder}/content/w/posts/a.md`, 'utf8')).not.toContain('secret')
    await call(folder, 'import docusaurus site --workspace d'.split(' '))
    expect(readFileSync(`${folder}/content/d/posts/b.md`, 'utf8')).not.toContain('secret')
  })
})

describe('terms', () => {
  it('are categories, tags and authors by the rules of the tool', async () => {
    const { entries, ...made } = await importSite('jekyll', {
      '_config.yml': 'defaults: [{scope: {path: ""}, values: {category: Blog Posts}}]',
      '_data/authors/cy.toml': 'name = "Cy"',
      '_data/authors.yml':
        'ada: {name: Ada L., role: Editor, twitter: ada, shoe: 1}\nbob: {name: Bob}\n',
      '_posts/2020-01-02-a.md': post('categories: news meta\ntags: [C#, C++]\nauthor: ada'),
    })
    expect(made.post('a').fields).toMatchObject({
      ...{
        category: 'blog-posts',
        tags: ['c-sharp', 'c-plus-plus', 'news', 'meta'],
        authors: ['ada'],
      },
    })
    expect(made.read('authors/ada.md')).toContain('url: https://twitter.com/ada')
    expect(entries('left')).toMatchObject({
      'author not used by any post': 2,
      '`shoe` of an author': 1,
    })
  })

  it.each<[string | readonly string[], readonly string[], string?]>([
    [
      ['Doe, Ann', 'Ada L, Bob R'],
      ['Doe', 'Ann', 'Ada L', 'Bob R'],
    ],
    [
      'Ada Lovelace, Bob Roberts, and Carla de Souza',
      ['Ada Lovelace', 'Bob Roberts', 'Carla de Souza'],
    ],
    ['waj,bcardiff <b@e.com>', ['waj', 'bcardiff']],
    ['Smith, John; Doe, Jane', ['Smith, John', 'Doe, Jane']],
    ['[Ada](https://ada.example), [Bob](https://bob.example)', ['Ada', 'Bob']],
    ['Ada Lovelace (@ada)', ['Ada Lovelace']],
    ['the Blink and V8 teams', ['the Blink and V8 teams']],
    ['Josh Aas, ISRG Executive Director', ['Josh Aas'], 'Josh Aas, ISRG Executive Director'],
  ])('authors of %j are %j', (text, names, byline) => {
    const found = readByline([text].flat(), () => false)
    expect(found.authors.map(({ name }) => name)).toEqual(names)
    expect(found.text).toBe(byline)
  })
})

const tick = '`'
const told = rowsOf(String.raw`
hugo     | content/posts/a.md | cover: {image: a.png, alt: W}   | x | mapped | cover → fields.cover
vitepress | posts/a.md        | slug: other                     | x | mapped | slug → fields.slug
mkdocs   | docs/blog/posts/a.md | slug: a\nlinks: [a.md]        | x | mapped | links → fields.links
hugo     | content/posts/a.md | tags: [{name: x, color: red}]   | x | left | tags.color: does not fit into tags
hugo     | content/posts/a.md | authors: [{name: Ada, orcid: 1}] | x | left | orcid of an author
hugo     | content/posts/a.md | authors: [{url: u}]             | x | mapped | authors → fields.authors
hugo     | content/posts/a.md | og:title: a\nog_title: b        | x | left | og_title: no field name is free
hugo     | content/posts/a.md | description: D | <script>x</script> | changed | markup that shows nothing → left out
eleventy | posts/a.md   | | {% unless eleventy.env.runMode == "build" %}a{% endunless %}b | changed | Liquid unless → its text
docusaurus | blog/a.mdx  | | import a from 'a'; import b from 'b' // c | failed | import is not read
docusaurus | blog/a.mdx  | | export const a = [\n\n1 | failed | export without an end
docusaurus | blog/a.mdx  | | $10 {b && <b>c</b>} to US$20    | changed | program in braces → left out
docusaurus | blog/a.mdx  | | <TeamOnly>a</TeamOnly>b         | changed | component TeamOnly → left out
docusaurus | blog/a.mdx  | | <Show env="dev">a</Show>b       | changed | element with env → left out
docusaurus | blog/a.md   | | <p class="note-block hidden">a</p>b | changed | element with class → left out
docusaurus | blog/a.md   | | a <!-- b                        | failed | comment without an end is not read
docusaurus | blog/a.md   | | <style>.a{display:none}</style> <p class="a">b</p>c | changed | element with a class that a style of the post hides → left out
astro    | src/content/blog/a.mdx | | <p set:text="a" /> b  | failed | text in an attribute of <p>
zola     | content/posts/a.md | | ~~~rust,hide_lines=1\na\n~~~ | failed | hidden line is not read
hugo     | content/posts/a.md | markup: rst | a              | failed | made a draft: markup: rst may withhold it
hugo     | content/posts/a.md | | {{< a.inline >}}b{{< /a.inline >}} | failed | shortcode "a.inline" has no translation
hugo     | content/posts/a.md | | {{< hiddenblock >}}a{{< /hiddenblock >}}b | changed | shortcode hiddenblock → left out with its text
hugo     | content/posts/a.md | | {{< encryptblock >}}a{{< /encryptblock >}}b | changed | shortcode encryptblock → left out with its text
jekyll   | _posts/2020-01-02-a.md | | {:a: .b}\nc           | changed | attributes → left out
eleventy | posts/a.njk  | | {{ "a" if title else "b" }}     | failed | Nunjucks: an expression that Liquid does not have
eleventy | posts/a.njk  | | {% set x %}v{% endset %}        | failed | Nunjucks: an expression that Liquid does not have
vitepress | posts/a.md   | | {{ 1 + 1 }}                     | failed | expression of Vue is not read
zola     | content/posts/a.md   | extra: {slug: s}                | x | mapped | extra.slug → fields.extra_slug
hugo     | content/posts/a.md   | params: {slug: s, url: /u/}     | x | mapped | params.url → fields.params_url
mkdocs   | docs/blog/posts/a.md | slug: a | /// note\nx\n///       | failed | block of slashes is not read
jekyll   | _posts/2020-01-02-a.md | | {% x "A" b: 1 %}c{% endx %} | changed | Liquid block x → its text
vitepress | posts/a.md   | | <<< @/gone.js                   | failed | included file is not read
vitepress | posts/a.md   | | ~~~\n<!--@include: x.md-->\n~~~ | failed | included file is not read
vitepress | posts/a.md   | | > [!TIP] A title\n> b           | changed | title of an alert → bold
vitepress | posts/a.md   | | <a :href="u" class="x">b</a>    | failed | expression of Vue is not read
hexo      | source/_posts/a.md | disableNunjucks: true     | {% x %} | left | disableNunjucks: only used by the generator
hexo      | source/_posts/a.md | | a <b>b</b>\nc              | changed | newline → hard break
jekyll    | _posts/2020-01-02-a.md | | <img src="data:image/png;base64,AA" srcset="/a.png 1x"> | left | image that is not in the source
mkdocs    | docs/blog/posts/a.md | slug: a | ~~~\n-8<- "x"\n~~~ | failed | snippet is not read
eleventy | posts/a.webc | | <p @text="t"></p>               | failed | WebC is not read
eleventy | posts/a.md   | | {% renderTemplate "webc" %}<x-y></x-y>{% endrenderTemplate %} | failed | WebC is not read
vitepress  | posts/a.md | | ## A {#b .c}\n\n![d](/e){width=20} | changed | attributes → left out
vitepress  | posts/a.md | | <b @click="a">                    | failed | expression of Vue is not read
docusaurus | blog/a.md | | a\n\n{: .b style="display: none"} | failed | attribute list that hides its block is not read
hexo      | source/_posts/a.md | | {% if hidden %}a{% endif %} {{ hidden }} ${tick}{hidden}${tick} | changed | Liquid if → its text
docusaurus | blog/a.md | | ~~~\na // hide-line\n~~~           | failed | hidden line is not read
docusaurus | blog/a.md | | > [!foo]\n> a                      | left | alert: it stays as text
docusaurus | blog/a.md | | > [!TIP]\n> [!danger] a            | changed | alert → CAUTION
hexo      | source/_posts/a.md | | a ![[b.png]] [[c]](/d)     | left | text in double brackets: it stays as text
hexo      | source/_posts/a.md | | a^[b] [^c] [^[d]](/e)      | left | note in the text: it stays as text
hexo      | source/_posts/a.md | | a $b$ $1 ${tick}$c$${tick}           | left | formula (markdown.math shows it): it stays as text
hexo      | source/_posts/a.md | | a \(b_c\) \[d\]        | left | formula between backslashes: it stays as text
hexo      | source/_posts/a.md | | ![a](/b.png =20x)          | changed | size of an image
hexo      | source/_posts/a.md | | ::: a                      | left | container: it stays as text
`)

it.each(told)('%s, %s: %j and %j has a line among %s: %s', async (...row) => {
  const [name, path = '', front, body, section, line = ''] = row
  const { entries, post: read } = await importSite(name as ImporterName, {
    [path]: post(front, body),
  })
  const lines = JSON.parse(JSON.stringify(entries(section as Section)).replaceAll('`', ''))
  expect(lines).toHaveProperty([line], 1)
  expect(read('a').fields['status']).toBe(section === 'failed' ? 'draft' : undefined)
})

describe('files', () => {
  it.each<[ImporterName, Record<string, string>, readonly string[], string]>([
    [
      'hugo',
      { 'content/posts/a.org': 'x', 'content/posts/b.md': post() },
      ['b'],
      'skipped: `.org` in a folder of posts is not read: convert it with `pandoc -t gfm`',
    ],
    [
      'hugo',
      {
        ...{ 'content/blog/a/index.md': post(), 'content/blog/a/more.md': post() },
        'content/blog/security.md': post(),
      },
      ['a', 'security'],
      'page: resource of a page bundle',
    ],
    [
      'hugo',
      {
        'hugo.yaml': 'languages: {es: {title: T}}',
        ...{ 'content/blog/a/index.md': post(), 'content/blog/a/index.es.md': post() },
        ...{ 'content/blog/let.it.md': post(), 'content/blog/node.js.md': post() },
      },
      ['a', 'let.it', 'node.js'],
      'skipped: posts in the language es: --language all makes one of each',
    ],
    [
      'jekyll',
      {
        ...{ '_posts/2020-1-2-a.html': post('', '<b>x</b>'), '_posts/about.md': post() },
        ...{ '_posts/2020-01-02-b.it.md': post(), '_posts/2020-01-02-b.md': post() },
      },
      ['a', 'b.it', 'b'],
      'page: no date in its name: not a post in Jekyll',
    ],
    [
      'hugo',
      { 'content/posts/a.md': post(), 'content/posts/b.md': post(), 'content/posts/c.ad': 'x' },
      ['a', 'b'],
      'skipped: `.ad` in a folder of posts is not read: convert it with `npx downdoc`',
    ],
    [
      'pelican',
      { 'content/a.md': post(), 'content/pages/p.md': post(), 'content/b.rst': 'x' },
      ['t'],
      'skipped: `.rst` in a folder of posts is not read: convert it with `pandoc -t gfm`',
    ],
    [
      'astro',
      { 'src/content/blog/a.md': post(), 'src/content/blog/b.json': '{}' },
      ['a'],
      'skipped: not a post (templates, programs, styles, data and other files)',
    ],
    [
      'docusaurus',
      { 'blog/_part.mdx': 'Text.', 'blog/2020-01-02-a.md': post() },
      ['a'],
      'page: no date: --undated imports it',
    ],
    [
      'docusaurus',
      { 'p/p.mdx': 'Text.', 'blog/a.md': post('', "import P from '@site/p/p.mdx'\n\n<P />") },
      ['a'],
      'imported Markdown → its text',
    ],
    [
      'jekyll',
      {
        '_config.yml': 'collections: {talks: {output: true}}',
        '_posts/2020-01-02-a.md': post(),
        '_talks/b.md': post(),
      },
      ['a'],
      'page: in the collection `talks`: --posts _talks',
    ],
  ])('of %s in %j are posts %j, and: %s', async (name, files, slugs, reason) => {
    const { files: written, entries, report } = await importSite(name, files)
    expect(posts(written)).toEqual(slugs.map((slug) => `posts/${slug}.md`))
    const all = { ...entries('files'), ...entries('failed'), ...entries('changed') }
    expect(all).toHaveProperty([reason])
    expect(report.fileBalance.isBalanced).toBe(true)
  })

  it('have keys that a schema may fill, and line breaks that a setting keeps', async () => {
    const schema = 'z.object({ tags: z.array().default(["x"]), b: z.boolean().default(false) })'
    const astro = { 'src/content.config.ts': schema, 'src/content/blog/a.md': post() }
    const { entries } = await importSite('astro', astro)
    expect(entries('left')).toMatchObject({ 'default of `tags` in the schema: not read': 1 })
    expect(entries('left')).not.toHaveProperty(['default of `b` in the schema: not read'])
    const files = {
      '_config.yml': 'kramdown: {hard_wrap: true}',
      '_posts/2020-01-02-a.md': post('', 'a\nb'),
    }
    expect((await importSite('jekyll', files)).post('a').body).toBe('a  \nb')
  })

  it('that cannot be read are drafts or reported with their places, and the others are written', async () => {
    const { post: read, report } = await importSite('jekyll', {
      '_posts/2020-01-01-a.md': '---\ndate: git Created\n---\nText.\n',
      '_posts/2020-01-02-b.md': '\n\n---\ntitle: "B\n---\nText.\n',
      '_posts/2020-01-03-c.md': post('', 'x'.repeat(1024 * 1024)),
      '_posts/2020-01-04-d.md': post('', '{% for x in (1..100000000) %}{{ x }}{% endfor %}'),
      '_posts/2020-01-05-e.md': post('', '{% if page.nothing %}All of it.{% endif %}'),
      '_posts/2020-01-06-f.md': post('layout: list', '<!-- nothing -->\n<x-y></x-y>'),
      // No text, and a long fence.
      '_posts/2020-01-07-g.md': '---\ntitle: G\ndate: 2020-02-03\n-----\n',
      '_drafts/h.md': '---\ntitle: *\n---\n',
      '_posts/2020-14-31-i.md': 'Text.\n',
    })
    expect(read('g').fields).toMatchObject({ publishedAt: '2020-02-03' })
    const statusOf = (slug: string) => read(slug).fields['status']
    expect(['a', 'b', 'd', 'e', 'f', 'h'].map(statusOf)).toEqual(Array(6).fill('draft'))
    expect(statusOf('g')).toBeUndefined()
    const places = report.entries('failed').flatMap((entry) => entry.places)
    expect(places.sort().join(' ').replaceAll('_posts/2020-', '')).toBe(
      '01-01-a.md 01-02-b.md:4:8 01-03-c.md 01-04-d.md:6:1 01-05-e.md 01-06-f.md 14-31-i.md',
    )
  })

  it.each<[ImporterName, string, string]>([
    ['docusaurus', 'blog/b.md', 'blog/2020-01-02-a.md'],
    ['hexo', 'source/_posts/b.md', 'source/_posts/a.md'],
    ['eleventy', 'posts/b.md', 'posts/a.md'],
    ['astro', 'src/content/blog/b/index.md', 'src/content/blog/a.md'],
    ['next', 'posts/b.md', 'posts/a.md'],
    ['vitepress', 'posts/b.md', 'posts/a.md'],
    ['mkdocs', 'docs/blog/posts/b.md', 'docs/blog/posts/a.md'],
  ])('of %s without a date, which the site shows, need a look: %s', async (name, path, other) => {
    const { entries } = await importSite(name, { [path]: '---\ntitle: B\n---\n', [other]: post() })
    const text = 'page: no date, but a page of the site: --undated imports it'
    expect(entries('failed')).toEqual({ [text]: 1 })
  })

  it.each(['hugo', 'zola'] as const)(
    'of a section of %s without a date are pages',
    async (name) => {
      const files = { 'content/blog/b.md': '---\ntitle: B\n---\n', 'content/blog/a.md': post() }
      const { entries } = await importSite(name, files)
      expect(entries('files')).toEqual({ 'page: no date: --undated imports it': 1 })
      expect(entries('failed')).toEqual({})
    },
  )

  it('that are no UTF-8 are drafts', async () => {
    const folder = emptyFolder({ 'site/_posts/2020-01-02-a.md': 'x' })
    const bytes = Buffer.from('---\ntitle: A\n---\nCaf\u00e9\n', 'latin1')
    writeFileSync(`${folder}/site/_posts/2020-01-02-a.md`, bytes)
    const { exitCode } = await call(folder, 'import jekyll site --workspace w'.split(' '))
    expect(exitCode).toBe(1)
    const text = readFileSync(`${folder}/content/w/posts/a.md`, 'utf8')
    expect(text).toMatch(/status: draft\n---\n\nCafé\n$/)
  })

  it('of a collection of Jekyll are posts if the user names it', async () => {
    const files = {
      '_config.yml': 'collections: {talks: {output: true}, notes: {}}',
      '_talks/b.md': post('', '{% for n in site.notes %}{{ n.title }}{% endfor %}'),
      '_talks/c.md': '---\ntitle: C\n---\nText.\n',
      '_talks/d.md': post(),
    }
    const { post: read, entries, report } = await importSite('jekyll', files, { posts: '_talks' })
    expect(read('d').fields).toMatchObject({ publishedAt: '2020-01-02' })
    expect(read('b').fields).toMatchObject({ status: 'draft' })
    expect(entries('failed')).toEqual({
      'Liquid: `site.notes` is not read': 1,
      'page: no date, but a page of the site: --undated imports it': 1,
    })
    expect(report.addresses).toEqual({ pattern: '/talks/{slug}.html', given: 2, posts: 2 })
  })

  it.each([
    ['hugo', 'content/en/blog', 'content/de/blog'],
    ['docusaurus', 'blog', 'i18n/de/docusaurus-plugin-content-blog'],
  ])('of %s in several languages are workspaces with translations', async (name, en, de) => {
    const [a, b] = [`site/${en}`, `site/${de}`]
    const folder = emptyFolder({
      ...{ [`${a}/a.md`]: post(), [`${a}/b.md`]: post(), [`${a}/c.md`]: post() },
      ...{ [`${b}/a.md`]: post('slug: x'), [`${b}/b.md`]: post() },
    })
    const words = `import ${name} site --workspace w --language all`.split(' ')
    const { stdout, exitCode } = await call(folder, words)
    const read = (path: string) => readFileSync(`${folder}/content/${path}`, 'utf8')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('1  post without a translation in this language: ')
    expect(read('w/workspace.yml')).toContain('locale: en\n')
    expect(read('w-de/workspace.yml')).toContain('locale: de\ntranslationOf: w\n')
    expect(read('w-de/posts/x.md')).toContain('translationKey: a\n')
    expect(read('w-de/posts/b.md')).not.toContain('translationKey')
  })

  it('of a tool that is not there are wrong use', async () => {
    const words = 'import jekyll site --workspace w'.split(' ')
    const { exitCode, stderr } = await call(emptyFolder({ 'site/a.txt': 'x' }), words)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('No posts were found')])
  })
})

describe('Eleventy', () => {
  it('reads the literals that programs export, and reports what they compute', async () => {
    const program = [
      'const tags = ["x"] // permalink',
      'export default {',
      '  tags, layout: `l`, rating: 4.5,',
      `  permalink: ({ page }) => \`/w/\${page.fileSlug}/\`,`,
      '  eleventyComputed: { subtitle: (data) => data.x },',
      '}',
    ].join('\n')
    const head = '---js\n{\n  title: "T", date: "2020-01-02",\n  more: x()\n}\n---\n'
    const { post: read, report } = await importSite('eleventy', {
      '_data/site.js': 'module.exports = { owner: "Ada" }',
      'posts/posts.11tydata.js': program,
      'posts/a.md': `${head}By {{ site.owner }}. {{ gone }}\n`,
    })
    expect(read('a')).toMatchObject({
      fields: { title: 'T', publishedAt: '2020-01-02', tags: ['x'], fields: { rating: 4.5 } },
      body: 'By Ada. {{ gone }}',
    })
    expect(report.addresses).toMatchObject({ pattern: '/w/{slug}/', given: 1 })
    expect(report.entries('left').map(({ text, places }) => `${places[0]} ${text}`)).toEqual(
      expect.arrayContaining([
        'posts/posts.11tydata.js:5 `eleventyComputed.subtitle` of a data file is computed: not read',
        'posts/a.md:4 `more` of front matter is computed: not read',
      ]),
    )
    expect(report.entries('failed')[0]?.places).toEqual(['posts/a.md:7:25'])
  })

  it('evaluates Nunjucks as far as Liquid has the same', async () => {
    const body =
      '{% if title == "T" %}A{% elif gone %}B{% endif %}{% for t in tags %}{{ loop.index }}{% endfor %}{{ tags }} {{ "<" }}{{ "<" | safe }}{% if "" %}C{% endif %}{% verbatim %}{{ x }}{% endverbatim %}'
    const truth =
      '{% if site.zero %}S{% elif site.zero != 1 and tags and not n %}D{% endif %}`a{# S #}`'
    const files = {
      '_data/site.json': '{"zero": 0}',
      'posts/a.md': post('tags: [p, q]\ntemplateEngineOverride: njk,md\nn: 0', body + truth),
    }
    expect((await importSite('eleventy', files)).post('a').body).toBe('A12p,q &lt;<{{ x }}D`a`')
    const none = { '.eleventy.js': 'markdownTemplateEngine: false' }
    const text = { 'posts/a.md': post('', '{{ x }}') }
    expect((await importSite('eleventy', { ...none, ...text })).post('a').body).toBe('{{ x }}')
  })

  it('reads data of folders, front matter as variables, and templates for its filters', async () => {
    const site = {
      '.eleventy.js':
        "module.exports = () => ({ dir: { input: '.', includes: 'parts', data: 'data' } })\n",
      'data/team.json': '{"ada": "Ada L."}',
      'parts/box.liquid': '<b>{{ text }}</b>',
      'posts/posts.json': '{"tags": ["x"]}',
      'posts/a.md': post(
        'shot: /a.png',
        '{{ "ada" | member() }} {% badge "x" site %} {% include "box", text: "B" %} {{ shot | url }} {% image shot, "C, d" %} {% imageKeys { "src": shot, alt: "E" } %}',
      ),
      'parts/page.njk': '---\ntitle: Page\ntags: [y]\n---\n',
      'posts/c.md': '---\ndate: 2020-01-02\nlayout: page\n---\n```\n# Code\n```\n',
      'posts/b.md': post('', 'A {{ "x" | upcase }} {{ missing }}'),
    }
    const templates = new Map([
      ['member', '<i>{{ team[value] }}</i>'],
      ['badge', '{{ value }}!'],
    ])
    const { post: read, report } = await importSite('eleventy', site, { templates })
    expect(read('c').fields).toMatchObject({ title: 'C', tags: ['y', 'x'] })
    expect(read('a')).toMatchObject({
      fields: { tags: ['x'] },
      body: '<i>Ada L.</i> x! <b>B</b> /a.png <img src="/a.png" alt="C, d"> <img src="/a.png" alt="E">',
    })
    expect(read('b')).toMatchObject({ fields: { status: 'draft' }, body: 'A X {{ missing }}' })
    const [failure] = report.entries('failed')
    expect(failure).toMatchObject({ text: 'Liquid: undefined variable: missing' })
    const kept = await importSite('eleventy', site, { templates, keepUnknown: true })
    expect(kept.post('b').fields['status']).toBeUndefined()
  })
})
