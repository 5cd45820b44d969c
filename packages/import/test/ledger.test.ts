// The ledger: every file, key and piece of markup has a line, and the sums are right.
import { readFileSync } from 'node:fs'
import { terminalOf } from 'quarry/authoring'
import { describe, expect, it } from 'vitest'
import { call } from '../../../test/support/command-call.ts'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import fc, { type Arbitrary } from '../../../test/support/fast-check.ts'
import type { ImporterName } from '../src/index.ts'
import { describeImport, Ledger } from '../src/ledger.ts'
import type { SiteGenerator, Step } from '../src/site.ts'
import { eleventy } from '../src/static/eleventy.ts'
import { extensions, marks } from '../src/static/extensions.ts'
import { hugo } from '../src/static/hugo.ts'
import { jekyll } from '../src/static/jekyll.ts'
import { likeLiquid, tags, verbatim } from '../src/static/liquid.ts'
import { mdxRules } from '../src/static/mdx.ts'
import { handlers } from '../src/static/shortcodes.ts'
import { staticImporter } from '../src/static/static-site.ts'
import { comments } from '../src/static/steps.ts'
import { astro, mkdocs } from '../src/static/tools.ts'
import { imported, importSite } from './imported.ts'

const front = (more = '') => `---\ntitle: A\ndate: 2020-01-02\n${more}---\n`
const common =
  '<!-- c -->\n\n{::comment}c{:/comment} {% comment %}c{% endcomment %} {% # c %} {# c #} {{!-- c --}} {{! c }} {/* c */}\n\n[//]: # (c)\n\n[//]: # "c"\n\n[//]: # \'c\'\n\n<div hidden>h</div>\n\n<iframe src="https://e.com/x"></iframe>\n\n<!--more-->\n\n[h](#a_b) [o](../other)\n\n## A b\n\n~a b~\n\n## C {/* #c */}\n\n[TOC]\n\n![a](/b.png =1x2) ^[n] $a$ \\(a_b\\) ![[x.png]] {"{b}"}\n\n::: x\n\n> [!foo] t\n\n> [!info]\n\n> [!hint]\n\n> [!critical]\n\n> [!warn]\n\n> [!danger]\n\n:tada: <img data-src="a">\n\n```js {1}\na // hide-line\n```\n\n<!-- open\n\n'
/** Tags of Liquid, each in a row of its tables. */
const liquid =
  '{% raw %}a{% endraw %} {% verbatim %}a{% endverbatim %}\n\n{% highlight js %}\na\n{% endhighlight %}\n\n{% codeblock %}\na\n{% endcodeblock %}\n\n{% post_url a %} {% post_link a b %} {% link a.md %} {% asset_path a %} {% asset_link a b c %} {% asset_img a.png %} {% seo %} {% gist a/b %} {% youtube a %} {% youtubeid a %} {% youtube_embed a %} {% youtubeEmbed a %} {% vimeo 1 %} {% twitter a %} {% tweet a %} {% embed https://e.com %} {% video a.mp4 %} {% audio a.mp3 %} {% iframe https://e.com %} {% img a.png %} {{ "a" }}\n\n'
const nunjucks =
  '{% if a is b %}c{% endif %} {% for a, b in c %}d{% endfor %} {% set a = b if c %} {{ a if b }}\n\n'

