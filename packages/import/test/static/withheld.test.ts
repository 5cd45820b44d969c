// Posts that an old site withholds: drafts, schedules, or nothing, with the reason in the report. Rules of Jekyll 4.3.1,
// Hugo 0.111.3 and Eleventy 3 were read from what they publish for these inputs.
import { describe, expect, it } from 'vitest'
import type { ImporterName } from '../../src/command.ts'
import { importSite } from '../imported.ts'

const post = (front = '', date = 'date: 2020-01-02') =>
  `---\ntitle: T\n${date}\n${front}\n---\nText.\n`
const toml = (front: string) => `+++\ntitle = "T"\ndate = 2020-01-02\n${front}\n+++\nText.\n`

/** Imports a post `b` next to a public post `a`. @returns the reason why `b` is a draft; `public`, or `absent` */
async function fateOf(
  name: ImporterName,
  folder: string,
  text: string,
  more: Record<string, string> = {},
  path = 'b.md',
): Promise<string> {
  const dated = name === 'jekyll' ? '2020-01-02-' : ''
  const {
    files,
    entries,
    post: read,
  } = await importSite(name, {
    [`${folder}/${dated}a.md`]: post(),
    [`${folder}/${path.replace(/([^/]+)$/, `${dated}$1`)}`]: text,
    ...more,
  })
  expect(read('a').fields['status']).toBeUndefined()
  if (!files.includes('posts/b.md')) return 'absent'
  const reasons = Object.entries(entries('changed')).filter(([key]) => /^made a draft/.test(key))
  const [[reason, count] = ['', 0]] = reasons
  expect({ count, isDraft: read('b').fields['status'] === 'draft' }).toEqual(
    reason === '' ? { count: 0, isDraft: false } : { count: 1, isDraft: true },
  )
  return reason === '' ? 'public' : reason.replace('made a draft: ', '')
}

const frontMatter = [
  ...[
    'is-draft: true',
    'status: [draft]',
    'expiry-date: 2021-01-01',
    'is-private: yes',
    'IS_HIDDEN: 1',
  ],
  ...['draft: [true]', 'build: {Render: Never}', 'post-status: private'],
  ...[
    'draft: true',
    'draft: yes',
    'draft: y',
    'draft: on',
    'draft: 1',
    'draft: T',
    'draft: "true"',
  ],
  ...['Draft: True', 'isDraft: true', 'is_draft: yes', 'draft: maybe', 'wip: true'],
  ...['published: false', 'published: no', 'published: off', 'published: n', 'published: 0'],
  ...['published: "false"', 'published:', 'publish: false', 'public: no', 'isPublished: false'],
  ...[
    'unlisted: true',
    'unlisted: yes',
    'private: true',
    'private: 1',
    'hidden: true',
    'hide: yes',
  ],
  ...['listed: false', 'visible: no', 'archived: true', 'headless: true', 'membersOnly: true'],
  ...['status: draft', 'status: Draft', 'status: private', 'status: pending', 'status: archived'],
  ...['status: hidden', 'status: skip', 'status: in review', 'state: unpublished', 'status: trash'],
  ...['post_status: private', 'visibility: members', 'visibility: paid', 'access: subscribers'],
  ...['permalink: false', 'permalink: {build: false}', 'render: false', 'password: sesame'],
  ...['eleventyExcludeFromCollections: true', 'expiryDate: 2021-01-01', 'expires: 2021-01-01'],
  ...['unpublish_on: 2021-01-01 10:00', 'params: {draft: true}', 'extra: {hidden: yes}'],
  ...[
    'build: {render: never}',
    'build: {list: never}',
    '_build: {render: false}',
    'build: {render: link}',
  ],
  ...['draft: {value: true}', 'status: review', 'publishedUntil: 2021-01-01', 'validUntil: soon'],
  ...[
    'meta: {draft: true}',
    'build: {list: local}',
    'embargo: yes',
    'dratf: true',
    'stage: internal',
  ],
  ...['disabled: true', 'approved: no', 'post_password: x', 'confidential: 1', 'layout: draft'],
  ...['permalink: "{% if draft %}false{% else %}/x/{% endif %}"'],
]
const harmless = [
  ...[
    'draft: false',
    'draft: no',
    'draft: off',
    'draft: 0',
    'draft:',
    'published: true',
    'public: yes',
  ],
  ...[
    'published: 2020-01-01',
    'status: published',
    'status: Final',
    'visibility: public',
    'noindex: true',
  ],
  ...[
    'hide: [toc]',
    'title: Draft',
    'params: {expiryDate: 2999-01-01}',
    'tags: [draft]',
    'category: private',
    'hidden: false',
    'permalink: /x/b/',
    'expiryDate: 2999-01-01',
    'publishDate: 2020-01-01',
    'published: 2020-01-01 10:00',
  ],
  ...['expires: never', 'private: ""', 'render: always'],
]

