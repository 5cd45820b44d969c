import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { start } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('quarry dev', () => {
  it('builds, serves and ends when it is told to', async () => {
    const site = temporarySite().posts(12)
    const dev = start(site.folder, ['dev', '--port', '0'])
    const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
    const first = await fetch(`${url}/v1/acme/posts?limit=1&order=asc`)
    expect(await first.json()).toMatchObject({
      posts: [{ slug: 'post-1' }],
      pagination: { totalPages: 12 },
    })
    const canonical = await fetch(`${url}/v1/acme/posts?page=2`)
    await site.build({ now: Date.now() })
    expect(await canonical.text()).toBe(site.text('public/v1/acme/posts/_page/2.json'))
    dev.stop('SIGTERM')
    const { exitCode, stderr } = await dev.ended
    expect(exitCode).toBe(0)
    expect(stderr).toContain('Built node_modules/.cache/quarry/dev')
    // It is served already.
    expect(stderr).not.toContain('Next:')
  })

  it('builds again when the content changes, and keeps the last good answers while it is broken', async () => {
    const site = temporarySite().post('first')
    const dev = start(site.folder, ['dev', '--port', '0'])
    const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
    const titles = async () => {
      const body = await (await fetch(`${url}/v1/acme/posts`)).text()
      const { posts }: { posts: readonly { readonly title: string }[] } = JSON.parse(body)
      return posts.map((post) => post.title).sort()
    }
    site.post('second')
    await expect.poll(titles, { timeout: 20_000 }).toEqual(['first', 'second'])
    site.post('third', { category: 'nwes' })
    await dev.waitForError(/unknown-category[\s\S]*Still serving the last good build/)
    expect(await titles()).toEqual(['first', 'second'])
    site.post('third')
    await expect.poll(titles, { timeout: 20_000 }).toEqual(['first', 'second', 'third'])
    dev.stop('SIGTERM')
    expect(await dev.ended).toMatchObject({ exitCode: 0 })
  })

  it('has drafts for keys with their scope, with --drafts', async () => {
    const site = temporarySite().post('open').post('closed', { status: 'draft' })
    const key = encodeKey(new Uint8Array(32).fill(7))
    const dev = start(site.folder, ['dev', '--port', '0', '--drafts'], {
      QUARRY_KEYS: `acme:${hashKey(key)}?scopes=posts:read+drafts:read`,
    })
    const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
    const headers = { authorization: `Bearer ${key}` }
    const slugs = async (path: string) => {
      const text = await (await fetch(`${url}${path}`, { headers })).text()
      const { posts }: { posts: readonly { readonly slug: string }[] } = JSON.parse(text)
      return posts.map(({ slug }) => slug).sort()
    }
    expect(await slugs('/v2/posts?status=draft')).toEqual(['closed'])
    site.post('second', { status: 'draft' })
    await expect
      .poll(() => slugs('/v2/posts?status=draft'), { timeout: 20_000 })
      .toEqual(['closed', 'second'])
    expect(await slugs('/v2/posts')).toEqual(['open'])
    expect(await slugs('/v1/acme/posts?status=draft')).toEqual(['open'])
    dev.stop('SIGTERM')
    expect(await dev.ended).toMatchObject({ exitCode: 0 })
  })

  it('shows its content to pages of this machine only', async () => {
    const site = temporarySite().post('first', {}, '![a](a.png)\n')
    site.write('content/acme/posts/a.png', Buffer.from('89504e470d0a1a0a', 'hex'))
    const dev = start(site.folder, ['dev', '--port', '0'])
    const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
    const list = await (await fetch(`${url}/v1/acme/posts`)).text()
    const [image = ''] = /\/media\/acme\/[0-9a-f]+\.png/.exec(list) ?? []
    const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
      const [response] = await once(get(`${url}${path}`, { headers, agent: false }), 'response')
      response.resume()
      return [response.statusCode, response.headers['access-control-allow-origin']]
    }
    for (const path of ['/v1/acme/posts', '/v1/acme/posts/nobody', image, '/', '/status']) {
      const status = path.endsWith('nobody') ? 404 : 200
      const local = 'http://localhost:3000'
      expect(await ask(path, { origin: local })).toEqual([status, local])
      expect(await ask(path, { origin: 'https://evil.example' })).toEqual([status, undefined])
      expect(await ask(path, { host: 'rebound.example' })).toEqual([403, undefined])
    }
    dev.stop('SIGTERM')
    expect(await dev.ended).toMatchObject({ exitCode: 0 })
  })

  it('does not end with good news while the content is broken', async () => {
    const site = temporarySite().post('first')
    const dev = start(site.folder, ['dev', '--port', '0'])
    const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
    site.post('second')
    const status = async () => (await fetch(`${url}/v1/acme/posts/second`)).status
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
    site.post('third', { category: 'nwes' })
    await dev.waitForError(/unknown-category[\s\S]*Still serving the last good build/)
    expect(existsSync(site.out)).toBe(false)
    dev.stop('SIGTERM')
    expect((await dev.ended).stderr).toMatch(/until this is fixed\.\n$/)
  })

  it('waits for the mending of content that is broken from the start', async () => {
    const site = temporarySite().post('first', { category: 'nwes' })
    const dev = start(site.folder, ['dev', '--port', '0'])
    const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
    await dev.waitForError(/unknown-category[\s\S]*Nothing is served until this is fixed/)
    const status = async () => (await fetch(`${url}/v1/acme/posts/first`)).status
    expect(await status()).toBe(404)
    expect(existsSync(site.out)).toBe(false)
    site.post('first')
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
    await dev.waitForError(/Rebuilt/)
    dev.stop('SIGTERM')
    expect(await dev.ended).toMatchObject({ exitCode: 0 })
  })

  it('follows the configuration', async () => {
    const site = temporarySite().posts(2)
    const config = (limitAll: boolean) =>
      site.write('quarry.config.json', JSON.stringify({ limitAll }))
    config(true)
    const dev = start(site.folder, ['dev', '--port', '0'])
    const [, url = ''] = await dev.waitFor(/Serving (http:[^\s,]+)/)
    const status = async () => (await fetch(`${url}/v1/acme/posts?limit=all`)).status
    expect(await status()).toBe(200)
    config(false)
    await expect.poll(status, { timeout: 20_000 }).toBe(400)
    dev.stop('SIGTERM')
    expect(await dev.ended).toMatchObject({ exitCode: 0 })
  })

  it('ends when its folder is gone', async () => {
    const site = temporarySite().post('first')
    const dev = start(site.folder, ['dev', '--port', '0'])
    await dev.waitFor(/Serving/)
    rmSync(site.folder, { recursive: true, force: true })
    await dev.waitForError(/no-workspace|content-folder|no content folder/i)
    dev.stop('SIGTERM')
    expect((await dev.ended).exitCode).toBe(0)
  })

  it('takes the next free port, and says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const dev = start(temporarySite().post('first').folder, ['dev', '--port', String(port)])
    const [, url = '', next = ''] = await dev.waitFor(/Serving (http:[^\s,]+:(\d+))/)
    expect(Number(next)).toBeGreaterThan(port)
    expect((await fetch(`${url}/v1/acme/posts`)).status).toBe(200)
    dev.stop('SIGINT')
    expect((await dev.ended).stderr).toContain(`Port ${port} is in use; using ${next} instead.`)
  })

  it('names the explorer and a list of each workspace', async () => {
    const dev = start(temporarySite().post('first').folder, ['dev', '--port', '0'])
    const [banner, url] = await dev.waitFor(/Serving (http:[^\s,]+), .*\n.*\n.*\n/)
    dev.stop('SIGINT')
    await dev.ended
    expect(banner).toBe(
      `Serving ${url}, and rebuilding when the content changes. Ctrl+C stops it.\n` +
        `  Explorer  ${url}/\n  API       ${url}/v1/acme/posts\n`,
    )
  })
})
