import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeSection } from '../../../src/cli/explain/code-section.ts'
import { diagnosticCodes } from '../../../src/diagnostics.ts'
import { hashKey } from '../../../src/runtime/key-format.ts'
import { call } from '../../support/command-call.ts'
import { run } from '../../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../../support/temporary-site.ts'

/** The explanation of a request, as programs are given it. */
async function explained(
  site: TemporarySite,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const { exitCode, stdout, stderr } = await call(
    site.folder,
    ['explain', '--json', ...words],
    environment,
  )
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('quarry explain', () => {
  it('names the file of a request that has one, for a person', async () => {
    const site = temporarySite().posts(12)
    await site.build()
    const { stdout } = await run(site.folder, ['explain', '/v1/acme/posts?page=2&utm_source=x'])
    const etag = /"[0-9a-f]{32}"/.exec(stdout)?.[0]
    expect(stdout.split('\n').slice(0, -2)).toEqual([
      'GET /v1/acme/posts?page=2&utm_source=x  200 OK',
      '  The build wrote this response as a file, for a CDN; quarry serve makes the same bytes from the index.',
      '',
      '  operation    GET /v1/{workspaceId}/posts',
      '  workspace    acme',
      '  parameters   page=2',
      '               utm_source=x is ignored: no operation has it',
      '               by default: limit=10 order=desc orderBy=publishedAt format=html',
      '  key          not needed',
      '  source       file public/v1/acme/posts/_page/2.json',
      expect.stringMatching(/^ {2}size {9}[\d,]+ bytes$/),
      `  etag         ${etag}`,
      '  caching      public, max-age=60, s-maxage=300, stale-while-revalidate=86400',
      '  valid until  the next build',
    ])
  })

  it('says what every code means, without a build', async () => {
    const site = temporarySite()
    const { exitCode, stdout } = await call(site.folder, ['explain', 'unknown-category'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^unknown-category\n\nError\. The post names a category/)
    expect(stdout).toContain('acme/posts/2026-03-04-hello.md:3:11 error unknown-category')
    expect(stdout).not.toMatch(/<!--|^#/m)
    for (const code of diagnosticCodes) {
      expect(codeSection(code)).toMatch(new RegExp(`^${code}\n\n(Error|Warning)\\. .`))
      expect(codeSection(code)).toMatch(/```$/m)
    }
  })

  it('is what an error points to', async () => {
    const site = temporarySite().post('first', { category: 'nwes' })
    const { stderr } = await call(site.folder, ['build'])
    expect(stderr).toMatch(/1 error\nMore: npx quarry explain unknown-category\n$/)
  })

  it('knows a code that was nearly written right', async () => {
    const { exitCode, stderr } = await call(temporarySite().folder, ['explain', 'unknown-categry'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Did you mean "unknown-category"?')
  })

  it('takes a URL as it is copied from a browser, and a path without its slash', async () => {
    const site = temporarySite().post('日本語')
    await site.build()
    for (const address of [
      'http://127.0.0.1:4321/v1/acme/posts/%E6%97%A5%E6%9C%AC%E8%AA%9E#top',
      '127.0.0.1:4321/v1/acme/posts/日本語',
      'v1/acme/posts/日本語',
    ]) {
      const response = await explained(site, [address])
      expect(response).toMatchObject({ answeredBy: 'file', identifier: '日本語', status: 200 })
    }
  })

  it.each([
    ['/v1/acme/post', 'Did you mean "/v1/acme/posts"?'],
    ['/v1/acme/psots/post-1?limit=2', 'Did you mean "/v1/acme/posts/post-1"?'],
    ['/stauts', 'Did you mean "/status"?'],
    ['/nothing/like/it/at/all', expect.stringMatching(/^The paths are \/v/)],
  ])('names the nearest path that exists: %s', async (path, reason) => {
    const site = temporarySite().posts(1)
    await site.build()
    const { status, why } = await explained(site, [path])
    expect({ status, why }).toEqual({ status: 404, why: [reason] })
  })

  it.each([
    ['/v1/acme/posts?query=x&page=1', 'Requests with query have no file'],
    ['/v1/acme/posts?order=asc&tags=a&query=x', 'Requests with tags, query have no file'],
    ['/v1/acme/posts?limit=20', '`precompute` in the configuration'],
  ])('says why %s is answered from the index', async (address, reason) => {
    const site = temporarySite().post('first')
    await site.build()
    const response = await explained(site, [address])
    expect(response).toMatchObject({ status: 200, answeredBy: 'index', file: null })
    expect(response.isCanonical).toBe(false)
    expect(response.why.join(' ')).toContain(reason)
  })

  it('tells what is used, what is a default, what is ignored and what is bad', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const { parameters } = await explained(site, [
      '/v1/acme/posts?limit=10&tags=b,a&tags=b&include=posts&type=image&Page=2&featured=',
    ])
    const effects = parameters.given.map(
      ({ name, effect, note }: { name: string; effect: string; note: string }) =>
        `${name} ${effect} ${note}`.trim(),
    )
    expect(effects).toEqual([
      'limit default',
      'tags used',
      'include default',
      expect.stringMatching(/^type ignored this operation takes only limit, page, order, .*$/),
      'Page ignored no operation has it. Did you mean "page"?',
      'featured default',
    ])
    expect(parameters.understood).toMatchObject({ limit: 10, tags: ['a', 'b'], page: 1 })
    const bad = await explained(site, ['/v1/acme/tags?limit=all&page=%ff'])
    expect(bad).toMatchObject({ status: 400, answeredBy: 'error', validUntil: null })
    expect(bad.parameters.given).toMatchObject([
      { name: 'limit', effect: 'bad', note: 'must be an integer from 1 to 100' },
      { name: 'page', effect: 'bad', values: [null], note: 'must be percent-encoded UTF-8' },
    ])
  })

  it.each([
    ['200', 0, ''],
    ['404', 1, 'The status is 200, and 404 is expected.\n'],
    ['20', 2, "error: option '--expect <status>' argument '20' is invalid."],
  ])('expects the status %s for a script', async (status, exitCode, message) => {
    const site = temporarySite().post('first')
    await site.build()
    const ended = await call(site.folder, ['explain', '/v1/acme/posts', '--expect', status])
    expect(ended).toMatchObject({ exitCode, stderr: expect.stringContaining(message) })
  })

  it('knows that limit and page of one tag count with its posts alone', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const without = await explained(site, ['/v1/acme/categories/news?limit=2'])
    expect(without.parameters.given[0].effect).toBe('ignored')
    const included = await explained(site, ['/v1/acme/categories/news?limit=2&include=posts'])
    expect(included.parameters.given[0].effect).toBe('used')
  })

  it('says when a scheduled post will change an answer', async () => {
    const due = '2026-07-01T00:00:00.000Z'
    const site = temporarySite().post('first').post('later', { publishedAt: due })
    await site.build()
    const before = ['--now', '2026-06-30T23:59:30Z']
    const list = await explained(site, ['/v1/acme/posts', ...before])
    expect(list).toMatchObject({ answeredBy: 'file', validUntil: due })
    expect(list.cacheControl).toContain('max-age=30,')
    const post = await explained(site, ['/v1/acme/posts/later', ...before])
    expect(post).toMatchObject({ status: 404, validUntil: due })
    expect(post.why[0]).toContain('it is scheduled')
    const after = await explained(site, ['/v1/acme/posts', '--now', due])
    expect(after).toMatchObject({ answeredBy: 'index', isCanonical: true, validUntil: null })
    expect(after.why[0]).toContain('another post has appeared')
  })

  it.each([
    ['/v1/acme/posts/nothing', 404, 'No published post'],
    ['/v1/acne/posts', 404, 'Did you mean "acme"?'],
    ['/v1/closed/posts', 404, '`v1: private`'],
    ['/v1/acme/pages', 404, '/v1/{workspaceId}/posts/{identifier}'],
    ['/v1/acme/posts/', 308, 'no slash at its end'],
    ['/v2/tags', 401, 'put it into QUARRY_KEY'],
    ['/v1/tags', 401, 'put it into QUARRY_KEY'],
    ['/v1/%ff/posts', 400, ''],
    ['/status', 200, 'The service says this of itself'],
    [`/v1/acme/posts?query=${'x'.repeat(9000)}`, 414, ''],
  ])('explains what is no content: %.40s', async (address, status, reason) => {
    const site = temporarySite().post('first')
    site.write('content/closed/workspace.yml', 'v1: private\n')
    await site.build()
    const response = await explained(site, [address])
    expect(response.status).toBe(status)
    expect(response.why.join(' ')).toContain(reason)
  })

  it('shows no control character that stands in a request', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const { stdout } = await call(site.folder, ['explain', '/v1/acme/posts?x=%1b[31m&%0d=1'])
    expect(['\u001b', '\r'].filter((control) => stdout.includes(control))).toEqual([])
  })

  it.each([
    [['explain'], 'missing required argument'],
    [['explain', ''], 'must not be empty'],
    [['explain', '/', '--now', 'soon'], 'must be a date'],
    [['explain', '/'], 'Run npx quarry build first'],
    [['explain', 'http://[x/'], 'is no URL'],
    [['explain', '/', '--key', 'x'], "unknown option '--key'"],
  ])('ends with 2 for wrong use: %j', async (words, reason) => {
    const { exitCode, stdout, stderr } = await call(temporarySite().folder, words)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(reason)
  })
})

describe('quarry explain with a key', () => {
  async function siteWithKeys(...flags: readonly (readonly string[])[]) {
    const site = temporarySite().post('first')
    const keys: string[] = []
    for (const extra of flags) {
      const create = ['keys', 'create', '--workspace', 'acme', ...extra]
      keys.push((await call(site.folder, create)).stdout.trim())
    }
    return { site, keys }
  }

  it('says whether it opens the answer, and never repeats it', async () => {
    const { site, keys } = await siteWithKeys([], ['--scopes', 'tags:read'])
    await site.build()
    const [all = '', tags = ''] = keys
    const sdk = await explained(site, ['/v1/posts'], { QUARRY_KEY: all })
    expect(sdk).toMatchObject({ status: 200, operation: 'GET /v1/posts', file: null })
    expect(sdk.why).toContain("The paths of the vendor's SDKs have no files.")
    const opened = await explained(site, ['/v2/posts'], { QUARRY_KEY: all })
    expect(opened).toMatchObject({ status: 200, workspace: 'acme', answeredBy: 'file' })
    expect(opened).toMatchObject({ file: 'private/v2/acme/posts/index.json' })
    expect(opened.key).toBe(`opens it (${opened.keyId})`)
    const refused = await explained(site, [`/v2/posts?key=${tags}`], { QUARRY_KEY: tags })
    expect(refused).toMatchObject({ status: 403, key: 'lacks a scope' })
    expect(refused.why[0]).toMatch(/can read only tags:read\.$/)
    for (const key of keys) expect(JSON.stringify([opened, refused])).not.toContain(key)
  })

  it('reads it from stdin', async () => {
    const { site, keys } = await siteWithKeys([])
    await site.build()
    const main = join(import.meta.dirname, '../../../.lib/cli/main.js')
    const words = [main, 'explain', '--key-stdin', '--json', '/v2/posts']
    const child = spawn(process.execPath, words, { cwd: site.folder })
    child.stdin.end(`${keys[0]}\n`)
    let text = ''
    for await (const part of child.stdout) text += part
    expect(JSON.parse(text)).toMatchObject({ status: 200, workspace: 'acme' })
  })

  it.each([
    ['expired', (key: string) => key, 'has expired'],
    ['mistyped', (key: string) => `${key.slice(0, -1)}~`, 'a character is wrong or missing'],
  ])('says that it is %s', async (_, change, reason) => {
    const { site, keys } = await siteWithKeys(['--expires', '2999-01-01'])
    await site.build()
    const environment = { QUARRY_KEY: change(keys[0] ?? '') }
    const response = await explained(site, ['/v2/posts', '--now', '2999-01-01'], environment)
    expect(response).toMatchObject({ status: 401, key: 'refused', workspace: null })
    expect(response.why[0]).toContain(reason)
  })

  it('says that it was revoked, or made after the build', async () => {
    const { site, keys } = await siteWithKeys([])
    await site.build()
    const [key = ''] = keys
    const revoked = { QUARRY_KEY: key, QUARRY_KEYS: `!${hashKey(key)}` }
    expect((await explained(site, ['/v2/posts'], revoked)).why[0]).toContain('was revoked')
    const late = await call(site.folder, ['keys', 'create', '--workspace', 'acme'])
    const unknown = { QUARRY_KEY: late.stdout.trim() }
    expect((await explained(site, ['/v2/posts'], unknown)).why[0]).toContain('knows the key')
  })
})