/** Each generator with a post that has all markup of its steps. */
const sites: readonly (readonly [string, SiteGenerator, Readonly<Record<string, string>>])[] = [
  [
    'jekyll',
    jekyll,
    {
      '_posts/2020-01-02-a.md': `${front()}${common}${liquid}\nx\n{: .y}\n\n{::options parse_block_html="true" /}\n`,
    },
  ],
  [
    'hugo',
    hugo,
    {
      'hugo.toml': '[markup.goldmark.extensions.extras.insert]\nenable = true',
      'layouts/shortcodes/own.html': '<img data-src="a">',
      'content/posts/a.md': `${front()}${common}{{< own >}} ++a++ {{< ref "b" >}} {{< relref "b" >}} {{< param x >}} {{< comment >}}c{{< /comment >}}\n\n{{< highlight go >}}a{{< /highlight >}}\n\nT\n: D\n`,
    },
  ],
  [
    'eleventy',
    eleventy,
    {
      'eleventy.config.js': 'export default () => ({ markdownTemplateEngine: "njk" })',
      'posts/a.md': `${front()}${common}${nunjucks}{% renderTemplate "webc" %}<a-b></a-b>{% endrenderTemplate %}\n\n:::note\nn\n:::\n\nx\n{: .y}\n`,
    },
  ],
  [
    'astro',
    astro,
    {
      'src/content/blog/a.mdx': `${front()}import b from 'b'\n\nimport d from 'd' // e\n\n<pre>{\`x\`}</pre>\n\nexport const c = 1\n\n${common}<Box>{"b"}</Box>\n\n<Note>\nn\n</Note>\n\n<p>\n*a*\n</p>\n`,
    },
  ],
  [
    'mkdocs',
    mkdocs,
    {
      'mkdocs.yml':
        'markdown_extensions: [pymdownx.critic, {pymdownx.keys: {}}, pymdownx.mark, pymdownx.caret, pymdownx.tilde, pymdownx.snippets: {auto_append: [end.md]}]',
      'end.md': '*[A]: B',
      'docs/blog/posts/a.md': `${front()}{++a++} ++a+b++ ==a== ^^a^^ ^a^ ~a~\n\n${common}!!! note\n    n\n\n{.y}\n\n--8<-- "x.txt"\n\n/// note\n\n    :::python\n    a\n`,
    },
  ],
]

async function reportOf(
  generator: SiteGenerator,
  files: Readonly<Record<string, string>>,
  stepsOf: (all: readonly Step[]) => readonly Step[] = (all) => all,
): Promise<Ledger> {
  const all = { ...files, 'other.css': '', 'x.png': 'x' }
  const source = Object.entries(all).map(([path, text]) => [`site/${path}`, text])
  const folder = emptyFolder(Object.fromEntries(source))
  const partial: SiteGenerator = (tree, context) => {
    const site = generator(tree, context)
    return { ...site, steps: stepsOf(site.steps) }
  }
  const { report } = await imported(staticImporter(partial), folder, `${folder}/site`)
  expect(report.fileBalance).toMatchObject({ isBalanced: true, found: Object.keys(all).length })
  expect(report.keyBalance).toMatchObject({ isBalanced: true, found: 2 })
  return report
}

