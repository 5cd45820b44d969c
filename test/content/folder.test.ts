// The content folder: its files, links and folders, and conflicts that a merge left in files.
import { readdirSync, symlinkSync, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import fastGlob from 'fast-glob'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'
import { places } from './support.ts'

const post = '---\ntitle: a\ncategory: news\ndate: 2026-01-02\n---\nbody\n'

/** Slugs of the posts of `acme`. */
const slugsOf = (site: TemporarySite) =>
  site.json('public/v1/acme/posts/index.json').posts.map(({ slug }: { slug: string }) => slug)

describe('a content folder', () => {
  it('has posts at any depth, and none whose names begin with a dot', async () => {
    const site = temporarySite().post('hello').post('2024/05/deep')
    for (const path of ['.draft.md', '.git/b.md', 'node_modules/c.md', 'a.txt'])
      site.write(`content/acme/posts/${path}`, 'x')
    site.write('content/acme/README.md', 'x').write('content/.git/posts/a.md', 'x')
    expect(await site.problems()).toEqual([])
    expect(slugsOf(site).sort()).toEqual(['deep', 'hello'])
  })

  it.each([
    ['posts/a.MD', 'posts/a.MD:1:1 ignored-file'],
    ['Authors.YAML', 'Authors.YAML:1:1 unknown-entry', 'Did you mean "authors.yml"?'],
    ['post/a.md', 'post:1:1 unknown-entry', 'Did you mean "posts"?'],
    ['author.yml', 'author.yml:1:1 unknown-entry', 'Did you mean "authors.yml"?'],
    [
      'products.csv',
      'products.csv:1:1 unknown-entry',
      expect.stringMatching(
        /^A workspace can contain .+; or define a collection of it in workspace/,
      ),
    ],
    ['keys.yml/a.md', 'keys.yml:1:1 unknown-entry', 'It must be a file.'],
  ])('warns of %s and reads on', async (path, place, hint = expect.any(String)) => {
    const site = temporarySite().post('first').write(`content/acme/${path}`, post)
    const found = await site.diagnostics()
    expect(places(found)).toEqual([`acme/${place}`])
    expect(found[0]).toMatchObject({ severity: 'warning', hint })
    expect(slugsOf(site)).toEqual(['first'])
  })

  it.each([
    ['workspace.yaml', 'Did you mean "workspace.yml"?'],
    ['Workspace.YML', 'Did you mean "workspace.yml"?'],
    ['workspace.json', 'Did you mean "workspace.yml"?'],
  ])('refuses settings in %s, which may make the workspace private', async (name, hint) => {
    const site = temporarySite().remove('content/acme/workspace.yml').post('first')
    const [found] = await site.write(`content/acme/${name}`, 'v1: private\n').diagnostics()
    expect(found).toMatchObject({
      file: `acme/${name}`,
      severity: 'error',
      code: 'unknown-entry',
      hint,
    })
  })

  it('refuses settings that are a link, and a second file of settings', async () => {
    const settings = 'shared.yml'
    const site = (config = {}) =>
      temporarySite(config).post('first').write(settings, 'v1: private\n')
    const both = site({ workspaces: { acme: { settings } } })
    expect(places(await both.diagnostics())).toEqual(['acme/workspace.yml:1:1 ignored-file'])
    const linked = site().remove('content/acme/workspace.yml')
    symlinkSync(join(linked.folder, settings), join(linked.content, 'acme/workspace.yml'))
    expect(places(await linked.diagnostics())).toEqual(['acme/workspace.yml:1:1 ignored-link'])
  })

  it('may be a link, and follows none in it', async () => {
    const outside = emptyFolder({ 'posts/secret.md': post })
    const site = temporarySite().remove('content').write('real/acme/posts/a.md', post)
    site.write('real/acme/categories/news.md', '---\nname: News\n---\n')
    symlinkSync('real', site.content)
    const links = {
      linked: outside,
      'acme/posts/loop': '..',
      'acme/posts/secret.md': join(outside, 'posts/secret.md'),
    }
    for (const [path, to] of Object.entries(links)) symlinkSync(to, join(site.folder, 'real', path))
    const found = places(await site.diagnostics())
    expect(found.toSorted()).toEqual(
      Object.keys(links)
        .map((path) => `${path}:1:1 ignored-link`)
        .sort(),
    )
    expect(slugsOf(site)).toEqual(['a'])
  })

  it.each([
    ['authors.yml', 1024 * 1024],
    ['guides.csv', 32 * 1024 * 1024],
  ])('with too large a data file names it: %s', async (name, bytesMax) => {
    const settings = 'collections: { guides: { file: guides.csv } }\n'
    const site = temporarySite().write('content/acme/workspace.yml', settings)
    truncateSync(join(site.write(`content/acme/${name}`, '').content, 'acme', name), bytesMax + 1)
    expect(await site.problems()).toContainEqual(
      expect.stringContaining(
        `acme/${name}:1:1 file-too-large The file is ${bytesMax + 1} bytes long; at most ${bytesMax}`,
      ),
    )
  })

  it('with a folder that may not be listed is not read in part', async () => {
    const site = temporarySite().post('2024/a').post('b')
    const denied = (folder: string) => {
      if (basename(folder) !== '2024') return readdirSync(folder, { withFileTypes: true })
      throw Object.assign(new Error(`EACCES: ${folder}`), { code: 'EACCES', path: folder })
    }
    const sync = fastGlob.sync
    const fs = { readdirSync: denied as unknown as typeof readdirSync }
    const listing = vi.spyOn(fastGlob, 'sync')
    listing.mockImplementation((patterns, options) => sync(patterns, { ...options, fs }))
    onTestFinished(() => listing.mockRestore())
    expect(places(await site.diagnostics())).toEqual(['acme/posts/2024:1:1 unreadable-file'])
  })
})

const head = '---\ntitle: T\ncategory: news\ndate: 2026-01-02\n---\n'
const conflict = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n'

async function problemsOf(file: string, text: string) {
  const found = await temporarySite()
    .write('content/acme/workspace.yml', 'references: create\n')
    .write(`content/acme/${file}`, text)
    .diagnostics()
  return places(found)
}

/** Bodies with lines that are no conflict. */
const texts = [
  `\`\`\`diff\n${conflict}\`\`\`\n`,
  'A heading\n=======\n\nText\n',
  '    <<<<<<< HEAD\n    a\n    =======\n    b\n    >>>>>>> x\n',
  `<pre>\n${conflict}</pre>\n`,
  'A heading\n=======\n\nText\n\n<<<<<<< an arrow\n',
  '| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n||||||| \n||||||| x |\n',
]

describe('a conflict that a merge left', () => {
  it.each<[file: string, text: string, line: number | null]>([
    ['posts/a.md', `${head}Text\n\n${conflict.replaceAll('\n', '\r\n')}`, 8],
    ['posts/a.md', '---\ntitle: T\n<<<<<<< HEAD\ntags: [a]\n---\n=======\n>>>>>>> x\n', 3],
    ['posts/a.md', '---\ntitle: T\n>>>>>>> branch that remained\n---\nText\n', 3],
    ['posts/a.md', `${head}Text\n<<<<<<<\nAnother\n\n=======\n`, 7],
    ['posts/a.md', `${head}<pre>\nx\n</pre>\n${conflict}`, 9],
    ['posts/a.mdx', `${head}> \`\`\`\n> x\n> \`\`\`\n\n${conflict}`, 10],
    ['tags.yml', '- slug: ada\n  name: A\n=======\n', 3],
    ['workspace.yml', `name: A\n${conflict}`, 2],
    ...texts.map((body): [string, string, null] => ['posts/a.md', head + body, null]),
  ])('is an error at its line in %s, unless it is text: %j', async (file, text, line) => {
    const expected = line === null ? [] : [`acme/${file}:${line}:1 conflict-markers`]
    expect(await problemsOf(file, text)).toEqual(expected)
  })

  it('is an error each time', async () => {
    expect(await problemsOf('posts/a.md', `${head}${conflict.repeat(25)}`)).toHaveLength(25)
  })
})
