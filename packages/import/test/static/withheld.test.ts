// Posts and texts that an old site withholds: drafts, schedules, or nothing, with the reason in the report. Rules of
// Jekyll 4.3.1, Hugo 0.111.3 and Eleventy 3 were read from what they publish for these inputs.
import { describe, expect, it } from 'vitest'
import type { ImporterName } from '../../src/index.ts'
import { fileOf, importSite, rowsOf } from '../imported.ts'

const post = (front = '', date = 'date: 2020-01-02') =>
  `---\ntitle: T\n${date}\n${front}\n---\nText.\n`

const withholding =
  `draft: true|draft: yes|draft: 1|draft: T|draft: [true]|draft: maybe|isDraft: true|dratf: true
published: false|published: no|published: 0|published:|public: no|unlisted: yes|private: 1|hidden: true|IS_HIDDEN: 1
listed: false|archived: true|headless: true|membersOnly: true|status: Draft|status: [draft]|status: in review
post_status: private|visibility: members|access: subscribers|permalink: false|permalink: {build: false}|render: false
password: sesame|encrypt: true|eleventyExcludeFromCollections: true|expiryDate: 2020-01-02|unpublish_on: 2020-01-01 10:00
params: {draft: true}|extra: {hidden: yes}|meta: {draft: true}|build: {render: never}|_build: {list: local}
validUntil: soon|embargo: yes|layout: draft|visibility: {roles: [admin]}|disabled: true|approved: no`.split(
    /\||\n/,
  )
const harmless =
  `draft: false|draft: 0|draft:|published: true|published: 2020-01-01|status: published|status: Final
publishedUntil: 2021-01-01|visibility: public|noindex: true|hide: [toc]|title: Draft|hidden: false|tags: [drafting]|skip: false|pass: ""
params: {expiryDate: 2999-01-01}|expires: 2999-01-01|expires: never|private: ""|render: always|env: production|include: true|cover: {hidden: true}|show: {toc: false}|access: {level: all}`.split(
    /\||\n/,
  )
/** Only the site can know what these mean. */
const doubtful =
  'tags: [draft]|category: private|status: odd|skip: true|tier: paid|passcode: x|shouldPublish: false|extra: {plan: pro}|pending: true|released: no|env: development|access: {level: members}|members: {only: true}|options: {draft: true}|invisible: true|delisted: true|unfinished: true|retired: true|encrypted: abc|pwd: x'.split(
    '|',
  )

