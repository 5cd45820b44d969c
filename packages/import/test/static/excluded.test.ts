// Files that the configuration of the old site, or git, excludes.
import { describe, expect, it } from 'vitest'
import type { ImporterName } from '../../src/command.ts'
import { importSite } from '../imported.ts'

const post = (front = '') => `---\ntitle: T\ndate: 2020-01-02\n${front}---\nText.\n`

describe('an exclusion in a configuration that is a program', () => {
  const vitepress = '.vitepress/config.mts'
  const docusaurus = 'docusaurus.config.js'
  const eleventy = '.eleventy.js'
  const program = 'of the configuration is a program that may exclude it'
  const named = 'of the configuration names it'
  it.each<[ImporterName, string, string, string, string, string | undefined]>([
    ['vitepress', vitepress, "srcExclude: ['posts/b.md']", 'posts', 'a', `\`srcExclude\` ${named}`],
    [
      'vitepress',
      vitepress,
      'srcExclude: ["**/{b,c}.md",]',
      'posts',
      'a',
      `\`srcExclude\` ${named}`,
    ],
    [
      'vitepress',
      vitepress,
      "srcDir: 'src', srcExclude: ['posts/b.md']",
      'src/posts',
      'a',
      `\`srcExclude\` ${named}`,
    ],
    ['vitepress', vitepress, 'srcExclude: hidden', 'posts', '', `\`srcExclude\` ${program}`],
    ['vitepress', vitepress, "// srcExclude: ['posts/b.md']", 'posts', 'a b', undefined],
    [
      'docusaurus',
      docusaurus,
      "presets: [['classic', {docs: {exclude: ['a.md']}, blog: {exclude: ['b.*']}}]]",
      'blog',
      'a',
      `\`exclude\` ${named}`,
    ],
    [
      'docusaurus',
      docusaurus,
      "plugins: [['@docusaurus/plugin-content-blog', {exclude: ['**/b.md']}]]",
      'blog',
      'a',
      `\`exclude\` ${named}`,
    ],
    ['docusaurus', docusaurus, 'blog: {exclude: [...more]}', 'blog', '', `\`exclude\` ${program}`],
    ['eleventy', eleventy, 'c.ignores.add("posts/b.md")', 'posts', 'a', `\`ignores\` ${named}`],
    ['eleventy', eleventy, "c.ignores.add( './posts/b*' )", 'posts', 'a', `\`ignores\` ${named}`],
    ['eleventy', eleventy, 'c.ignores.add(process.env.X)', 'posts', '', `\`ignores\` ${program}`],
    ['eleventy', eleventy, 'c.ignores.add("posts/c.md")', 'posts', 'a b', undefined],
  ])('of %s, %s with %j in %s, leaves %j', async (name, file, config, folder, left, reason) => {
    const { post: read, entries } = await importSite(name, {
      [file]: `export default {\n${config}\n}\n`,
      [`${folder}/a.md`]: post(),
      [`${folder}/b.md`]: post(),
    })
    const open = ['a', 'b'].filter((slug) => read(slug).fields['status'] === undefined)
    expect(open.join(' ')).toBe(left)
    const drafts = Object.entries(entries('changed')).filter(([text]) => text.startsWith('made'))
    expect(drafts).toEqual(
      reason === undefined ? [] : [[`made a draft: ${reason}`, 2 - open.length]],
    )
  })
})

describe('Eleventy', () => {
  it.each([
    ['', ['posts/a.md'], 2],
    ['c.setUseGitIgnore(false)', ['posts/a.md', 'posts/b.md', 'posts/c.md'], undefined],
  ])('with %j reads what git does', async (config, posts, count) => {
    const { files, entries } = await importSite('eleventy', {
      '.eleventy.js': config,
      '.gitignore': 'posts/b.md\nwip/\n',
      'posts/a.md': post(),
      'posts/b.md': post(),
      'posts/wip/c.md': post(),
    })
    expect(files.filter((path) => path.startsWith('posts/'))).toEqual(posts)
    const reason = 'skipped: `.gitignore` names it: Eleventy does not read it'
    expect(entries('files')[reason]).toBe(count)
  })
})

describe('a file in a folder of posts', () => {
  it.each<[ImporterName, string, string, string]>([
    ['hugo', 'content/posts/', 'org', ': convert it with `pandoc -f org -t gfm`'],
    ['jekyll', '_posts/2020-01-02-', 'textile', ': convert it with `pandoc -f textile -t gfm`'],
    ['eleventy', 'posts/', 'pug', ''],
    ['next', 'posts/', 'rst', ': convert it with `pandoc -f rst -t gfm`'],
  ])('of %s that is no Markdown is reported', async (name, start, end, way) => {
    const { entries } = await importSite(name, {
      [`${start}a.md`]: post(),
      [`${start}b.${end}`]: 'Text.',
      [`${start}c.${end}`]: 'Text.',
      [`layouts/x.${end}`]: 'Text.',
    })
    const reason = `skipped: \`.${end}\` in a folder of posts is not read${way}`
    expect(entries('files')).toMatchObject({ [reason]: 2 })
  })
})

describe('the category of a post', () => {
  it('is `category`; `categories` are tags', async () => {
    const { post: read } = await importSite('jekyll', {
      '_config.yml': 'defaults: [{scope: {path: ""}, values: {category: blog}}]',
      '_posts/2020-01-02-a.md': post('categories: [news, meta]\n'),
    })
    expect(read('a').fields).toMatchObject({ category: 'blog', tags: ['news', 'meta'] })
    expect(read('a').fields['fields']).toBeUndefined()
  })
})
