// What a configuration may hold, how its file is read, and what is said of anything else.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkConfig } from '../../src/config/schema.ts'
import { loadConfig } from '../../src/config.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('in TypeScript is compiled once below node_modules, and read again after a correction', async () => {
  const config = (port: number) => `export default { port: ${port} as number }\n`
  const site = temporarySite().write('quarry.config.ts', config(4000))
  expect(await loadConfig(site.folder)).toMatchObject({ port: 4000 })
  expect(readdirSync(site.folder)).not.toContain('node_modules')
  mkdirSync(join(site.folder, 'node_modules'))
  site.write('quarry.config.ts', config(5000))
  expect(await loadConfig(site.folder)).toMatchObject({ port: 5000 })
  expect(readdirSync(join(site.folder, 'node_modules/.cache/jiti'))).toHaveLength(1)
})

it('in JSON may begin with a byte order mark, and names its file in a syntax error', async () => {
  const site = temporarySite().write('quarry.config.json', '\ufeff{ "port": 0 }')
  expect(await loadConfig(site.folder)).toMatchObject({ port: 0 })
  site.write('quarry.config.json', '{ "port": x }')
  await expect(loadConfig(site.folder)).rejects.toThrow('quarry.config.json:1:11 This is not JSON')
})

const mappings: [object, string][] = [
  [{ titel: 'x' }, 'titel is not a known setting. Did you mean "title"\\?'],
  [{ post: {} }, 'post is not a known setting. Did you mean "posts"\\?'],
  [{ posts: { titel: 'x' } }, 'posts.titel is not a known setting.'],
  [{ authors: { name: 'x', rule: 'y' } }, 'authors.rule is not a known setting.'],
  [{ posts: { tags: { splitt: ',' } } }, 'posts.tags.splitt is not a known setting.'],
  [{ authors: { name: 3 } }, 'authors.name '],
  [{ posts: { title: { split: ',' } } }, 'posts.title is not a list: add `take: "first"`'],
]

const portMessage = 'port must be an integer from 0 to 65535$'
it.each<[object, string]>([
  ...[1e99, 1.5, -1, 65_536, '80'].map((port): [object, string] => [{ port }, portMessage]),
  [{ baseUrl: 'ftp://example.com' }, 'baseUrl must be a URL '],
  [{ baseUrl: 'https://example.com?a' }, 'baseUrl must be a URL '],
  [{ http: { cors: ['https://example.com/'] } }, 'http.cors.0 must be an origin'],
  [{ http: { cacheControl: 'private, max-age=60' } }, 'http.cacheControl must be "public"'],
  [{ precompute: { lists: ['all+none'] } }, 'precompute.lists.0 must be one or more of '],
  [{ precompute: { lists: ['all+all'] } }, 'precompute.lists.0 must be one or more of '],
  [{ media: { files: ['html'] } }, 'media.files.0 must be '],
  [{ warnings: { ignore: ['nosuch'] } }, 'warnings.ignore.0 must be warning codes'],
  [[], 'the file must export an object$'],
  ...mappings.map(([own, text]): [object, string] => [{ frontMatter: own }, `frontMatter.${text}`]),
])('refuses %j once', (config, message) => {
  const whole = new RegExp(`^f is not a valid configuration:\n  ${message}[^\n]*$`)
  expect(() => checkConfig(config, 'f')).toThrow(whole)
})

it.each([
  ['quarry.config.json', '{\n  "port": 80,\n}\n', '3:1'],
  ['quarry.config.ts', 'export default {\n  out: = 3,\n}\n', '2:8'],
  ['quarry.config.js', 'export default {\n  out: = 3,\n}\n', '2:8'],
])('%s names the line and the column of its error, and has the line', async (name, text, place) => {
  const site = temporarySite().write(name, text)
  const error = await loadConfig(site.folder).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    message: expect.stringMatching(`${name}:${place} [TU]`),
    at: { lineText: text.split('\n')[Number(place[0]) - 1] },
  })
})
