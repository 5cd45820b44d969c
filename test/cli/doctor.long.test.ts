import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { decodeManifest } from '../../src/build/manifest.ts'
import { answerOf, createJudge, draftsOf, targetsOf } from '../../src/cli/doctor.ts'
import { keyringOf } from '../../src/runtime/keys.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { keys } from '../blackbox/site.ts'
import { run, serve } from '../support/command-line.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { freePort, respondAt } from '../support/process.ts'
import { type BuiltSample, buildSample } from '../support/sample-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

let fixture: BuiltSample
beforeAll(async () => {
  fixture = await buildSample()
})

const doctorWith = (key: string, ...words: readonly string[]) =>
  run(fixture.folder, ['doctor', ...words], { QUARRY_KEY: key })

describe('quarry doctor', () => {
  let url: string
  beforeAll(async () => {
    const environment = { QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on' }
    url = (await serve(fixture.folder, environment)).url
  })

  it('finds nothing at quarry serve, with a key that reads drafts', async () => {
    const { exitCode, stdout } = await doctorWith(keys['drafts'] ?? '', url)
    expect(stdout).toMatch(/\n12 checks: 0 findings\. [\d,]{5,} probes: 0 leaks\.\n$/)
    expect(stdout).toContain('ok shared caches do not store v2')
    expect(exitCode).toBe(0)
  })

  it('announces the number of its requests, and counts those that a rate limit hid', async () => {
    const site = temporarySite().posts(3)
    await site.build()
    const announced = async (...flags: readonly string[]) => {
      let count = 0
      const silent = await respondAt(({ url = '' }, response) => {
        count++
        response.writeHead(url.startsWith('/private') ? 429 : 404).end('{}')
      })
      const { stdout } = await run(site.folder, ['doctor', silent, ...flags])
      expect(stdout).toMatch(/ {2}[\d,]+ requests had no response or a 429, which hides/)
      const [line, about = '', files, all] =
        /^Sending about ([\d,]+) requests to \S+ for (\d+) of (\d+) private files.*/.exec(stdout) ??
        []
      expect(Math.abs(Number(about.replaceAll(',', '')) - count)).toBeLessThan(10)
      return { files, all, hasMore: line?.includes('--probe requests all of them') }
    }
    expect(await announced()).toMatchObject({ files: '2', hasMore: true })
    expect(await announced('--files', '3')).toMatchObject({ files: '3', hasMore: true })
    const whole = await announced('--probe')
    expect(whole).toEqual({ files: whole.all, all: whole.all, hasMore: false })
  })
})

it.each([
  ['{"cors":["https://a.example","https://b.example"]}', 'https://a.example'],
  ['{"cors":[]}', 'no other origin'],
])('finds nothing at a site with the headers %s', async (http, readers) => {
  const site = temporarySite().post('first').write('quarry.config.json', `{"http":${http}}`)
  await run(site.folder, ['build'])
  const { url } = await serve(site.folder)
  const { stdout } = await run(site.folder, ['doctor', url])
  expect(stdout).toContain(`  ok pages of ${readers} may read v1\n`)
  expect(stdout).toContain(' checks: 0 findings.')
})

it.skipIf(provideNginx() !== null).each([
  ['the whole folder', (out: string) => `root ${out};`],
  ['private alone', (out: string) => `root ${out}/private;`],
  [
    'a folder by another path',
    (out: string) =>
      `root ${out}; location /private/ { return 401; } location /dist/ { alias ${out}/; }`,
  ],
])('finds the leaks of an nginx that serves %s', async (_, body) => {
  const site = temporarySite().posts(3)
  await site.build()
  const port = await freePort()
  await startNginx(`server { listen 127.0.0.1:${port}; ${body(site.out)} }`, port)
  const words = ['doctor', '--probe', `http://127.0.0.1:${port}`]
  const { exitCode, stdout } = await run(site.folder, words)
  expect(stdout).toMatch(/leak \S+ is a 200 with no key[\s\S]*probes: [\d,]+ leaks\./)
  expect(exitCode).toBe(1)
})

it('finds published drafts by every name and in every list', async () => {
  const storage = createFileStorage(join(fixture.out, 'function'))
  const site = await openBuild(storage)
  const drafts = await draftsOf(site)
  expect(drafts.map(({ slug }) => slug).sort()).toEqual([
    ...['post-17', 'post-45', 'unfinished-guide', 'unfinished-guide'],
  ])
  const manifest = decodeManifest(readFileSync(join(fixture.out, 'manifest.json')))
  if (manifest === null) throw new Error('no manifest')
  const keyring = keyringOf('')(site)
  const isLeak = createJudge(manifest, site, keyring, undefined, true)
  const published = await careless()
  const leaks: string[] = []
  for (const target of targetsOf([], drafts)) {
    const header = () => null
    const reply = await published({ method: 'GET', target, clientAddress: '', header })
    const body = reply.body instanceof Uint8Array ? Buffer.from(reply.body) : Buffer.alloc(0)
    const answer = answerOf(reply.status, body, () => '')
    if (await isLeak(answer, target, {})) leaks.push(target)
  }
  for (const target of [
    '/v1/journal/posts/post-17',
    '/v1/journal/posts/post-45?status=draft',
    '/v1/journal/posts?slugs=post-17',
    '/v1/journal/posts?include=posts&limit=100',
    '/v1/journal/feed.xml',
    '/v1/journal/sitemap.xml',
    '/v1/journal/categories?include=posts&limit=100',
  ])
    expect(leaks).toContain(target)
})

it('asks for drafts of items as for those of posts', async () => {
  const draft = '---\ntitle: Soon\nstatus: draft\n---\n\nText.\n'
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
    .write('content/acme/guides/api/keys.md', draft)
    .post('first')
  await site.build({ drafts: true })
  const storage = createFileStorage(join(site.out, 'function'))
  const drafts = await draftsOf(await openBuild(storage))
  expect(drafts.map(({ kind, slug }) => [kind, slug])).toEqual([['collections/guides', 'api/keys']])
  const targets = targetsOf([], drafts)
  for (const target of [
    '/v1/acme/collections/guides/api/keys?status=draft',
    '/v1/acme/collections/guides?slugs=api%2Fkeys',
    '/private/v2/acme/collections/guides/api/keys.json',
  ])
    expect(targets).toContain(target)
})

/** The same site, its drafts published by mistake. */
async function careless() {
  const other = await buildSample((content) => {
    const folder = join(content, 'journal/posts')
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name)
      const text = statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
      const visible = text.replace(/^status: draft$/m, '')
      if (visible !== text) writeFileSync(path, visible)
    }
  })
  const storage = createFileStorage(join(other.out, 'function'))
  const site = await openBuild(storage)
  return createResponder(() => site)
}
