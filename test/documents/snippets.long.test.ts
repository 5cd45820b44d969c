// The commands and examples of the reference pages, run as they stand there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'fast-glob'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { resolveSettings } from '../../src/config.ts'
import { serve } from '../support/command-line.ts'
import {
  blocksOf,
  documentedProject,
  readDocument,
  shell,
  typeErrors,
} from '../support/documented-project.ts'

const root = join(import.meta.dirname, '../..')

it('docs/keys.md shows an entry with all fields, and a setting that a server takes', async () => {
  const document = readDocument('keys.md')
  const site = documentedProject().write('content/field-notes/workspace.yml', 'name: Notes\n')
  const [entry = ''] = blocksOf(document, 'yaml')
  shell(
    site,
    'npx quarry keys create --workspace handbook --name a --scopes posts:read --expires 2030-01-01',
  )
  const [made] = parse(readFileSync(join(site.content, 'handbook/keys.yml'), 'utf8'))
  expect(Object.keys(parse(entry)[0])).toEqual(Object.keys(made))
  const [, setting = ''] = /^QUARRY_KEYS='(.+)'$/.exec(blocksOf(document, 'sh')[1] ?? '') ?? []
  const hashes = setting.replace(/([0-9a-f]{4})…/g, (_, digits) => digits.repeat(16))
  shell(site, 'npx quarry build')
  const { url } = await serve(site.folder, { QUARRY_KEYS: hashes })
  expect((await fetch(`${url}/status`)).status).toBe(200)
})

it('docs/http-api.md shows the shapes of answers', async () => {
  const [post = '', pagination = '', error = ''] = blocksOf(readDocument('http-api.md'), 'json')
  const site = documentedProject()
  for (let day = 1; day <= 24; day++) {
    const text = `---\ntitle: Post ${day}\ncategory: news\ndate: 2026-02-${day}\n---\n`
    site.write(`content/handbook/posts/post-${day}.md`, text.replace(/-(\d)\n/, '-0$1\n'))
  }
  shell(site, 'npx quarry build')
  const { url } = await serve(site.folder)
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const ask = async (target: string): Promise<any> =>
    (await fetch(`${url}/v1/handbook/${target}`)).json()
  const responded = await ask('posts/one')
  const shown = JSON.parse(post)
  expect(Object.keys(shown.post)).toEqual(Object.keys(responded.post))
  expect(Object.keys(shown.post.category)).toEqual(Object.keys(responded.post.category))
  expect((await ask('posts')).pagination).toEqual(JSON.parse(pagination))
  const { error: name, message, details } = await ask('posts?limit=0')
  expect({ error: name, message, details }).toEqual(JSON.parse(error))
})

it('docs/frameworks.md shows lines of the examples, which are built', () => {
  const files = globSync('examples/**/*.{astro,js,mjs,ts,tsx}', { cwd: root })
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
  const known = new Set(files.flatMap((file) => linesOf(readFileSync(join(root, file), 'utf8'))))
  const document = readDocument('frameworks.md')
  const shown = ['astro', 'js', 'ts', 'tsx'].flatMap((language) => blocksOf(document, language))
  const lines = shown.flatMap(linesOf).filter((line) => !line.startsWith('// '))
  expect(lines.filter((line) => !known.has(line))).toEqual([])
})

it('docs/configuration.md shows configurations that check and build', () => {
  const [plain = '', mapped = ''] = blocksOf(readDocument('configuration.md'), 'ts')
  const site = documentedProject()
  expect(typeErrors(site, 'quarry.config.ts', plain)).toBe('')
  expect(shell(site, 'npx quarry build')).toContain('Built dist')
  expect(site.json('public/v1/handbook/posts/_limit/20/index.json').posts).toHaveLength(1)
  const whole = `${plain.split('\n')[0]}\n${mapped}`
  expect(typeErrors(site, 'quarry.config.ts', whole)).toBe('')
  const foreign =
    '---\ntitle: Foreign\ncreated: 2026-03-01\nsummary: In short\ncategories: [News]\nkeywords: a, b\npublished: true\nlayout: x\n---\n'
  site
    .write('content/handbook/workspace.yml', 'references: create\n')
    .write('content/handbook/posts/2026/foreign/index.md', foreign)
  expect(shell(site, 'npx quarry build')).not.toContain('warning')
  const { posts } = site.json('public/v1/handbook/posts/index.json')
  expect(posts[0]).toMatchObject({
    slug: '2026-foreign',
    description: 'In short',
    category: { slug: 'news' },
    tags: [{ slug: 'a' }, { slug: 'b' }],
  })
})

it('docs/deploying.md probes a deployment, and names the cache of a build for CI', async () => {
  const document = readDocument('deploying.md')
  const site = documentedProject()
  const key = shell(site, 'npx quarry keys create --workspace handbook').trim()
  shell(site, 'npx quarry build')
  const { url } = await serve(site.folder, { QUARRY_RATE_LIMIT: 'off' })
  const [probe = ''] = blocksOf(document, 'sh')
  const here = probe.replace('https://content.example.com', url).replace('KEY', key)
  expect(shell(site, here)).toContain('0 findings')
  const { cache } = resolveSettings({}, {}, {})
  expect(document).toContain(`Restore the folder \`${cache}\``)
  const [, variable = '', folder = ''] = /set `(QUARRY_CACHE): ([^`]*)`/.exec(document) ?? []
  expect(document).toContain(`paths: [${folder}]`)
  shell(site, `${variable}=${folder} npx quarry build`)
  expect(shell(site, `ls ${folder}`)).toContain('values')
})
