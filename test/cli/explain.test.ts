// `quarry explain`: the reasons of responses. test/blackbox has explanations for a person.
import { beforeAll, expect, it } from 'vitest'
import { hashKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

const leftOut = 'No file: `precompute` in the configuration leaves out `limit=20`'
const due = '2900-07-01T00:00:00.000Z'
const site = temporarySite()
let keys: readonly string[]

async function createKey(...flags: readonly string[]): Promise<string> {
  const words = ['keys', 'create', '--workspace', 'acme', ...flags]
  return (await call(site.folder, words)).stdout.trim()
}

beforeAll(async () => {
  site.posts(12).post('日本語').post('later', { publishedAt: due, tags: '[soon]' })
  site.write('content/acme/workspace.yml', 'references: create\n')
  site.write('content/closed/workspace.yml', 'v1: private\n')
  keys = [await createKey('--expires', '2999-01-01'), await createKey('--scopes', 'tags:read')]
  await site.build()
})

/** Reads the JSON of an explanation; words end at spaces. */
async function explained(line: string, environment: Readonly<Record<string, string>> = {}) {
  const run = await call(site.folder, ['explain', '--json', ...line.split(' ')], environment)
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  return JSON.parse(run.stdout)
}

it.each([
  ['127.0.0.1:4321/v1/acme/posts/日本語', 200, 'file', 'writes this response to a file'],
  ['/v1/acme/posts?limit=20&tags=a&order=asc', 200, 'index', `values. ${leftOut}, \`order=asc\`.`],
  ['/v1/acme/redirects', 200, 'index', 'no published post has an alias'],
  ['/v1/acme/posts/', 308, 'none', 'no slash at the end'],
  ['//v1/acme/posts', 404, 'none', 'There is no such path'],
  ['/v2/tags', 401, 'none', 'Set QUARRY_KEY'],
  ['/v1/acme/posts/nothing', 404, 'none', 'nothing published with this slug'],
  ['/v1/acme/posts/later', 404, 'none', 'The post is scheduled'],
  ['/v1/acne/posts', 404, 'none', 'Did you mean "acme"?'],
  ['/v1/acme/category/news', 404, 'none', 'Did you mean "/v1/acme/categories/news"?'],
  ['/v1/closed/posts', 404, 'none', '`v1: private`'],
  ['/v1/acme/posts --now 2901-01-01', 200, 'index', 'other posts are visible now'],
  ['/v1/acme/tags/soon --now 2901-01-01', 200, 'index', 'still scheduled when the site was built'],
])('says why %s is a %i', async (line, status, source, reason) => {
  const found = await explained(line)
  expect(found).toMatchObject({ status, source })
  expect(found.why.join(' ')).toContain(reason)
})

it('says that it asked the build and not the deployment whose URL it got', async () => {
  const { why } = await explained('https://content.example.com/v1/acme/posts')
  expect(why.at(-1)).toBe(
    'This is the response of the last build. npx quarry doctor https://content.example.com compares the deployment with it.',
  )
  expect(JSON.stringify(await explained('/v1/acme/posts'))).not.toContain('doctor')
})

it('says whether a key opens the response, and never repeats the key', async () => {
  const [all = '', tags = ''] = keys
  const late = await createKey()
  const revoked = { QUARRY_KEY: all, QUARRY_KEYS: `!${hashKey(all)}` }
  for (const [line, environment, status, reason] of [
    ['/v2/posts', { QUARRY_KEY: all }, 200, 'writes this response to a file'],
    ['/v2/feed.xml', { QUARRY_KEY: all }, 404, 'list all paths'],
    ['/v1/posts', { QUARRY_KEY: all }, 200, 'Paths of the SDK have no files.'],
    [`/v2/posts?key=${tags}`, { QUARRY_KEY: tags }, 403, 'has only the scopes tags:read.'],
    ['/v2/posts --now 2999-01-01', { QUARRY_KEY: all }, 401, 'has expired'],
    ['/v2/posts', { QUARRY_KEY: `${all.slice(0, -1)}~` }, 401, 'a character is wrong or missing'],
    ['/v2/posts', revoked, 401, 'was revoked'],
    ['/v2/posts', { QUARRY_KEY: late }, 401, 'nor QUARRY_KEYS has it'],
  ] as const) {
    const found = await explained(line, environment)
    expect(found.status).toBe(status)
    expect(found.why.join(' ')).toContain(reason)
    for (const key of keys) expect(JSON.stringify(found)).not.toContain(key)
  }
})
