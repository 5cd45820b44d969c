// Settings of a site: those that are read, as the README lists them, and those that the report names.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/support/command-call.ts'
import { emptyFolder } from '../../../../test/support/empty-folder.ts'
import type { ImporterName } from '../../src/index.ts'
import { importSite, rowsOf } from '../imported.ts'

const places: Readonly<Record<string, string>> = {
  ...{ jekyll: '_posts/2020-01-02-a.md', hugo: 'content/posts/a.md', zola: 'content/posts/a.md' },
  ...{ astro: 'src/content/blog/a.md', docusaurus: 'blog/a.md', hexo: 'source/_posts/a.md' },
  ...{ pelican: 'content/a.md', mkdocs: 'docs/blog/posts/a.md' },
}

/** The settings that the report names for a site with a configuration. */
async function unread(tool: string, file: string, text: string): Promise<readonly string[]> {
  const post = { [places[tool] ?? 'posts/a.md']: '---\ntitle: T\ndate: 2020-01-02\n---\nText.\n' }
  // Settings of a theme or an example are not those of the site.
  const files = { [file]: text, [`themes/x/${file}`]: text, ...post }
  const { report } = await importSite(tool as ImporterName, files)
  return report.entries('settings').flatMap((entry) => entry.places)
}

/** The text of a configuration with a setting, such as `dir.input`, and one of another name. */
function configured(file: string, key: string, value: string): string {
  if (file.endsWith('.py')) return `${key} = '${value}'\nOTHER = 1\n`
  const nested = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  const data = { OTHER: 1, ...(nested as object) }
  if (file.endsWith('.js')) return `export default define(${JSON.stringify(data)})`
  if (!file.endsWith('.toml')) return JSON.stringify(data)
  const base = key === 'base_url' ? '' : 'base_url = "https://e.com"\n'
  return `OTHER = 1\n${base}${key} = "${value}"\n`
}

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const rows = [...readme.matchAll(/^\| `(\w+)` \| `(\S+)` \| (.*) \|$/gm)]
/** Values of settings that others depend on. */
const values: Readonly<Record<string, string>> = {
  ...{ source_dir: 'source', docs_dir: 'docs', PATH: 'content', defaultContentLanguage: 'en' },
  ...{ 'plugins.blog.blog_dir': 'blog', 'plugins.blog.post_dir': '{blog}/posts' },
  ...{ 'dir.input': '.', 'blog.path': 'blog', 'blog.include': '*.md', base_url: 'https://e.com' },
  ...{ default_language: 'en', srcDir: '.', markdown_ext: 'md', ARTICLE_PATHS: '' },
}

describe('settings', () => {
  it.each(rows.map(([, tool = '', file = '', list = '']) => [tool, file, list]))(
    'of %s in %s that the README lists are read, and no others',
    async (tool, file, list) => {
      for (const [, key = ''] of list.matchAll(/`([^`]+)`/g)) {
        const text = configured(file, key, values[key] ?? '/x')
        expect(await unread(tool, file, text), key).toEqual(['OTHER'])
      }
    },
  )

  it.each(
    rowsOf(String.raw`
hugo       | config/_default/params.en.toml | a = 1 | params
hugo       | hugo.yaml             | {languages: {en: {title: T, weight: 1}}, markup: {goldmark: {x: 1}}} | languages.en.weight markup.goldmark.x
hugo       | hugo.yaml             | {languages: {en: {contentDir: content}}, contentDir: other} | contentDir
jekyll     | _config.yml           | {defaults: [{scope: {path: ""}, values: {x: 1}, more: 1}], plugins: [a]} | defaults.more plugins
mkdocs     | mkdocs.yml            | plugins:\n  - tags\n  - blog:\n      draft: !ENV [X, true]\n      post_dir: blog/posts | plugins.blog.draft
astro      | astro.config.mjs      | export default { site: isProd ? 'https://e.com' : '', base: '' } | site
mkdocs     | mkdocs.yml            | site_url: !ENV [A, 'https://e.com'] | site_url.!ENV
eleventy   | .eleventy.js          | module.exports = (c) => {\n  c.addGlobalData("draft", true) // c.addFilter()\n  return { dir: { input: ".", output: "o" } }\n} | addGlobalData output
docusaurus | docusaurus.config.ts  | const config: Config = {\n  title: 'T', presets: [["classic", { docs: {}, blog: { path: 'blog', postsPerPage: 5 } }]],\n  themes: ['a,b'] }\nexport default config | postsPerPage themes
pelican    | pelicanconf.py        | # SITENAME = "x"\nFILENAME_METADATA = "(?P<date>x)" | FILENAME_METADATA
vitepress  | .vitepress/config.mts | export default withX(defineConfig({ title: 'T', // base: '/',\n  cleanUrl: true })) | cleanUrl
next       | next.config.js        | module.exports = () => plugins.reduce() | the whole program
`),
  )(
    'of %s in %s are named if nothing reads them: %s',
    async (tool = '', file = '', text = '', named) => {
      expect((await unread(tool, file, text)).join(' ')).toBe(named)
    },
  )

  it('have a line in the short report, and change no exit code', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `s${index}`)
    const folder = emptyFolder({
      'site/_config.yml': `theme: x\n${names.map((name) => `${name}: 1\n`).join('')}`,
      'site/_posts/2020-01-02-a.md': '---\ntitle: T\n---\n{{ site.s3 }}\n',
    })
    const words = 'import jekyll site --workspace w --report all.txt'.split(' ')
    const { stdout, exitCode } = await call(folder, words)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('12  of _config.yml: theme, s0, s1, s2, s4, s5, s6, s7, s8, s9, …\n')
    expect(readFileSync(`${folder}/all.txt`, 'utf8')).toContain('\n          s11\n')
  })

  it('that cannot be read fail the import', async () => {
    const post = { '_posts/2020-01-02-a.md': '---\ntitle: T\n---\nText.\n' }
    const { report } = await importSite('jekyll', { '_config.yml': 'a: [', ...post })
    expect(report.entries('failed')).toMatchObject([{ places: ['_config.yml'] }])
  })
})