describe('a key of front matter', () => {
  const tools: readonly (readonly [ImporterName, string])[] = [
    ['next', 'posts'],
    ['hugo', 'content/posts'],
    ['jekyll', '_posts'],
    ['astro', 'src/content/blog'],
    ['eleventy', 'posts'],
    ['docusaurus', 'blog'],
    ['vitepress', 'posts'],
  ]
  it.each(tools)(
    'of %s that withholds makes a draft, and the report names it',
    async (name, folder) => {
      const dated = name === 'jekyll' ? '2020-01-02-' : ''
      const files = [...frontMatter, ...harmless].map((line, index) => [
        `${folder}/${dated}p${index}.md`,
        post(line),
      ])
      const { post: read, entries } = await importSite(name, Object.fromEntries(files))
      // Hugo and Docusaurus have no such key.
      const usesPermalink = !['hugo', 'docusaurus'].includes(name)
      const slugs = [...frontMatter, ...harmless].map((line, index) => {
        if (line === 'permalink: /x/b/' && usesPermalink) return 'b'
        return name === 'eleventy' && line.includes('{% if draft %}') ? 'x' : `p${index}`
      })
      const drafts = slugs.filter((slug) => read(slug).fields['status'] === 'draft')
      expect(drafts).toEqual(slugs.slice(0, frontMatter.length))
      const reasons = Object.entries(entries('changed')).filter(([key]) =>
        /^made a draft/.test(key),
      )
      expect(reasons.reduce((sum, [, count]) => sum + count, 0)).toBe(frontMatter.length)
      expect(Object.fromEntries(reasons)).toMatchObject({
        'made a draft: `published: no`': 1,
        'made a draft: `published:` without a value': 1,
        'made a draft: `password: …`': 1,
        'made a draft: `expiryDate` is in the past': 1,
        'made a draft: `build.render: never`': 1,
      })
    },
  )

  it('is reported if readers see the post all the same', async () => {
    const { entries } = await importSite('next', {
      'posts/a.md': post('noindex: true'),
      'posts/b.md': post('expiryDate: 2999-01-01'),
      'posts/c.md': post('robots: "noindex, follow"'),
    })
    expect(entries('changed')).toMatchObject({
      '`noindex` hides the post from search engines: it stays public': 1,
      '`robots` hides the post from search engines: it stays public': 1,
      '`expiryDate` in the future: unpublish the post by hand then': 1,
    })
  })
})

