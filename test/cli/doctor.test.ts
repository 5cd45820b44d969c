import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { createLeakCheck, listDrafts } from '../../src/cli/doctor.ts'
import { encodeKey, keyringOf } from '../../src/runtime/keys.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { call } from '../support/command-call.ts'
import { serve } from '../support/command-line.ts'
import { respondAt } from '../support/process.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('waits for a rate limit, and takes no 429 for a finding', async () => {
  const site = temporarySite().posts(3)
  await site.build()
  const busy = await respondAt((_, response) => response.writeHead(429).end('{}'))
  const { exitCode, stdout } = await call(site.folder, ['doctor', busy])
  expect(stdout).toContain('  hidden a request without a key is a 401\n')
  expect(stdout).toMatch(/ checks: 0 findings\. .*: 0 leaks, [\d,]+ unknown: start the server/)
  expect(exitCode).toBe(0)
  const limited = new Set<string>()
  const patient = await respondAt(({ url = '' }, response) => {
    if (limited.has(url)) response.writeHead(404).end('{}')
    else response.writeHead(429, { 'retry-after': '0' }).end('{}')
    limited.add(url)
  })
  const waited = await call(site.folder, ['doctor', patient])
  expect(waited.stdout).toMatch(/ probes: 0 leaks\.\n$/)
})

it('says what helps where a key is not in the build, and probes all with --probe', async () => {
  const site = temporarySite().posts(3)
  await site.build()
  const key = encodeKey(new Uint8Array(32).fill(42))
  const gone = await respondAt((_, response) => response.writeHead(404).end('{}'))
  const newer = await call(site.folder, ['doctor', gone], { QUARRY_KEY: key })
  expect([newer.exitCode, newer.stderr]).toEqual([
    2,
    'error: The key was revoked, or neither the build nor QUARRY_KEYS has it. If the key is newer, build again.\n',
  ])
  const { stdout } = await call(site.folder, ['doctor', gone, '--files', '1', '--probe'])
  expect(stdout).toMatch(/ for (\d+) of \1 private files and /)
})

it.each(['{"cors":["https://a.example","https://b.example"]}', '{"cors":[]}'])(
  'finds nothing at a site with the headers %s',
  async (http) => {
    const site = temporarySite().post('first').write('quarry.config.json', `{"http":${http}}`)
    await call(site.folder, ['build'])
    const { url } = await serve(site.folder, { QUARRY_RATE_LIMIT: 'off' })
    const { stdout } = await call(site.folder, ['doctor', url])
    expect(stdout).toContain('  ok pages may read v1, and caches may store it\n')
    expect(stdout).toContain(' checks: 0 findings.')
  },
)

it('finds published drafts of posts and items by every name and in every list', async () => {
  const site = temporarySite()
    .post('first')
    .write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
  const withStatus = (status: string) =>
    site
      .post('soon', { status })
      .write('content/acme/guides/api/keys.md', `---\ntitle: Soon\nstatus: ${status}\n---\nText.\n`)
  await withStatus('published').build()
  const { handler } = await serveFolder(site.out)
  const published = handler()
  await askHandler(published, '/v1/acme/posts')
  const { manifest } = await withStatus('draft').build({ drafts: true })
  const own = await openBuild(createFileStorage(join(site.out, 'function')))
  const isLeak = createLeakCheck({ site: own, keyring: keyringOf('')(own) }, manifest, true)
  const leaks: string[] = []
  for (const target of (await listDrafts(own)).flat()) {
    const { status, bytes } = await askHandler(published, target)
    if (await isLeak({ status, body: Buffer.from(bytes) }, target, {})) leaks.push(target)
  }
  for (const target of [
    ...['posts/soon', 'posts/soon?status=draft', 'posts?slugs=soon'],
    ...['posts?include=posts&limit=100', 'categories?include=posts&limit=100'],
    ...['collections/guides/api/keys?status=draft', 'collections/guides?slugs=api%2Fkeys'],
  ])
    expect(leaks).toContain(`/v1/acme/${target}`)
})
