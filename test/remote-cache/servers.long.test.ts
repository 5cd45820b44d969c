// Remote caches as they are operated: nginx with WebDAV, and a bucket of Ceph.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { provideCeph, startCeph } from '../support/ceph.ts'
import { run } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const secret = 'correct-horse-battery-staple'

function sampleSite(): TemporarySite {
  const site = temporarySite()
  for (let number = 1; number <= 9; number++) site.post(`post-${number}`, {}, `Text ${number}.\n`)
  return site
}

type Environment = Readonly<Record<string, string>>

/** A command in a job of its own: without a cache, but for the remote one. */
async function job(site: TemporarySite, environment: Environment, ...words: readonly string[]) {
  for (const folder of ['cache', 'dist']) {
    rmSync(join(site.folder, folder), { recursive: true, force: true })
  }
  const command = ['build', '--cache', 'cache', '--json', ...words]
  const { exitCode, stdout, stderr } = await run(site.folder, command, environment)
  expect([exitCode, stderr]).toEqual([0, expect.any(String)])
  const manifest = words.includes('--shard')
    ? null
    : readFileSync(join(site.out, 'manifest.json'), 'utf8')
  return { rendered: Number(JSON.parse(stdout).rendered), stderr, manifest }
}

/** What holds for each kind of server. @param writer variables that a job on the main branch has besides */
async function expectSharing(reader: Environment, writer: Environment) {
  const site = sampleSite()
  const alone = await job(site, {})
  const both = { ...reader, ...writer }
  const parts = ['3/3', '1/3', '2/3'].map((part) => job.bind(null, site, both, '--shard', part))
  let rendered = 0
  for (const part of parts) rendered += (await part()).rendered
  expect(rendered).toBe(9)
  const merged = await job(site, both)
  expect(merged).toEqual({ rendered: 0, stderr: '', manifest: alone.manifest })
  site.post('post-1', {}, 'Another text.\n')
  expect((await job(site, reader)).rendered).toBe(1)
  // The job that may only read has written nothing.
  expect((await job(site, both)).rendered).toBe(1)
  expect(await job(site, reader)).toMatchObject({ rendered: 0, stderr: '' })
  const signed = await job(site, { ...both, QUARRY_CACHE_SECRET: secret })
  expect(signed.rendered).toBe(9)
  expect(signed.stderr).toContain('a pack is not signed with QUARRY_CACHE_SECRET')
  const again = await job(site, { ...reader, QUARRY_CACHE_SECRET: secret })
  expect(again).toEqual({ ...signed, rendered: 0, stderr: '' })
}

describe.skipIf(provideNginx() !== null)('nginx with WebDAV', () => {
  it('shares a cache, which only the password of writers changes', async () => {
    const folder = emptyFolder({ passwords: 'ci:{PLAIN}writes\n', 'store/.keep': '' })
    mkdirSync(join(folder, 'temporary'))
    const port = await freePort()
    const nginx = await startNginx(
      `server {
        listen 127.0.0.1:${port};
        root ${folder}/store;
        client_body_temp_path ${folder}/temporary;
        location /acme/ {
          dav_methods PUT DELETE;
          create_full_put_path on;
          client_max_body_size 2g;
          limit_except GET { auth_basic cache; auth_basic_user_file ${folder}/passwords; }
        }
      }`,
      port,
    )
    onTestFinished(() => nginx.stop())
    const reader = { QUARRY_CACHE_REMOTE: `http://127.0.0.1:${port}/acme` }
    await expectSharing(reader, { QUARRY_CACHE_REMOTE_WRITE_TOKEN: 'ci:writes' })
    const packs = () => readdirSync(join(folder, 'store/acme/cas')).sort()
    const before = packs()
    const wrong = { ...reader, QUARRY_CACHE_REMOTE_WRITE_TOKEN: 'ci:guesses' }
    const refused = await job(sampleSite().post('new', {}, 'New.\n'), wrong)
    expect(refused.stderr).toContain('refused a write with status 401')
    expect(packs()).toEqual(before)
    for (const name of before) writeFileSync(join(folder, 'store/acme/cas', name), 'damaged')
    expect((await job(sampleSite(), reader)).stderr).toContain('a pack is damaged')
  }, 60_000)
})

describe.skipIf(provideCeph() !== null)('a bucket of Ceph', () => {
  it('shares a cache', async () => {
    const ceph = await startCeph()
    onTestFinished(() => ceph.stop())
    await ceph.createBucket('builds')
    const { AWS_ACCESS_KEY_ID: id = '', AWS_SECRET_ACCESS_KEY: key = '' } = ceph.environment
    await expectSharing(
      { ...ceph.environment, QUARRY_CACHE_REMOTE: 's3://builds/site' },
      { QUARRY_CACHE_REMOTE_WRITE_KEY_ID: id, QUARRY_CACHE_REMOTE_WRITE_SECRET: key },
    )
  }, 180_000)
})

describe('a server that is too slow', () => {
  it.each([
    ['accepts', ''],
    ['stops within a list', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"quarry"'],
  ])('that %s delays a build, and changes nothing', async (_, text) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('data', () => void socket.write(text))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { rendered, stderr } = await job(sampleSite(), { QUARRY_CACHE_REMOTE: url })
    expect([rendered, stderr]).toEqual([9, expect.stringMatching(/^warning: The remote cache /)])
    expect(stderr.match(/warning/g)).toHaveLength(1)
  })
})