describe('the ledger', () => {
  /** Rows of tables of translations, by their generator; `''` for all. */
  const tables: readonly (readonly [name: string, rows: readonly unknown[], ...range: number[]])[] =
    [
      ['jekyll', comments, 0, 2],
      ['eleventy', comments, 2, 3],
      ['astro', comments, 6],
      ['', extensions],
      ['hugo', handlers],
      // The last rule of MDX only adds blank lines.
      ['astro', mdxRules, 0, -1],
      ['mkdocs', marks, 0, 1],
      ['hugo', marks, 1, 2],
      ['mkdocs', marks, 2],
      // Liquid itself has `raw`.
      ['jekyll', verbatim, 1],
      ['jekyll', tags],
      ['eleventy', likeLiquid],
    ]

  it('balances, and changes when any translation of a generator is removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sites),
        fc.nat(),
        async ([of, generator, files], number) => {
          const steps: string[] = []
          const note = (all: readonly Step[]) => {
            steps.push(...all.map(({ name }) => name))
            return all
          }
          const lines = async (stepsOf?: Parameters<typeof reportOf>[2]) => {
            const report = await reportOf(generator, files, stepsOf)
            return (['changed', 'left', 'failed'] as const).flatMap((name) => report.entries(name))
          }
          const whole = await lines(note)
          const removals = [
            ...steps
              .filter((name) => name !== 'HTML → one block')
              .map((name) => () => lines((all) => all.filter((step) => step.name !== name))),
            ...tables
              .filter(([name]) => name === '' || name === of)
              .flatMap(([, rows, ...range]) =>
                rows.slice(...range).map((row) => async () => {
                  const table = rows as unknown[]
                  const at = table.indexOf(row)
                  table.splice(at, 1)
                  return lines().finally(() => table.splice(at, 0, row))
                }),
              ),
          ]
          const at = number % removals.length
          expect(await removals[at]?.(), `${of}: removal ${at} of ${steps}`).not.toEqual(whole)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('counts all words that any translation loses, with the place of the first', async () => {
    // Lines of a post, with the number of their words.
    const rows = '1 alpha|3 gamma-delta "épsilon"|2 字句|1 <b id="a b">xy</b>|2 <i alt="ab cd">'
    const all = rows.split('|').map((row) => [row.slice(2), Number(row[0])] as const)
    const places = { 'content/posts/a.md': hugo, 'posts/a.md': eleventy }
    const place = fc.constantFrom(...Object.entries(places))
    await fc.assert(
      fc.asyncProperty(place, fc.subarray(all, { minLength: 1 }), async ([path, of], lost) => {
        const run = (text: string) => lost.reduce((left, [line]) => left.replace(line, ''), text)
        const files = { [path]: `${front()}${all.map(([text]) => text).join('\n')}\nlast\n` }
        const report = await reportOf(of, files, (steps) => [...steps, { name: 'loss', run }])
        const line = 5 + all.findIndex(([text]) => text === lost[0]?.[0])
        expect(report.entries('left').find(({ text }) => text === 'words')).toMatchObject({
          count: lost.reduce((sum, [, count]) => sum + count, 0),
          places: [expect.stringContaining(`${path}:${line}:`)],
        })
      }),
      { numRuns: 30 },
    )
  })

  it('names outputs and tags of Liquid next to those of plugins and templates', async () => {
    const body =
      '{{ page.title }} {% gist a/b %} {% if true %}c{% endif %} {% own 1 %} {% toc %} {% gone %}\n'
    const files = { '_posts/2020-01-02-a.md': front() + body }
    const templates = new Map([['own', '<b>{{ value }}</b>']])
    const { entries } = await importSite('jekyll', files, { templates })
    expect(entries('changed')).toMatchObject({
      ...{ 'Liquid output → its text': 1, 'Liquid gist → its text': 1 },
      ...{ 'Liquid if → its text': 1, 'Liquid own → its text': 1, 'Liquid toc → its text': 1 },
    })
  })

  it('names up to 20 kinds of failures in a short report of at most 40 lines', () => {
    const terminal = terminalOf({ NO_COLOR: '1' }, process.stdout)
    for (const failures of [0, 1, 6, 12, 20]) {
      const report = new Ledger()
      for (const section of ['files', 'left', 'changed', 'mapped', 'settings'] as const)
        for (let kind = 0; kind < 9; kind++) report.add(section, `kind ${kind}`, 'a')
      for (let kind = 0; kind < failures; kind++) report.add('failed', `failure ${kind}`, 'a')
      const lines = describeImport(report, { folder: 'w', terminal }).split('\n')
      expect(lines.filter((line) => line.includes('failure'))).toHaveLength(failures)
      expect(lines.length).toBeLessThan(38)
    }
  })

  it('balances whatever keys a post has', async () => {
    const names = fc.constantFrom(
      ...'draft status featured image author authors tags category slug url permalink aliases lastmod excerpt params extra layout weight x og:image id keywords date.created'.split(
        ' ',
      ),
    )
    const value: Arbitrary<unknown> = fc.oneof(
      fc.constantFrom(true, 1.5, '1.10', 'a b', '2024-05-06', '/x/y', 'a.png', null, ''),
      fc.constantFrom(['a', 'b'], [], { a: 1 }, { draft: 'no', title: 'B' }),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { maxKeys: 9 }), async (keys) => {
        const text = `${JSON.stringify({ title: 'A', date: '2020-01-02', ...keys })}\n\nText.\n`
        const { report } = await importSite('hugo', { 'content/posts/a.md': text })
        expect(report.keyBalance.isBalanced, JSON.stringify(report.keyBalance)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it.each<[ImporterName, string, string]>([
    ['astro', 'status: Final', 'Final'],
    ['astro', 'featured: cover.svg', 'cover.svg'],
    ['astro', 'version: "1.10"', '1.10'],
    ['astro', 'og:image: none', 'none'],
    ['astro', 'years: [1999, 2020]', '[1999,2020]'],
  ])('of %s keeps the value of %j', async (name, line, kept) => {
    const { post } = await importSite(name, {
      'src/content/blog/a.md': `${front(`${line}\n`)}Text.\n`,
    })
    expect(JSON.stringify(post('a').fields)).toContain(kept)
  })
})

describe('a choice of the user', () => {
  const files = {
    'posts/a.md': '---\ntitle: A\naddedAt: 2020-01-02\nkind: Tools\nstage: draft\n---\nText.\n',
    'posts/b.md': '---\ntitle: B\naddedAt: 2020-01-03\nstatus: draft\npassword: x\n---\nText.\n',
    'posts/c.md':
      '---\ntitle: C\naddedAt: 2020-01-03\nstatus: Draft\nexpires: 2020-02-01\n---\nText.\n',
    'posts/d.md': '---\ntitle: D\naddedAt: 2020-01-03\nencrypted: true\n---\nText.\n',
    'posts/e.md': '---\ntitle: E\naddedAt: 2020-01-03\npassphrase: x\n---\nText.\n',
  }

  it('names the keys of date, category and status', async () => {
    const keys = { date: 'addedAt', category: 'kind', status: 'stage' }
    const { post, report } = await importSite('next', files, { keys })
    expect(post('a').fields).toMatchObject({
      ...{ publishedAt: '2020-01-02', category: 'tools', status: 'draft' },
    })
    expect(report.keyBalance.isBalanced).toBe(true)
  })

  it('publishes drafts, except those with a password', async () => {
    const keys = { date: 'addedAt' }
    const { post } = await importSite('next', files, { keys, ignoresDrafts: true })
    expect(['a', 'b', 'c', 'd', 'e'].map((slug) => post(slug).fields['status'])).toEqual([
      ...[undefined, 'draft', undefined, 'draft', 'draft'],
    ])
    expect(post('c').fields).not.toHaveProperty('expiresAt')
  })

  it('imports files without a date, and without it the error names the keys', async () => {
    const { post } = await importSite('next', files, { isUndated: true })
    expect(post('a').fields).toMatchObject({ publishedAt: '1970-01-01' })
    const plain = { 'posts/a.md': '---\ntitle: A\naddedAt: 2020-01-02\n---\nText.\n' }
    await expect(importSite('next', plain)).rejects.toThrow(
      '1 Markdown files, none with a date (keys: addedAt). Name the key of the date with --date-key',
    )
  })

  it('writes the whole report, as text or as JSON', async () => {
    const folder = emptyFolder({ 'site/posts/a.md': `${front()}<!-- c -->Text.\n` })
    const words = ['import', 'next', 'site', '--workspace', 'w', '--report']
    await call(folder, [...words, 'report.json'])
    const report = JSON.parse(readFileSync(`${folder}/report.json`, 'utf8'))
    expect(report).toMatchObject({ files: { found: 1, fates: { posts: 1 }, isBalanced: true } })
    expect(report.entries).toContainEqual({
      ...{ section: 'changed', text: 'HTML comment → left out', count: 1, places: ['posts/a.md'] },
    })
    await call(folder, [...words, 'report.txt'])
    expect(readFileSync(`${folder}/report.txt`, 'utf8')).toContain('HTML comment → left out')
  })
})
