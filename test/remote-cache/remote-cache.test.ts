// A remote cache that is slow, damaged or hostile: builds end with the same bytes, and say so once.
import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeList } from '../../src/remote-cache/pack-list.ts'
import { openRemoteCache } from '../../src/remote-cache/remote-cache.ts'
import { readRemote } from '../../src/remote-cache/remote-location.ts'
import { packsIn, rewriteParts } from '../support/crafted-pack.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const writer = 'a-token-that-writes'

/** Content-addressed storage over HTTP that keeps what the writer puts. */
class Storage {
  readonly objects = new Map<string, Buffer>()
  readonly refused: string[] = []
  url = ''

  async start(): Promise<this> {
    this.url = await listen(async (request, response) => {
      const path = request.url ?? ''
      if (request.method === 'GET') {
        const found = this.objects.get(path)
        response.writeHead(found === undefined ? 404 : 200).end(found)
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      if (request.headers.authorization !== `Bearer ${writer}`) {
        this.refused.push(path)
        response.writeHead(403).end()
        return
      }
      if (request.method === 'PUT') this.objects.set(path, Buffer.concat(chunks))
      else this.objects.delete(path)
      response.writeHead(204).end()
    })
    return this
  }

  get packs(): readonly string[] {
    return [...this.objects.keys()].filter((path) => path.includes('/cas/'))
  }

  /** The paths of lists that are not empty. */
  get lists(): readonly string[] {
    return [...this.objects].flatMap(([path, bytes]) =>
      path.includes('/ac/') && decodeList(bytes)?.length !== 0 ? [path] : [],
    )
  }

  put(bytes: Buffer): string {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    this.objects.set(`/acme/cas/${sha256}`, bytes)
    return sha256
  }
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme`
}

interface Use {
  readonly token?: string
  readonly secret?: KeyObject
  readonly part?: number
}

/** A build with a fresh folder as cache, as in a job of CI. */
async function buildWith(site: TemporarySite, url: string, { token, secret, part = 0 }: Use = {}) {
  const warnings: string[] = []
  const onWarning = (sentence: string) => void warnings.push(sentence)
  const folder = join(site.folder, 'cache')
  rmSync(folder, { recursive: true, force: true })
  const environment = {
    QUARRY_CACHE_REMOTE: url,
    ...(token === undefined ? {} : { QUARRY_CACHE_REMOTE_WRITE_TOKEN: token }),
  }
  const remote = openRemoteCache(folder, { secret, onWarning, part }, environment)
  await remote.pull()
  const { rendered } = await site.build({ caching: { secret, onWarning }, isForced: false })
  await remote.push()
  const manifest = readFileSync(join(site.out, 'manifest.json'), 'utf8')
  return { rendered, warnings, manifest, ...remote.transfers }
}

/** Equal bodies would be rendered once. */
function siteWith(posts: number, first = 1): TemporarySite {
  const site = temporarySite({ cache: 'cache' })
  for (let number = first; number < first + posts; number++) {
    site.post(`post-${number}`, {}, `Text ${number}.\n`)
  }
  return site
}

describe('a remote cache', () => {
  it('gives every record to readers, and changes for writers alone', async () => {
    const storage = await new Storage().start()
    const site = siteWith(3)
    expect(await buildWith(site, storage.url)).toMatchObject({ rendered: 3, read: 0, written: 0 })
    expect([storage.objects.size, storage.refused]).toEqual([0, []])
    const first = await buildWith(site, storage.url, { token: writer })
    expect(first).toMatchObject({ rendered: 3, written: 1, warnings: [] })
    const second = await buildWith(site, storage.url)
    expect(second).toMatchObject({ rendered: 0, read: 1, written: 0, warnings: [] })
    expect(second.manifest).toBe(first.manifest)
    const refused = await buildWith(site.post('new'), storage.url, { token: 'of-somebody-else' })
    expect(refused).toMatchObject({ rendered: 1, written: 0 })
    expect(refused.warnings).toEqual([expect.stringContaining('refused a write with status 403')])
    expect([storage.packs.length, storage.refused.length]).toEqual([1, 1])
  })

  it('removes packs that are replaced, so that it is about as large as one folder', async () => {
    const storage = await new Storage().start()
    const site = siteWith(3)
    for (let edit = 0; edit < 5; edit++) {
      site.post('post-1', {}, `Edit ${edit}.\n`)
      const { rendered, warnings } = await buildWith(site, storage.url, { token: writer })
      expect([rendered, warnings]).toEqual([edit === 0 ? 3 : 1, []])
      expect(storage.packs.length).toBe(packsIn(join(site.folder, 'cache')).length)
    }
  })

  it('does not fetch again what a build has put together with its own', async () => {
    const storage = await new Storage().start()
    const site = siteWith(3)
    await buildWith(site, storage.url, { token: writer })
    const folder = join(site.folder, 'cache')
    rmSync(folder, { recursive: true })
    const build = async () => {
      const remote = openRemoteCache(folder, { part: 0 }, { QUARRY_CACHE_REMOTE: storage.url })
      await remote.pull()
      await site.build()
      return remote.transfers.read
    }
    expect(await build()).toBe(1)
    site.post('post-1', {}, 'Changed.\n')
    expect([await build(), await build()]).toEqual([0, 0])
    for (const pack of packsIn(folder)) rmSync(pack)
    expect(await build()).toBe(1)
  })

  it('joins the lists of parts that end in any order', async () => {
    const storage = await new Storage().start()
    const [one, two] = [siteWith(2), siteWith(1, 3)]
    await buildWith(two, storage.url, { token: writer, part: 3 })
    await buildWith(one, storage.url, { token: writer, part: 1 })
    expect(storage.lists.length).toBe(2)
    const merged = await buildWith(one.post('post-3', {}, 'Text 3.\n'), storage.url, {
      token: writer,
    })
    expect(merged).toMatchObject({ rendered: 0, warnings: [] })
    expect(storage.lists.length).toBe(1)
    expect(await buildWith(one, storage.url)).toMatchObject({ rendered: 0, warnings: [] })
  })
})

describe('signing', () => {
  const secret = createSecretKey('correct-horse-battery-staple', 'utf8')

  it('keeps a poisoned pack from changing a byte', async () => {
    const storage = await new Storage().start()
    const site = siteWith(3)
    const clean = await buildWith(site, storage.url, { token: writer, secret })
    // The attacker reads everything, and somehow uploads: a pack for the same inputs, with other HTML.
    const [path = ''] = packsIn(join(site.folder, 'cache'))
    const genuine = readFileSync(path)
    const poison = join(emptyFolder(), '00000001-aa.pack')
    const other = createSecretKey('the-secret-of-the-attacker', 'utf8')
    for (const key of [undefined, other]) {
      writeFileSync(poison, genuine)
      rewriteParts(
        poison,
        (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('Text', 'Evil'), 'latin1'),
        key,
      )
      const bytes = readFileSync(poison)
      const packs = [{ sha256: storage.put(bytes), bytes: bytes.length }]
      for (const list of storage.lists) storage.objects.set(list, listOf(packs))
      const unsigned = await buildWith(site, storage.url)
      // Without the secret it is believed, or this would prove nothing.
      expect(unsigned.rendered).toBe(0)
      site.remove('dist')
      const built = await buildWith(site, storage.url, { secret })
      expect(built).toMatchObject({ rendered: 3, read: 0, manifest: clean.manifest })
      expect(built.warnings).toEqual([expect.stringContaining('not signed with')])
    }
    // The next writer puts it right.
    await buildWith(site, storage.url, { token: writer, secret })
    expect(await buildWith(site, storage.url, { secret })).toMatchObject({
      rendered: 0,
      warnings: [],
    })
  })
})

const listOf = (packs: unknown) => Buffer.from(JSON.stringify({ quarry: 1, packs }))
const hash = 'a'.repeat(64)

describe('a build with the same bytes and one warning', () => {
  it.each<[string, RequestListener]>([
    ['that refuses', (_, response) => void response.writeHead(403).end()],
    ['that fails', (_, response) => void response.writeHead(500).end('x'.repeat(100_000))],
    [
      'that leads elsewhere',
      (_, response) => void response.writeHead(302, { location: '/' }).end(),
    ],
    ['that breaks off', (_, response) => void response.destroy()],
    ['with an endless list', (_, response) => void response.end('x'.repeat(1_000_000))],
    ['with a list that is no JSON', (_, response) => void response.end('<html>')],
    ['with a list of paths', lists([{ sha256: '../../etc/passwd', bytes: 3 }])],
    ['with a pack of a negative size', lists([{ sha256: hash, bytes: -1 }])],
    ['with a pack of a terabyte', lists([{ sha256: hash, bytes: 2 ** 40 }])],
    ['with a thousand packs', lists(Array(100).fill({ sha256: hash, bytes: 1 }))],
    ['with a truncated pack', packs('x'.repeat(2999), 3000)],
    ['with a pack that is longer', packs('x'.repeat(3001), 3000)],
    ['with a pack of another hash', packs('x'.repeat(3000), 3000)],
    [
      'with what is no pack',
      packs('x'.repeat(3000), 3000, createHash('sha256').update('x'.repeat(3000)).digest('hex')),
    ],
  ])('comes with a remote cache %s', async (_, listener) => {
    const site = siteWith(2)
    const { manifest } = await buildWith(
      site,
      await listen((__, response) => void response.writeHead(404).end()),
    )
    site.remove('dist')
    const built = await buildWith(site, await listen(listener))
    expect(built).toMatchObject({ rendered: 2, manifest, read: 0, warnings: [expect.any(String)] })
  })

  it('requests one group of lists from a server that responds with a page to everything', async () => {
    let requests = 0
    const url = await listen((_, response) => {
      requests++
      response.end('<!doctype html>')
    })
    const { rendered, warnings } = await buildWith(siteWith(1), url)
    expect([rendered, warnings, requests]).toEqual([
      1,
      [expect.stringContaining('a list of packs is damaged')],
      8,
    ])
  })

  it('requests a pack twice where it breaks off or the server fails, and no more', async () => {
    const storage = await new Storage().start()
    const site = siteWith(2)
    await buildWith(site, storage.url, { token: writer })
    let failures = 1
    let requests = 0
    const fail = (response: ServerResponse) => {
      if (requests % 2 === 0) return response.writeHead(503).end()
      response.writeHead(200, { 'content-length': '9999' })
      return response.write('x', () => response.destroy())
    }
    const url = await listen(({ url = '' }, response) => {
      const isPack = url.includes('/cas/')
      if (isPack) requests++
      if (isPack && failures-- > 0) return void fail(response)
      const found = storage.objects.get(url)
      response.writeHead(found === undefined ? 404 : 200).end(found)
    })
    expect(await buildWith(site, url)).toMatchObject({ rendered: 0, read: 1, warnings: [] })
    expect(requests).toBe(2)
    failures = 9
    requests = 0
    expect(await buildWith(site, url)).toMatchObject({
      rendered: 2,
      warnings: [expect.any(String)],
    })
    expect(requests).toBe(2)
  })

  it('waits for no pack that drips, whatever size its list says', async () => {
    const list = lists([{ sha256: hash, bytes: 2 * 1024 ** 3 }])
    let requests = 0
    const url = await listen((request, response) => {
      if (!request.url?.includes('/cas/')) return list(request, response)
      requests++
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    })
    const { rendered, warnings } = await buildWith(siteWith(1), url)
    expect([rendered, requests]).toEqual([1, 1])
    expect(warnings).toEqual([expect.stringContaining('it is too slow')])
  })

  it('comes where there is no server', async () => {
    const built = await buildWith(siteWith(2), 'http://127.0.0.1:1/acme')
    expect(built).toMatchObject({ rendered: 2, read: 0 })
    expect(built.warnings).toEqual([expect.stringContaining('ECONNREFUSED')])
  })
})

/** One list for the first part. */
function lists(packs: unknown): RequestListener {
  const list = listOf(packs)
  let isFirst = true
  return (_, response) => {
    response.writeHead(isFirst ? 200 : 404).end(isFirst ? list : '')
    isFirst = false
  }
}

function packs(body: string, bytes: number, sha256 = hash): RequestListener {
  const list = lists([{ sha256, bytes }])
  return (request, response) =>
    request.url?.includes('/cas/') ? void response.end(body) : list(request, response)
}

describe('the address of a remote cache', () => {
  it.each(['ftp://host/a', 'host', 'https://user:password@host/a', 'https://host/?a=1', 's3://'])(
    'is not %s',
    (text) => {
      expect(() => readRemote({ QUARRY_CACHE_REMOTE: text })).toThrow(/Expected s3:\/\/bucket/)
    },
  )

  it('takes the credentials of a writer from variables of its own', () => {
    const reading = { AWS_ACCESS_KEY_ID: 'r', AWS_SECRET_ACCESS_KEY: 's' }
    const writing = {
      QUARRY_CACHE_REMOTE_WRITE_KEY_ID: 'w',
      QUARRY_CACHE_REMOTE_WRITE_SECRET: 't',
    }
    const at = (environment: Record<string, string>) =>
      readRemote({ QUARRY_CACHE_REMOTE: 's3://bucket/a', ...environment })
    const [reader, both] = [
      { accessKeyId: 'r', secretAccessKey: 's' },
      { accessKeyId: 'w', secretAccessKey: 't' },
    ]
    expect(at(reading)).toMatchObject({ reader, writer: null })
    expect(at({ ...reading, ...writing })).toMatchObject({ reader, writer: both })
    expect(at({})).toMatchObject({ reader: null, writer: null })
  })
})