describe('Jekyll', () => {
  it.each([
    ['_posts', 'b.md', '', 'defaults: [{scope: {path: _posts}, values: {x: 1}}]', 'public'],
    [
      '_posts',
      'x/b.md',
      '',
      'defaults: [{scope: {path: _posts/x}, values: {published: false}}]',
      '`published: false`',
    ],
    [
      '_posts',
      'x/b.md',
      'published: true',
      'defaults: [{scope: {path: _posts/x}, values: {published: false}}]',
      'public',
    ],
    [
      '_posts',
      'x/b.md',
      '',
      'defaults: [{scope: {path: "*/x"}, values: {published: no}}]',
      '`published: no`',
    ],
    [
      '_posts',
      'x/b.md',
      '',
      'defaults: [{scope: {path: _posts/x}, values: {published: no}}, {scope: {path: ""}, values: {published: yes}}]',
      '`published: no`',
    ],
    [
      '_posts',
      'x/b.md',
      '',
      'defaults: [{scope: {path: _posts/x, type: pages}, values: {published: no}}]',
      'public',
    ],
    [
      '_posts',
      'b.md',
      '',
      'exclude: [_posts/2020-01-02-b.md]',
      '`exclude` of the configuration names it',
    ],
    ['_posts', 'x/b.md', '', 'exclude: [_posts/x/]', '`exclude` of the configuration names it'],
    ['_posts', 'x/b.md', '', 'exclude: ["*x/*"]', '`exclude` of the configuration names it'],
    ['_posts', 'x/b.md', '', 'exclude: [_posts/x]\ninclude: [_posts/x]', 'public'],
    ['_posts', '_x/b.md', '', 'title: T', 'Jekyll does not read `_x`'],
    ['_posts', 'b.md', 'hidden: true', 'title: T', '`hidden: true`'],
  ])(
    '%s/%s with %j, and %j in its configuration, is %s',
    async (folder, path, front, config, fate) => {
      expect(await fateOf('jekyll', folder, post(front), { '_config.yml': config }, path)).toBe(
        fate,
      )
    },
  )

  it('does not publish a hidden folder, drafts, and collections without output', async () => {
    const { post: read, entries } = await importSite('jekyll', {
      '_config.yml': 'collections: {talks: {output: false}}\nfuture: true\n',
      '_posts/2020-01-02-a.md': post(),
      '_secret/_posts/2020-01-02-b.md': post(),
      '_drafts/c.md': post('', ''),
      '_posts/2999-01-02-d.md': post('', ''),
    })
    expect(['a', 'b', 'c', 'd'].map((slug) => read(slug).fields['status'])).toEqual([
      undefined,
      'draft',
      'draft',
      undefined,
    ])
    expect(read('d').fields['publishedAt']).toBe('2999-01-02')
    expect(entries('changed')).toMatchObject({
      'made a draft: Jekyll does not read `_secret`': 1,
      'made a draft: in the folder `_drafts`': 1,
      'date in the future: scheduled': 1,
    })
    expect(entries('left')).toHaveProperty(
      '`future: true`: posts that it shows are drafts or scheduled',
      1,
    )
    const talks = await importSite(
      'jekyll',
      {
        '_config.yml': 'collections: {talks: {output: false}}\n',
        '_talks/2020-01-02-a.md': post(),
      },
      { posts: '_talks' },
    )
    expect(talks.post('a').fields['status']).toBe('draft')
    expect(talks.entries('changed')).toHaveProperty(
      'made a draft: its collection `talks` has no `output: true`',
      1,
    )
  })
})