describe('a key of front matter', () => {
  it.each<[ImporterName, string]>([
    ['next', 'posts/'],
    ['hugo', 'content/posts/'],
    ['jekyll', '_posts/2020-01-02-'],
  ])('of %s that withholds makes a draft, and the report names it', async (name, start) => {
    const lines = [...withholding, ...doubtful, ...harmless]
    const files = lines.map((line, index) => [`${start}p${index}.md`, post(line)])
    const { post: read, entries } = await importSite(name, Object.fromEntries(files))
    const drafts = lines.filter((_, index) => read(`p${index}`).fields['status'] === 'draft')
    expect(drafts).toEqual([...withholding, ...doubtful])
    expect(entries('changed')).toMatchObject({
      'made a draft: `published: no`': 1,
      'made a draft: `published:` without a value': 1,
      'made a draft: `password: …`': 1,
      'made a draft: `build.render: never`': 1,
    })
    expect(entries('changed')).toMatchObject({ 'end in the past: expired': 1 })
    expect(entries('mapped')).toMatchObject({ '`expires` → expiresAt': 1 })
    const reasons = Object.keys(entries('failed'))
      .join('|')
      .replaceAll(/`|made a draft: /g, '')
    expect(reasons.replaceAll(' may withhold it', '')).toBe(
      'access.level: members|category: private|delisted: true|encrypted: …|env: development|extra.plan: pro|invisible: true|members.only: true|options.draft: true|passcode: …|pending: true|pwd: …|released: no|retired: true|shouldPublish: false|skip: true|status: odd|tags: draft|tier: paid|unfinished: true',
    )
    for (const line of ['expires: 2999-01-01', 'publishedUntil: 2021-01-01']) {
      const { fields } = read(`p${lines.indexOf(line)}`)
      expect(fields).toMatchObject({ expiresAt: line.split(' ')[1] })
    }
  })
})

/** Imports `b` next to a public post. @returns the reason why it is a draft; `public`, `expired`, or `absent` */
async function fateOf(
  name: ImporterName,
  path: string,
  text: string,
  more: Record<string, string>,
) {
  const other = path.replace(/[^/]*$/, name === 'jekyll' ? '2020-01-02-other.md' : 'other.md')
  const files = { [path]: text, ...more }
  const site = await importSite(name, { [other]: post('title: O'), ...files }).catch(async () =>
    importSite(name, files).catch(() => undefined),
  )
  if (site === undefined) return 'absent'
  if (!site.files.includes('posts/b.md')) return 'absent'
  const { status, expiresAt } = site.post('b').fields
  if (status === undefined) return expiresAt === undefined ? 'public' : 'expired'
  const all = { ...site.entries('changed'), ...site.entries('failed') }
  const [reason] = Object.keys(all).filter((key) => key.startsWith('made'))
  return reason?.replace('made a draft: ', '')
}

const metadata = "export const metadata = {\\n  title: 'T', date: '2020-01-02',"

const configured = rowsOf(String.raw`
jekyll     | _posts/x/2020-01-02-b.md  |                        | _config.yml = defaults: [{scope: {path: _posts/x}, values: {published: no}}] | published: no
jekyll     | _posts/x/2020-01-02-b.md  | published: true        | _config.yml = defaults: [{scope: {path: _posts/x}, values: {published: no}}] | public
jekyll     | _posts/x/2020-01-02-b.md  |                        | _config.yml = defaults: [{scope: {path: "*/x"}, values: {published: no}}] | published: no
jekyll     | _posts/x/2020-01-02-b.md  |                        | _config.yml = exclude: [_posts/x/] | exclude in the configuration names it
jekyll     | _posts/x/2020-01-02-b.md  |                        | _config.yml = exclude: [_posts/x]\ninclude: [_posts/x] | public
jekyll     | _posts/_x/2020-01-02-b.md |                        |   | Jekyll does not read _x
jekyll     | _drafts/b.md              |                        |   | in a folder _drafts
jekyll     | _posts/2020-01-02-b.md    |                        | _config.yml = collections_dir: col | it is not below collections_dir
jekyll     | col/_posts/2020-01-02-b.md |                       | _config.yml = collections_dir: col | public
hugo       | content/posts/s/b.md      | draft: false           | content/posts/s/_index.md = ---\ncascade: {draft: true}\n---\n | its section has draft: true
hugo       | content/posts/s/b.md      |                        | content/posts/s/_index.md = ---\ncascade: {build: {list: never}}\n---\n | build.list: never
hugo       | content/posts/s/b.md      |                        | content/posts/s/_index.md = ---\ncascade: [{_target: {path: "/posts/c*"}, draft: true}]\n---\n | public
hugo       | content/posts/s/b.md      |                        | content/posts/s/_index.md = ---\ncascade: [{target: {lang: de}, draft: true}]\n---\n | public
hugo       | content/posts/s/b.md      |                        | content/posts/s/_index.md = ---\nbuild: {render: never}\n---\n | public
hugo       | content/posts/s/b.md      |                        | hugo.toml = ignoreFiles = ['/b[.]md$'] | the configuration ignores the file
hugo       | content/posts/s/b.md      | gone: 2021-01-01       | hugo.yaml = frontmatter: {expiryDate: gone} | expired
hugo       | content/posts/s/b.md      | expiryDate: 2019-01-01 |   | expiryDate is before its date
hugo       | content/posts/s/b.md      |                        | content/posts/s/_index.md = ---\nexpiryDate: 2021-01-01\n---\n | its section has expiryDate is in the past
eleventy   | posts/b.md                |                        | posts/b.json = {"draft": true} | draft: true
eleventy   | posts/wip/b.md            |                        | .eleventy.js = c.setDataFileSuffixes([".data"])\nc.setDataFileBaseName("all") ;; posts/wip/all.data.json = {"draft": true} | draft: true
eleventy   | posts/wip/deep/b.md       |                        | posts/wip/wip.11tydata.json = {"draft": 1} | draft: 1
eleventy   | posts/b.md                |                        | posts/b.11tydata.js = export default { permalink: (d) => d.x } | posts/b.11tydata.js is a program that may withhold it
eleventy   | posts/b.md                |                        | .eleventyignore = posts/b.md | .eleventyignore excludes it
eleventy   | posts/b.md                |                        | .gitignore = posts/b.md | .gitignore excludes it
eleventy   | posts/b.md                |                        | .eleventy.js = c.ignores.add("posts/b.md") | ignores of the configuration names it
eleventy   | posts/b.md                | eleventyComputed: {permalink: false} |  | eleventyComputed.permalink: false
vitepress  | posts/b.md                |                        | .vitepress/config.mts = srcExclude: ['**/{b,c}.md',] | srcExclude of the configuration names it
vitepress  | posts/b.md                |                        | .vitepress/config.mts = // srcExclude: ['posts/b.md'] | public
hugo       | content/posts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!/b.md | | hugo.toml = ignoreFiles = ['(a+)+$'] | ignoreFiles of the configuration is a program that may exclude it
hugo       | content/posts/b.md        |                        | hugo.toml = ignoreFiles = ['(?i)B[.]md$'] | ignoreFiles of the configuration is a program that may exclude it
hugo       | content/posts/b.md        |                        | hugo.yaml = module: {mounts: [{source: content, target: content, excludeFiles: 'posts/b*'}]} | the configuration ignores the file
hugo       | content/posts/b.md        |                        | hugo.yaml = module: {mounts: [{source: content, target: content, includeFiles: 'posts/a*'}]} | the configuration ignores the file
astro      | src/content/blog/ideas/b.md |                      | src/content.config.ts = glob({ pattern: 'published/**/*.md' }) | pattern of the configuration does not name it
next       | posts/b.md                |                        | contentlayer.config.ts = fields: { draft: { type: 'boolean', default: true } } | draft: true
next       | secret/b.md               |                        | content-collections.ts = { directory: '.', exclude: ['secret/**'] } | exclude of the configuration names it
gatsby     | posts/b.md                |                        | gatsby-config.js = { ignore: [/private/] } | ignore of the configuration is a program that may exclude it
docusaurus | blog/b.md                 |                        | docusaurus.config.js = blog: { include: names } | include of the configuration is a program that may exclude it
docusaurus | blog/b.md                 |                        | docusaurus.config.js = blog: false | blog: false of the configuration
eleventy   | posts/b.html              |                        | .eleventy.js = c.setTemplateFormats(["md"]) | templateFormats of the configuration does not name it
pelican    | content/b.md              | slug: b                | pelicanconf.py = IGNORE_FILES = ['*.tmp'] + ['b*'] | IGNORE_FILES of the configuration is a program that may exclude it
pelican    | content/b.md              | slug: b                | pelicanconf.py = DEFAULT_METADATA = dict(status='draft') | status: draft
pelican    | content/b.md              | slug: b\nsave_as: ""   | pelicanconf.py = SITENAME = 'S' | save_as is empty
mkdocs     | docs/blog/posts/b.md      | slug: b                | mkdocs.yml = plugins:\n  - exclude:\n      regex: ['b']\n | exclude_docs of the configuration is a program that may exclude it
mkdocs     | docs/blog/posts/b.md      | slug: b                | mkdocs.yml = plugins:\n  - encryptcontent:\n      global_password: x\n | encryptcontent encrypts it
hugo       | content/posts/b.md        |                        | hugo.toml = disableKinds = ["page"] | the configuration disables its kind or language
hugo       | content/posts/b.md        |                        | hugo.yaml = languages: {en: {ignoreFiles: ['b\.md$']}} | the configuration ignores the file
hugo       | content/posts/b.md        |                        | hugo.yaml = module: {mounts: [{source: content, target: content, files: ['! posts/b*', '**']}]} | the configuration ignores the file
jekyll     | _posts/2020-01-02-b.md    |                        | _config.yml = source: src | it is not below source
next       | posts/b.md                | draft: false\ndraft: true |                     | draft is computed or repeated and may withhold it
next       | posts/b.md                | draft: false\ndraft:  false |                   | public
next       | posts/b.md                | showInList: false      |                        | showInList: false may withhold it
mkdocs     | docs/blog/posts/b.md      | slug: b                | mkdocs.yml = exclude_docs: >\n  # no\n  blog/posts/b.md\n  !c.md\n | exclude_docs of the configuration names it
mkdocs     | docs/blog/posts/b.md      | slug: b                | mkdocs.yml = plugins:\n  - exclude:\n      glob:\n        - blog/posts/b*\n | exclude_docs of the configuration names it
mkdocs     | docs/blog/posts/b.md      | slug: b                | mkdocs.yml = plugins:\n  - exclude:\n      glob:\n        - blog/posts/c*\n  - blog\n | public
pelican    | content/b.md              | slug: b                | pelicanconf.py = IGNORE_FILES = ['*.tmp', 'b.*'] | IGNORE_FILES of the configuration names it
pelican    | content/extra/b.md        | slug: b                | pelicanconf.py = PAGE_PATHS = ['extra'] | absent
hexo       | source/_posts/b.md        |                        | _config.yml = skip_render: ['_posts/b*'] | ignore of the configuration names it
gatsby     | content/b.md              |                        | gatsby-config.js = options: { ignore: ['**/b*'] } | ignore of the configuration names it
astro      | src/content/blog/b.md     |                        | src/content.config.ts = glob({ pattern: ['**/*.md', '!**/b.md'] }) | pattern of the configuration names it
astro      | src/content/blog/_old/b.md |                       |   | the name _old begins with _
next       | posts/wip/b.md            |                        | contentlayer.config.js = makeSource({ contentDirPath: 'posts', contentDirExclude: ['wip'] }) | exclude of the configuration names it
next       | content/wip/b.md          |                        | velite.config.ts = pattern: ['**/*.md', '!wip/**'] | pattern of the configuration names it
next       | content/drafts/b.md       |                        |   | in a folder drafts
next       | posts/b.draft.md          | slug: b                |   | .draft in its name may withhold it
nikola     | posts/.b.md               |                        |   | absent
nikola     | posts/b.md                | tags: [x, draft]       |   | its tag draft
nikola     | posts/b.md                | tags:\n- draft          |   | its tag draft
mkdocs     | docs/blog/posts/x/b.md    | slug: b                | docs/blog/.meta.yml = draft: true\ntags: [x]\n | draft: true
mkdocs     | docs/blog/posts/x/b.md    | slug: b\ndraft: false   | docs/blog/.meta.yml = draft: true | public
hexo       | source/_posts/b.md        | tag: secret            | _config.yml = encrypt: {tags: [{name: secret, password: x}]} | its tag secret
astro      | src/content/blog/b.md     | draft: false           | src/content.config.ts = z.object({ draft: z.boolean().default(true) }) | public
astro      | src/content/blog/b.md     | draft: false           | src/content.config.ts = z.object({ date: z.any().transform(d), draft: z.preprocess((v) => v ? v : x, z.boolean()) }) | draft of the schema is a program that may withhold it
astro      | src/content/blog/b.md     |                        | src/content.config.ts = z.object({ date: z.date(), isDraft: z\n    .boolean()\n    .catch(true) }) | isDraft: true
astro      | src/content/blog/b.md     |                        | src/content.config.ts = z.object({ status: z.enum(['draft', 'live']).default('draft'), a: z.boolean().default(true) }) | status: draft
astro      | src/content/blog/b.md     |                        | src/content.config.ts = z.object({ permalink: z.string().optional(), published: z.boolean().default(true), toc: z.boolean().default(false) }) | public
hexo       | source/_posts/b.md        | secretly: true         | _config.yml = hide_posts: {filter: secretly} | secretly
hexo       | source/_posts/_b.md       |                        |   | the name _b.md begins with _
next       | app/blog/_b/page.md       |                        |   | the name _b begins with _
jekyll     | _posts/2020-01-02-b.md    | redirect_to: https://e.com |   | it redirects to https://e.com
hugo       | content/deutsch/posts/b.md |                       | hugo.yaml = languages: {en: {}, de: {contentDir: content/deutsch}} | absent
vitepress  | fr/posts/b.md             |                        | .vitepress/config.ts = locales: { root: { lang: 'en' }, fr: { lang: 'fr' } } | absent
hexo       | source/_drafts/b.md       |                        |   | in a folder _drafts
pelican    | content/b.md              | slug: b                | pelicanconf.py = EXTRA_PATH_METADATA = {\n  "b.md": {"status": "draft"},\n} | PATH_METADATA may withhold it
eleventy   | posts/b.md                | reviewing: yes         | .eleventy.js = c.addPreprocessor("p", "md", (data) => { if (data.reviewing) return false }) | a preprocessor of the configuration may withhold posts with reviewing
eleventy   | posts/b.md                |                        | .eleventy.js = c.addPreprocessor("p", "md", (data) => { if (data.x) data.title += "x"; if (data.reviewing) return false }) | public
eleventy   | posts/b.md                |                        | .eleventy.js = c.addPreprocessor("p", "md", (data) => { if (!data.live) return false }) | a preprocessor of the configuration is a program that may withhold it
eleventy   | posts/b.md                | queued: yes            | .eleventy.js = c.addGlobalData("eleventyComputed.permalink", () => (data) => data.queued ? false : data.permalink) | eleventyComputed.permalink of the configuration may withhold posts with queued
eleventy   | posts/b.md                |                        | .eleventy.js = c.addGlobalData("eleventyComputed.permalink", () => (data) => data.queued ? false : data.permalink) | public
eleventy   | posts/b.md                |                        | .eleventy.js = c.addGlobalData("draft", () => hides()) | draft of the configuration is a program that may withhold it
eleventy   | posts/b.md                |                        | _data/eleventyComputed.js = module.exports = { permalink: (d) => d.x } | _data/eleventyComputed.js is a program that may withhold it
astro      | src/content/blog/b.md     | queued: true           | src/pages/rss.js = getCollection('blog', ({ data }) => !data.queued) | a program filters posts by queued, which may withhold it
astro      | src/content/blog/b.md     | queued: false\nopen: no\nstrip: true | src/pages/rss.js = x.filter((p) => !p.data.queued && p.data.open).map(() => !data.strip) | public
astro      | src/content/blog/b.md     | open: no               | src/pages/rss.js = getCollection('blog', ({ data }) => data.open) | a program filters posts by open, which may withhold it
gatsby     | content/b.md              | queued: true           | src/a.js = filter: { frontmatter: { queued: { ne: true } } } | a program filters posts by queued, which may withhold it
eleventy   | posts/b.md                | queued: true           | .eleventy.js = c.addCollection('a', (a) => a.getAll().filter((p) => p.data.queued !== true)) | a program filters posts by queued, which may withhold it
docusaurus | blog/b.md                 |                        | docusaurus.config.js = blog: {include: ['c*.md']} | include of the configuration does not name it
hugo       | content/posts/s/b.md      |                        | config/production/hugo.toml = ignoreFiles = ['/b[.]md$'] | the configuration ignores the file
`)

it.each(configured)('%s withholds %s with %j and %j: %s', async (name, path, front, more, fate) => {
  const text = post(front, name === 'jekyll' ? '' : 'date: 2020-01-02')
  const found = await fateOf(name as ImporterName, path ?? '', text, fileOf(more))
  expect(found?.replaceAll('`', '')).toBe(fate)
})

const forms = rowsOf(String.raw`
next     | b.md  | Title: T\n  U\nDate: 2020-01-02\nStatus: draft\n\nText.\n | status: draft
next     | b.md  | Title: T\nDate: 2020-01-02\nStatus: published\nStatus: draft\n\nText.\n | status is computed or repeated and may withhold it
next     | b.md  | <!--\n.. title: T\n.. date: 2020-01-02\n.. status: private\n-->\n\nText.\n | status: private
next     | b.md  | title: T\ndate: 2020-01-02\npublished: false\n---\nText.\n | published: false
next     | b.md  | +++\ntitle = "T"\ndate = 2020-01-02\ndraft = true\n+++\nText.\n | draft: true
next     | b.mdx | ${metadata} published: false,\n}\n\nText.\n | published: false
next     | b.mdx | import x from 'x'\n\n${metadata} draft: x() }\n\nText.\n | draft is computed or repeated and may withhold it
next     | b.mdx | ${metadata} ...x }\n\nText.\n | … is computed or repeated and may withhold it
next     | b.mdx | ---\ndate: 2020-01-02\n---\nexport const metadata = of({ draft: true })\n\nText.\n | … is computed or repeated and may withhold it
next     | 2020/01/02/b.md | ---\ntitle: T\ndate: 05/06/2099\n---\nText.\n | its date 05/06/2099 is not understood and may withhold it
nikola   | b.html | <!DOCTYPE html>\n<html><head><title>T</title><meta name="date" content="2020-01-02" /><meta content='draft' name="status"></head>\n<body class="c">\n<p>Text.</p>\n</body></html>\n | status: draft
next     | b.mdx | ${metadata} og: x() }\n\nText.\n | public
next     | b.md  | ---\ndate: 2020-01-02\nredirect_to: https://e.com\n---\n | public
eleventy | b.md  | ---js\n{ title: "T", date: "2020-01-02", permalink: (d) => d.x }\n---\nText.\n | permalink is computed or repeated and may withhold it
`)

it.each(forms)('front matter of %s in %s in another form withholds: %j: %s', async (...row) => {
  const [name, path, text = '', fate] = row
  const found = await fateOf(name as ImporterName, `posts/${path}`, text, {})
  expect(found?.replaceAll('`', '')).toBe(fate)
})

// `links.post` names days in UTC: the time of a post moves within the day of its URL.
const york = '_config.yml = timezone: America/New_York\\npermalink: /:year/:month/:day/:title/'
const dates = rowsOf(String.raw`
jekyll  | _posts/2999-01-05-a.md  | date: 2999-01-05 09:00            | ${york} | 2999-01-05T14:00:00Z
jekyll  | _posts/2999-01-05-a.md  |                                   | ${york} | 2999-01-05T05:00:00Z
jekyll  | _posts/2999-01-05-a.md  | date: 2999-01-05 09:00 -0400      | ${york} | 2999-01-05T13:00:00Z
jekyll  | _posts/2020-01-05-a.md  | date: 2020-01-05 09:00:00         | ${york} | 2020-01-05T09:00:00Z
jekyll  | _posts/2020-07-01-a.md  | date: 2020-07-01 21:00:00 -0400   | ${york} | 2020-07-01T23:59:59Z
hugo    | content/posts/a.md      | date: 2999-07-05                  | hugo.yaml = timeZone: Europe/Berlin | 2999-07-04T22:00:00Z
hugo    | content/posts/a.md      | date: 2020-01-02\npublishDate: 2999-01-02 |  | 2999-01-02
hugo    | content/posts/a.md      | date: 2999-01-02\npublishDate: 2020-01-03 |  | 2020-01-03
hexo    | source/_posts/a.md      | date: 2999-01-05 09:00:00         | _config.yml = timezone: Asia/Shanghai | 2999-01-05T01:00:00Z
pelican | content/a.md            | slug: a\ndate: 2999-01-05 09:00   | pelicanconf.py = TIMEZONE = 'America/Los_Angeles' | 2999-01-05T17:00:00Z
jekyll  | _posts/2020-01-05-a.md  | date: 2019-02-29 18::00           |   | 2019-03-01
next    | posts/a.md              | date: Fri Sep  3 11:21:31 CEST 2021 | | 2021-09-03
mkdocs  | docs/blog/posts/a.md    | slug: a\ndate: {created: 2020-01-05} | mkdocs.yml = site_name: S | 2020-01-05
next    | posts/a.md              | date: 6th May 2024 10:00 PM EST   |   | 2024-05-07T03:00:00Z
next    | posts/a.md              | date: 2024-05-06 22:00:00 UTC-5   |   | 2024-05-07T03:00:00Z
`)

it.each(dates)('the date of %s, %s, %j with %j is %s', async (name, path, date, more, at) => {
  const files = { ...fileOf(more), [path ?? '']: post('', date) }
  const { post: read } = await importSite(name as ImporterName, files)
  expect(read('a').fields).toMatchObject({ publishedAt: at })
  expect(read('a').fields['status']).toBeUndefined()
})

describe('text that the site does not show', () => {
  const places: Readonly<Record<string, string>> = {
    ...{ hugo: 'content/posts/a.md', jekyll: '_posts/2020-01-02-a.md', eleventy: 'posts/a.md' },
    ...{ vitepress: 'posts/a.md', docusaurus: 'blog/a.md', astro: 'src/content/blog/a.mdx' },
  }
  const leftOut = async (name: string, body: string, more: Record<string, string> = {}) => {
    const files = { [places[name] ?? '']: post().replace('Text.', body), ...more }
    const { post: read, entries } = await importSite(name as ImporterName, files)
    const isDraft = Object.keys(entries('failed')).length > 0
    const changed = Object.keys(entries('changed')).filter((text) => / left out/.test(text))
    return [isDraft ? 'a draft' : read('a').body.replace(/\s+/g, ' '), ...changed]
  }
  it.each([
    ['hugo', '<div hidden>S</div>', 'element with `hidden` → left out'],
    ['hugo', '<title>S</title>', '`<title>` → left out'],
    ['astro', '<Show when={isMember}>S</Show>', 'element with `when` → left out'],
    ['eleventy', '<template><p>S</p><template>S</template></template>', '`<template>` → left out'],
    [
      'astro',
      '<div style={{ display: "none" }}>\n\nS\n\n</div>',
      'element with `style` → left out',
    ],
    ['vitepress', '<div v-if="dev">\n\nS <div>S</div>\n\n</div>', 'element with `v-if` → left out'],
    [
      'vitepress',
      '<MembersOnly tier="2">\n\nS\n\n</MembersOnly><NotPublished>S</NotPublished>',
      'component MembersOnly → left out|component NotPublished → left out',
    ],
    ['hugo', '{{< encrypt "pw" >}}S{{< /encrypt >}}', 'shortcode encrypt → left out with its text'],
    ['jekyll', '{% premium %}S{% endpremium %}', 'Liquid block premium → left out with its text'],
    ['docusaurus', ':::internal\nS\n:::', 'container internal → left out with its text'],
    ['jekyll', '{::comment}\nS\n{:/comment}', 'kramdown comment → left out'],
  ])('in %s, %j, is left out, and reported', async (name, markup, reason) => {
    const found = await leftOut(name, `Before\n\n${markup}\n\nAfter`)
    expect(found).toEqual(['Before After', ...reason.split('|')])
  })

  it.each([
    ['<div hidden>\n\nS', '', 'a draft'],
    ['`<div hidden>a</div>` <pre><b hidden>S</b></pre>', '', '`<div hidden>a</div>` <pre></pre>'],
    ['<p class="a d-none">S</p>b', '', 'b'],
    ['<p class="hidden md:block d-none">b</p>', '', '<p class="hidden md:block d-none">b</p>'],
    ['{{< x >}}S{{< /x >}}', '{{ if hugo.IsDevelopment }}{{ .Inner }}{{ end }}', 'a draft'],
    [
      '{{< x >}}S{{< /x >}}',
      '{{ partial "x" . }}<p style="display:none">{{ .Inner }}</p>',
      'a draft',
    ],
    ['{{< x >}}S{{< /x >}}', '{{ if .Get "a" }}{{ end }}{{ .Inner | markdownify }}', 'S'],
    ['{{< x >}}S{{< /x >}}', '{{ if .Get "a" }}{{ end }}Mind {{ .Inner }}', 'a draft'],
    ['{{< delegate >}}S{{< /delegate >}}{{< email-gate >}}S{{< /email-gate >}}', '', 'S'],
  ])('fails the post where it may be public: %j, %j: %s', async (body, template, left) => {
    const more = { 'layouts/shortcodes/x.html': template }
    expect((await leftOut('hugo', body, more))[0]).toBe(left)
  })
})
