// Servers that follow an HTTP origin by a copy of its builds.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { serveBuilds } from '../../src/hosts/folder.ts'
import { httpStorage } from '../../src/hosts/origin.ts'
import { copiedStorage } from '../../src/hosts/site-copy.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { encodeRoot } from '../../src/snapshot/format.ts'
import { call } from '../support/command-call.ts'
import { serve as startServer } from '../support/command-line.ts'
import { openOrigin } from '../support/origin-server.ts'
import { askHandler } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** A site, its origin, and a server that follows that. */
async function followed() {
  const site = temporarySite()
    .posts(3)
    .write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
    .write('content/acme/guides/one.md', '---\ntitle: Guide\n---\n')
  await site.build()
  const origin = await openOrigin(join(site.out, 'function'))
  const errors: string[] = []
  const out = join(site.folder, 'copy')
  const open = async () => {
    const storage = httpStorage({ url: origin.url })
    const onError = (error: unknown) => errors.push(String(error))
    const folder = join(out, 'function')
    const last = createFileStorage(folder)
    const live = await serveBuilds(copiedStorage(storage, folder), 10, { onError, last })
    const respond = createResponder(live.current)
    const list = async () => (await askHandler(respond, '/v1/acme/posts?query=text')).text
    return { live, list }
  }
  return { site, origin, out, errors, open }
}

it('the build of an origin is copied, each file once, and the next one followed', async () => {
  const { site, origin, out, errors, open } = await followed()
  const { live, list } = await open()
  expect(await list()).toContain('post-3')
  const names = origin.sent.map(({ name }) => name).filter((name) => name !== 'root.json')
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  const old = readdirSync(join(out, 'function/data'))
  for (const count of [4, 5]) {
    const { manifest } = await site.posts(count).build()
    await expect.poll(() => live.current().build, { timeout: 20_000 }).toBe(manifest.build)
    expect(await list()).toContain(`post-${count}`)
  }
  // Data of the build before stays, for responses in progress.
  const gone = old.filter((name) => !existsSync(join(site.out, 'function/data', name)))
  expect(gone.length).toBeGreaterThan(3)
  const data = () => readdirSync(join(out, 'function/data'))
  await expect.poll(() => data().filter((name) => gone.includes(name))).toEqual([])
  expect(errors).toEqual([])
})

it.each(['down', 'truncated', 'wrong'] as const)(
  'an origin that is %s leaves the copy as it is, also at the start',
  async (fault) => {
    const { site, origin, out, errors, open } = await followed()
    const { live, list } = await open()
    const before = await list()
    origin.fault = fault
    const { manifest } = await site.posts(4).build()
    await expect.poll(live.failingSince, { timeout: 20_000 }).not.toBeNull()
    expect(await list()).toBe(before)
    expect(await (await open()).list()).toBe(before)
    expect(errors.length).toBeGreaterThan(0)
    origin.fault = 'none'
    await expect.poll(() => live.current().build, { timeout: 20_000 }).toBe(manifest.build)
    expect(live.failingSince()).toBeNull()
    const { index } = site.json('function/root.json').root.workspaces[0]
    expect(existsSync(join(out, 'function', index))).toBe(true)
  },
)

it('an origin cannot have files written outside the folder', async () => {
  const { origin, out, open } = await followed()
  const folder = origin.folder
  const { root } = JSON.parse(readFileSync(join(folder, 'root.json'), 'utf8'))
  const name = `../${root.openapi.slice('data/'.length)}`
  copyFileSync(join(folder, root.openapi), join(folder, name))
  writeFileSync(join(folder, 'root.json'), encodeRoot({ ...root, openapi: name }))
  await expect(open()).rejects.toThrow(/was cut short or changed/)
  expect(existsSync(join(out, 'function', name))).toBe(false)
})

it('without a readable origin and a copy, or with a build of its own, a server ends with the reason', async () => {
  const { site, origin } = await followed()
  const serve = (...words: string[]) =>
    call(site.folder, ['serve', '--port', '0', '--from', origin.url, ...words])
  const own = await serve()
  expect([own.exitCode, own.stderr]).toEqual([2, expect.stringContaining('another build')])
  origin.fault = 'wrong'
  const none = await serve('--out', 'copy')
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('no earlier copy')])
  Object.assign(origin, { fault: 'none', authorization: 'Bearer secret' })
  const environment = { QUARRY_SITE_AUTHORIZATION: 'Bearer secret' }
  const words = ['serve', '--from', origin.url, '--out', 'copy']
  const { url } = await startServer(site.folder, environment, words)
  expect((await fetch(`${url}/v1/acme/posts/post-3`)).status).toBe(200)
  rmSync(site.out, { recursive: true })
  const secret = await call(site.folder, words, { QUARRY_SITE_AUTHORIZATION: 'Bearer se\ncret' })
  expect([secret.exitCode, secret.stderr]).toEqual([
    2,
    'error: QUARRY_SITE_AUTHORIZATION must be ASCII on one line.\n',
  ])
  const named = await call(site.folder, [
    'unused',
    'https://me:secret@example.com/',
    '--names',
    'content/acme/workspace.yml',
  ])
  expect([named.exitCode, named.stderr]).toEqual([
    2,
    expect.stringMatching(/^error: The URL has a/),
  ])
  const word = await call(site.folder, ['serve', '--from', 'https://example.com/site'])
  expect([word.exitCode, word.stderr]).toEqual([2, expect.stringContaining('must end in /')])
})