describe('Hugo', () => {
  const section = (front: string) => ({ 'content/posts/s/_index.md': `---\n${front}\n---\n` })
  it.each<[string, string, Record<string, string>, string]>([
    ['s/b.md', '', section('cascade: {draft: true}'), 'its section has `draft: true`'],
    ['s/deep/er/b.md', '', section('cascade: {draft: true}'), 'its section has `draft: true`'],
    ['s/b.md', 'draft: false', section('cascade: {draft: true}'), 'its section has `draft: true`'],
    ['s/b.md', '', section('draft: true'), 'its section has `draft: true`'],
    [
      's/b.md',
      '',
      section('expiryDate: 2021-01-01'),
      'its section has `expiryDate` is in the past',
    ],
    ['s/b.md', '', section('cascade: {_build: {render: never}}'), '`_build.render: never`'],
    ['s/b.md', 'build: {render: always}', section('cascade: {build: {list: never}}'), 'public'],
    [
      's/b.md',
      '',
      section('cascade: [{_target: {path: "/posts/s/b*"}, build: {list: never}}]'),
      '`build.list: never`',
    ],
    ['s/b.md', '', section('cascade: [{_target: {path: "/posts/s/c*"}, draft: true}]'), 'public'],
    [
      's/x/b.md',
      '',
      section('cascade: [{target: {path: "/posts/**"}, build: {list: never}}]'),
      '`build.list: never`',
    ],
    ['s/b.md', '', section('cascade: [{_target: {kind: page}, draft: true}]'), '`draft: true`'],
    ['s/b.md', '', section('cascade: [{_target: {lang: de}, draft: true}]'), 'public'],
    ['s/b.md', '', section('build: {render: never}'), 'public'],
    ['s/b.md', '', section('title: S'), 'public'],
    ['s/b.md', '', { 'content/posts/s/_index.de.md': '---\ndraft: true\n---\n' }, 'public'],
    ['b/index.md', 'headless: true', {}, '`headless: true`'],
    [
      'b.md',
      '',
      { 'hugo.toml': '[[cascade]]\ndraft = true\n[cascade._target]\npath = "/posts/b"\n' },
      '`draft: true`',
    ],
    ['b.md', '', { 'hugo.toml': '[cascade]\n[cascade._target]\npath = "/x/**"\n' }, 'public'],
    [
      'b.md',
      '',
      { 'hugo.toml': "ignoreFiles = ['/b\\.md$']\n" },
      'the configuration ignores the file',
    ],
    ['b.md', '', { 'hugo.toml': "ignoreFiles = ['\\.bak$', '(a+)+$']\n" }, 'public'],
    [
      'b.md',
      'gone: 2021-01-01',
      { 'hugo.toml': '[frontmatter]\nexpiryDate = ["gone"]\n' },
      '`gone` is in the past',
    ],
    [
      'b.md',
      '',
      { 'config.toml': 'base_url = "https://z.example"\nignored_content = ["b.*"]\n' },
      'the configuration ignores the file',
    ],
  ])('content/posts/%s with %j below %j is %s', async (path, front, more, fate) => {
    expect(await fateOf('hugo', 'content/posts', post(front), more, path)).toBe(fate)
  })

  it.each([
    ['draft = true', '`draft: true`'],
    ['draft = "true"', '`draft: true`'],
    ['draft = 1', '`draft: 1`'],
    ['render = false', '`render: false`'],
    ['[extra]\nhidden = true', '`extra.hidden: true`'],
    ['[build]\nrender = "never"', '`build.render: never`'],
    ['draft = false', 'public'],
  ])('reads TOML with %j as %s', async (front, fate) => {
    expect(await fateOf('hugo', 'content/posts', toml(front))).toBe(fate)
  })

  it.each([
    ['date: 2020-01-02\npublishDate: 2999-01-02', '2999-01-02'],
    ['date: 2020-01-02\npubdate: 2999-01-02T10:00:00+02:00', '2999-01-02T08:00:00Z'],
    ['date: 2020-01-02\npublished: 2999-01-02', '2999-01-02'],
    ['date: 2020-01-02\npublish-date: 2999-01-02', '2999-01-02'],
    ['date: 2999-01-02\npublishDate: 2020-01-03', '2020-01-03'],
    ['date: 2020-01-02\npublishDate: 2020-01-03', '2020-01-02'],
    ['date: 2020-01-02\ngoes: 2999-01-02', '2999-01-02'],
  ])('publishes %j at %s', async (dates, publishedAt) => {
    const { post: read, entries } = await importSite('hugo', {
      'hugo.toml': '[frontmatter]\npublishDate = [":filename", "goes"]\n',
      'content/posts/a.md': post('', dates),
    })
    expect(read('a').fields).toMatchObject({ publishedAt })
    expect(read('a').fields['status']).toBeUndefined()
    const scheduled = publishedAt.startsWith('2999') ? 1 : undefined
    expect(entries('changed')['date in the future: scheduled']).toBe(scheduled)
  })
})

