import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeSection } from '../../src/cli/explain.ts'
import { diagnosticCodes } from '../../src/diagnostics.ts'
import { hashKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

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
    const { stdout } = await run(site.folder, ['explain', '/v1/acme/posts?page=2&pge=3'])
    const etag = /"[0-9a-f]{32}"/.exec(stdout)?.[0]
    expect(stdout.split('\n').slice(0, -3)).toEqual([
      'GET /v1/acme/posts?page=2&pge=3  200 OK',
      '  The build wrote this response to a file. quarry serve makes the same bytes from its index.',
      '  pge is ignored. Did you mean "page"?',
      '',
      '  workspace      acme',
      '  source         file',
      '  file           public/v1/acme/posts/_page/2.json',
      expect.stringMatching(/^ {2}bytes {10}\d+$/),
      `  etag           ${etag}`,
      '  cache control  public, max-age=60, s-maxage=300, stale-while-revalidate=86400',
      '  valid until    the next build',
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
      expect(codeSection(code).replace(/```[\s\S]*?```|`[^`\n]*`/g, '')).not.toContain('](')
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
      expect(response).toMatchObject({ source: 'file', status: 200 })
      expect(response.file).toContain('日本語')
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
    expect({ status, why }).toEqual({ status: 404, why: ['There is no such path.', reason] })
  })

  it.each([
    ['/v1/acme/posts?query=x&page=1', 'Other parameters have too many values'],
    ['/v1/acme/posts?limit=20', '`precompute` in the configuration'],
    ['/v1/acme/changes', '`changes: true` in the configuration'],
    ['/v1/acme/redirects', 'no published post has an alias'],
  ])('says why %s is answered from the index', async (address, reason) => {
    const site = temporarySite().post('first')
    await site.build()
    const response = await explained(site, [address])
    expect(response).toMatchObject({ status: 200, source: 'index', file: null })
    expect(response.why.join(' ')).toContain(reason)
  })

  it('names the parameters that are ignored, and those that are wrong', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const { why } = await explained(site, ['/v1/acme/posts?limit=2&type=image&Page=2&status=all'])
    expect(why.slice(1)).toEqual([
      'type is ignored. This operation has no such parameter.',
      'Page is ignored. Did you mean "page"?',
      'status is ignored. Only v2 has it.',
    ])
    const bad = await explained(site, ['/v1/acme/tags?limit=all&page=%ff&x=1'])
    expect(bad).toMatchObject({ status: 400, source: 'none', validUntil: null })
    expect(bad.why).toEqual([
      'Invalid query parameters: limit, page.',
      'limit must be an integer from 1 to 100.',
      'page must be percent-encoded UTF-8.',
      'x is ignored. This operation has no such parameter.',
    ])
  })

  it.each([
    ['200', 0, ''],
    ['404', 1, 'The status is 200, not 404.\n'],
    ['20', 2, "error: option '--expect <status>' argument '20' is invalid."],
  ])('expects the status %s for a script', async (status, exitCode, message) => {
    const site = temporarySite().post('first')
    await site.build()
    const ended = await call(site.folder, ['explain', '/v1/acme/posts', '--expect', status])
    expect(ended).toMatchObject({ exitCode, stderr: expect.stringContaining(message) })
  })

  it('says when a scheduled post will change an answer', async () => {
    const due = '2026-07-01T00:00:00.000Z'
    const site = temporarySite().post('first').post('later', { publishedAt: due })
    await site.build()
    const before = ['--now', '2026-06-30T23:59:30Z']
    const list = await explained(site, ['/v1/acme/posts', ...before])
    expect(list).toMatchObject({ source: 'file', validUntil: due })
    expect(list.cacheControl).toContain('max-age=30,')
    const post = await explained(site, ['/v1/acme/posts/later', ...before])
    expect(post).toMatchObject({ status: 404, validUntil: due })
    expect(post.why[1]).toContain('The post is scheduled')
    const after = await explained(site, ['/v1/acme/posts', '--now', due])
    expect(after).toMatchObject({ source: 'index', validUntil: null })
    expect(after.file).toBe('public/v1/acme/posts/index.json')
    expect(after.why[0]).toContain('other posts are visible now')
  })

  it.each([
    '/v1/acme/posts/later',
    '/v1/acme/posts?page=2',
    '/v1/acme/posts?page=2&format=markdown',
    '/v1/acme/tags/soon',
    '/v1/acme/categories/news?include=posts&page=2',
  ])('names the schedule as the cause where %s has no file yet', async (address) => {
    const site = temporarySite().posts(10)
    site.write('content/acme/workspace.yml', 'references: create\n')
    site.post('later', { publishedAt: '2026-07-01', tags: '[soon]' })
    await site.build()
    const after = await explained(site, [address, '--now', '2027-01-01'])
    expect(after).toMatchObject({ status: 200, source: 'index', file: null })
    expect(after.why[0]).toContain('still scheduled when the site was built')
    const sized = await explained(site, ['/v1/acme/posts?limit=20', '--now', '2027-01-01'])
    expect(sized.why[0]).toContain('`precompute`')
  })

  it.each([
    ['/v1/acme/posts/nothing', 404, 'nothing published with this slug'],
    ['/v1/acne/posts', 404, 'Did you mean "acme"?'],
    ['/v1/closed/posts', 404, '`v1: private`'],
    ['/v1/acme/posts/', 308, 'no slash at the end'],
    ['/v2/tags', 401, 'Set QUARRY_KEY'],
    ['/v1/tags', 401, 'Set QUARRY_KEY'],
    ['/v1/%ff/posts', 400, ''],
    ['/status', 200, 'describes the service'],
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
    [['explain', '/', '--now', 'soon'], 'must be an ISO 8601 date'],
    [['explain', '/'], 'Run npx quarry build first'],
    [['explain', 'http://[x/'], 'is not a URL'],
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
    expect(sdk).toMatchObject({ status: 200, file: null })
    expect(sdk.why).toEqual(['Paths of the SDK have no files.'])
    const opened = await explained(site, ['/v2/posts'], { QUARRY_KEY: all })
    expect(opened).toMatchObject({ status: 200, workspace: 'acme', source: 'file' })
    expect(opened).toMatchObject({ file: 'private/v2/acme/posts/index.json' })
    expect(opened.key).toMatch(/^\w+$/)
    const refused = await explained(site, [`/v2/posts?key=${tags}`], { QUARRY_KEY: tags })
    expect(refused).toMatchObject({ status: 403 })
    expect(refused.why[1]).toMatch(/has only the scopes tags:read\.$/)
    for (const key of keys) expect(JSON.stringify([opened, refused])).not.toContain(key)
  })

  it('reads it from stdin', async () => {
    const { site, keys } = await siteWithKeys([])
    await site.build()
    const main = join(import.meta.dirname, '../../.lib/cli/main.js')
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
    expect(response).toMatchObject({ status: 401, key: null, workspace: null })
    expect(response.why[1]).toContain(reason)
  })

  it('says that it was revoked, or made after the build', async () => {
    const { site, keys } = await siteWithKeys([])
    await site.build()
    const [key = ''] = keys
    const revoked = { QUARRY_KEY: key, QUARRY_KEYS: `!${hashKey(key)}` }
    expect((await explained(site, ['/v2/posts'], revoked)).why[1]).toContain('was revoked')
    const late = await call(site.folder, ['keys', 'create', '--workspace', 'acme'])
    const unknown = { QUARRY_KEY: late.stdout.trim() }
    expect((await explained(site, ['/v2/posts'], unknown)).why[1]).toContain(
      'nor QUARRY_KEYS has it',
    )
  })
})