describe('Eleventy', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['wip/b.md', '', { 'posts/wip/wip.json': '{"draft": true}' }, '`draft: true`'],
    ['wip/b.md', '', { 'posts/wip/wip.json': '{"permalink": false}' }, '`permalink: false`'],
    [
      'wip/b.md',
      '',
      { 'posts/wip/wip.11tydata.json': '{"eleventyExcludeFromCollections": true}' },
      '`eleventyExcludeFromCollections: true`',
    ],
    ['wip/deep/b.md', '', { 'posts/wip/wip.json': '{"draft": 1}' }, '`draft: 1`'],
    ['wip/b.md', 'draft: false', { 'posts/wip/wip.json': '{"draft": true}' }, 'public'],
    ['b.md', '', { 'posts/b.json': '{"draft": true}' }, '`draft: true`'],
    ['b.md', '', { 'posts/b.11tydata.json': '{"draft": true}' }, '`draft: true`'],
    [
      'b.md',
      '',
      { 'posts/b.11tydata.js': 'module.exports = { permalink: (d) => d.x ? "/" : false }' },
      '`posts/b.11tydata.js` is a program that may withhold it',
    ],
    [
      'b.md',
      '',
      {
        'posts/b.11tydata.js':
          'export default { tags: ["x"], permalink: "/x/{{ page.fileSlug }}/" }',
      },
      'public',
    ],
    ['b.md', '', { '.eleventyignore': '# no\nposts/b.md\n' }, '`.eleventyignore` names it'],
    ['wip/b.md', '', { '.eleventyignore': 'wip/\n' }, '`.eleventyignore` names it'],
    ['wip/b.md', '', { '.eleventyignore': 'wip\n!posts/wip/b.md\n' }, 'public'],
    ['b.md', 'eleventyComputed: {permalink: false}', {}, '`eleventyComputed.permalink: false`'],
    ['b.md', '', { 'posts/posts.json': '{"permalink": "/w/{{ page.fileSlug }}/"}' }, 'public'],
  ])('posts/%s with %j and %j is %s', async (path, front, more, fate) => {
    expect(await fateOf('eleventy', 'posts', post(front), more, path)).toBe(fate)
  })

  it('names data files that are programs', async () => {
    const { entries } = await importSite('eleventy', {
      'posts/a.md': post(),
      'posts/posts.11tydata.js': 'export default { layout: "x" }',
    })
    expect(entries('left')).toMatchObject({ 'data file that is a program: not run': 1 })
  })
})

describe('other tools', () => {
  it.each<[ImporterName, string, string, string, Record<string, string>, string]>([
    [
      'next',
      'posts',
      'b.md',
      'Title: T\nDate: 2020-01-02\nStatus: draft\n\nText.\n',
      {},
      '`status: draft`',
    ],
    [
      'next',
      'posts',
      'b.md',
      'Title: T\nDate: 2020-01-02 10:20\nStatus: hidden\n\nText.\n',
      {},
      '`status: hidden`',
    ],
    ['next', 'posts', 'b.md', 'Title: T\nDate: 2020-01-02\n\nText.\n', {}, 'public'],
    [
      'next',
      'posts',
      'b.md',
      '<!--\n.. title: T\n.. date: 2020-01-02 10:00:00 UTC-03:00\n.. status: private\n-->\n\nText.\n',
      {},
      '`status: private`',
    ],
    [
      'next',
      'posts',
      'b.md',
      '.. title: T\n.. date: 2020-01-02\n.. tags: x, draft\n\nText.\n',
      {},
      '`status: draft`',
    ],
    [
      'next',
      'posts',
      'b.md',
      '.. title: T\n.. date: 2020-01-02\n.. status: featured\n\nText.\n',
      {},
      'public',
    ],
    [
      'next',
      'posts',
      'b.md',
      'Text.\n',
      { 'posts/b.meta': '.. title: T\n.. date: 2020-01-02\n.. status: draft\n' },
      '`status: draft`',
    ],
    [
      'next',
      'posts',
      'b.md',
      'title: T\ndate: 2020-01-02\npublished: false\n---\nText.\n',
      {},
      '`published: false`',
    ],
    ['next', 'source/_posts', '../_drafts/b.md', post(), {}, 'in a folder `_drafts`'],
    ['next', 'content', 'drafts/b.md', post(), {}, 'in a folder `drafts`'],
    [
      'next',
      'content',
      'b.md',
      'Title: T\nDate: 2020-01-02\n\nText.\n',
      { 'pelicanconf.py': "TIMEZONE = 'UTC'\n" },
      'public',
    ],
    ['astro', 'src/content/blog', '_old/b.md', post(), {}, 'in a folder `_old`'],
    ['docusaurus', 'blog', '_old/b.md', post(), {}, 'in a folder `_old`'],
  ])('%s: %s/%s of %j with %j is %s', async (name, folder, path, text, more, fate) => {
    expect(await fateOf(name, folder, text, more, path)).toBe(fate)
  })

  it('of Pelican make all posts drafts by DEFAULT_METADATA, and no metadata is text', async () => {
    const { post: read } = await importSite('pelican', {
      'pelicanconf.py': "DEFAULT_METADATA = {\n  'status': 'draft',\n}\n",
      'content/a.md': 'Title: A\nDate: 2020-01-02\nTags: x, y\n\nText.\n',
      'content/b.md': 'Title: B\nDate: 2020-01-02\nStatus: published\n\nText.\n',
    })
    expect(read('a')).toMatchObject({
      fields: { title: 'A', tags: ['x', 'y'], status: 'draft' },
      body: 'Text.',
    })
    expect(read('b').fields['status']).toBeUndefined()
  })
})

describe('the time zone of the site', () => {
  it.each<[ImporterName, Record<string, string>, string, string, string]>([
    [
      'jekyll',
      { '_config.yml': 'timezone: America/New_York\n' },
      '_posts/2999-01-05-a.md',
      'date: 2999-01-05 09:00',
      '2999-01-05T14:00:00Z',
    ],
    [
      'jekyll',
      { '_config.yml': 'timezone: America/New_York\n' },
      '_posts/2999-07-05-a.md',
      'date: 2999-07-05 09:00:00',
      '2999-07-05T13:00:00Z',
    ],
    [
      'jekyll',
      { '_config.yml': 'timezone: America/New_York\n' },
      '_posts/2999-01-05-a.md',
      '',
      '2999-01-05T05:00:00Z',
    ],
    [
      'jekyll',
      { '_config.yml': 'timezone: Asia/Tokyo\n' },
      '_posts/2999-01-05-a.md',
      'date: 2999-01-05 09:00 -0400',
      '2999-01-05T13:00:00Z',
    ],
    [
      'jekyll',
      { '_config.yml': 'timezone: America/New_York\n' },
      '_posts/2020-01-05-a.md',
      'date: 2020-01-05 09:00',
      '2020-01-05T14:00:00Z',
    ],
    [
      'jekyll',
      { '_config.yml': 'timezone: America/New_York\n' },
      '_posts/2020-01-05-a.md',
      'date: 2020-01-05 09:00:00',
      '2020-01-05T09:00:00Z',
    ],
    [
      'jekyll',
      { '_config.yml': 'timezone: America/New_York\n' },
      '_posts/2020-01-05-a.md',
      '',
      '2020-01-05',
    ],
    [
      'jekyll',
      { '_config.yml': 'timezone: Mars/Olympus\n' },
      '_posts/2020-01-05-a.md',
      'date: 2020-01-05 09:00',
      '2020-01-05T09:00:00Z',
    ],
    [
      'hugo',
      { 'hugo.yaml': 'timeZone: America/New_York\n' },
      'content/posts/a.md',
      'date: 2999-01-05T09:00:00',
      '2999-01-05T14:00:00Z',
    ],
    [
      'hugo',
      { 'hugo.yaml': 'timeZone: UTC\nlanguages: {en: {timeZone: Asia/Kolkata}}\n' },
      'content/posts/a.md',
      'date: 2999-01-05 09:00:00',
      '2999-01-05T03:30:00Z',
    ],
    [
      'hugo',
      { 'hugo.yaml': 'timeZone: America/New_York\n' },
      'content/posts/a.md',
      'date: 2020-03-08 02:30:00',
      '2020-03-08T07:30:00Z',
    ],
    [
      'hugo',
      { 'hugo.yaml': 'timeZone: Europe/Berlin\n' },
      'content/posts/a.md',
      'date: 2999-07-05',
      '2999-07-04T22:00:00Z',
    ],
    [
      'hexo',
      { '_config.yml': 'timezone: Asia/Shanghai\n' },
      'source/_posts/a.md',
      'date: 2999-01-05 09:00:00',
      '2999-01-05T01:00:00Z',
    ],
    [
      'pelican',
      { 'pelicanconf.py': "TIMEZONE = 'America/Los_Angeles'\n" },
      'content/a.md',
      'slug: a\ndate: 2999-01-05 09:00',
      '2999-01-05T17:00:00Z',
    ],
    [
      'nikola',
      { 'conf.py': 'TIMEZONE = "Australia/Lord_Howe"\n' },
      'posts/a.md',
      'date: 2999-01-05 09:00',
      '2999-01-04T22:00:00Z',
    ],
    ['next', {}, 'posts/a.md', 'date: 2999-01-05 09:00', '2999-01-05T09:00:00Z'],
  ])('of %s, %j, in %s with %j gives %s', async (name, config, path, date, publishedAt) => {
    const { post: read } = await importSite(name, { ...config, [path]: post('', date) })
    expect(read('a').fields).toMatchObject({ publishedAt })
  })

  it.each<[ImporterName, Record<string, string>, string, string, string, string]>([
    [
      'jekyll',
      { '_config.yml': 'timezone: America/New_York\npermalink: /:year/:month/:day/:title/\n' },
      '_posts/2020-07-01-a.md',
      '_posts/2020-08-01-b.md',
      'date: 2020-07-01 21:00:00 -0400',
      '2020-07-01T23:59:59Z',
    ],
    [
      'hugo',
      { 'hugo.toml': '[permalinks]\nposts = "/:year/:month/:day/:slug/"\n' },
      'content/posts/a.md',
      'content/posts/b.md',
      'slug: a\ndate: 2020-07-01T21:00:00-04:00',
      '2020-07-01T23:59:59Z',
    ],
    [
      'hugo',
      {
        'hugo.toml': 'timeZone = "Asia/Tokyo"\n[permalinks]\nposts = "/:year/:month/:day/:slug/"\n',
      },
      'content/posts/a.md',
      'content/posts/b.md',
      'slug: a\ndate: 2020-07-01 05:00:00',
      '2020-07-01',
    ],
  ])(
    'of %s, %j, leaves %s its URL of a day',
    async (name, config, path, other, date, publishedAt) => {
      const { post: read, entries } = await importSite(name, {
        ...config,
        [path]: post('', date),
        [other]: '---\ntitle: B\ndate: 2020-08-01\n---\n[old](/2020/07/01/a/)\n',
      })
      expect(read('a').fields).toMatchObject({ publishedAt })
      expect(read('b').body).toBe('[old](./a.md)')
      expect(entries('changed')).toHaveProperty('time moved within the day of its URL', 1)
    },
  )
})
