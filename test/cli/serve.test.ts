import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { type Running, run, start } from '../support/command-line.ts'
import { containsKey } from '../support/spelled-key.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

interface Served {
  readonly url: string
  readonly running: Running
}

async function serve(
  site: TemporarySite,
  environment: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const unlimited = { QUARRY_RATE_LIMIT: 'off', ...environment }
  const running = start(site.folder, ['serve', '--port', '0'], unlimited)
  onTestFinished(() => running.stop('SIGKILL'))
  const [, url = ''] = await running.waitFor(/^Serving build \w+ at (\S+)$/m)
  return { url, running }
}

describe('quarry serve', () => {
  it('ends with 2 and says what to do where there is no build', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-serve-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { exitCode, stdout, stderr } = await run(folder, ['serve', '--port', '0'])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/no build in .*dist.*quarry build/)
  })

  it('ends with 2 where the index is damaged', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const index = join(site.out, 'function/root.json')
    const bytes = readFileSync(index)
    writeFileSync(index, bytes.subarray(0, bytes.length - 1))
    const { exitCode, stdout, stderr } = await run(site.folder, ['serve', '--port', '0'])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/cannot be served.*Build again/)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it('ends with 2 where the port is in use, and names it', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const { exitCode, stderr } = await run(site.folder, ['serve', '--port', String(port)])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(String(port))
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it.each([
    [{ QUARRY_RATE_LIMIT: 'many' }, 'QUARRY_RATE_LIMIT'],
    [{ QUARRY_KEYS: 'nonsense' }, 'QUARRY_KEYS'],
    [{ QUARRY_TRUSTED_PROXIES: '-1' }, 'QUARRY_TRUSTED_PROXIES'],
  ])('ends with 2 where the environment says %j', async (environment, name) => {
    const site = temporarySite().post('first')
    await site.build()
    const { exitCode, stderr } = await run(site.folder, ['serve', '--port', '0'], environment)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(name)
  })

  it('ends with 2 where a key of the environment is that of another workspace', async () => {
    const site = temporarySite().post('first')
    const key = hashKey(encodeKey(new Uint8Array(32).fill(11)))
    const fields = ['id: mine', 'name: Mine', `sha256: ${key}`, 'created: 2024-01-01']
    site.write('content/acme/keys.yml', `- ${fields.join('\n  ')}\n`)
    await site.build()
    const environment = { QUARRY_KEYS: `other:${key}` }
    const { exitCode, stderr } = await run(site.folder, ['serve', '--port', '0'], environment)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/same hash: "mine" of the workspace "acme".*"other"/)
    expect(stderr).not.toContain(key)
  })

  it('ends with 2 and names the file where a part of the build is missing', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const data = join(site.out, 'function/data')
    const part = readdirSync(data).find((name) => name.startsWith('part-')) ?? ''
    rmSync(join(data, part))
    const { exitCode, stderr } = await run(site.folder, ['serve', '--port', '0'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(part)
    expect(stderr).not.toContain('no build')
  })

  it('logs every request as a line of JSON, and no key in any of them', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const key = encodeKey(new Uint8Array(32).fill(9))
    const unknown = encodeKey(new Uint8Array(32).fill(10))
    const { url, running } = await serve(site, { QUARRY_KEYS: `acme:${hashKey(key)}` })
    const ids: (string | null)[] = []
    for (const [path, authorization] of [
      ['/v2/posts', `Bearer ${key}`],
      ['/v2/posts', `Bearer ${unknown}`],
      [`/v1/acme/posts?query=${key}`, ''],
      [`/v1/${key}/posts`, ''],
      ['/v1/acme/posts/nobody', ''],
      [`/v1/acme/posts?t=%71${key.slice(1)}`, ''],
      [`/v1/acme/posts?t=q%6B${key.slice(2)}`, ''],
      [`/v1/acme/posts?t=qk%255F${key.slice(3)}`, ''],
      [`/v1/acme/posts?${'x'.repeat(2040)}${key}`, ''],
    ] as const) {
      const response = await fetch(`${url}${path}`, { headers: { authorization } })
      ids.push(response.headers.get('x-request-id'))
      expect(response.headers.get('server-timing')).toBeNull()
    }
    running.stop('SIGTERM')
    const { exitCode, stderr } = await running.ended
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exitCode).toBe(0)
    expect(entries.map(({ event, status }) => [event, status])).toEqual(
      [200, 401, 200, 404, 404, 200, 200, 200, 200].map((status) => ['request', status]),
    )
    expect(entries.map(({ requestId }) => requestId)).toEqual(ids)
    expect(entries[0]).toMatchObject({ method: 'GET', target: '/v2/posts', client: '127.0.0.1' })
    expect(containsKey(stderr, key)).toBe(false)
    expect(containsKey(stderr, unknown)).toBe(false)
  })

  it('counts requests, and says so, as long as nothing else is set', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const { url } = await serve(site, { QUARRY_RATE_LIMIT: '2/3600' })
    const ask = async () => {
      const { status, headers } = await fetch(`${url}/v1/acme/posts`)
      return [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]
    }
    expect([await ask(), await ask(), await ask()]).toEqual([
      [200, '2', '1'],
      [200, '2', '0'],
      [429, '2', '0'],
    ])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with 0 by %s while a connection stays open',
    async (signal) => {
      const site = temporarySite().post('first')
      await site.build()
      const { url, running } = await serve(site)
      // `fetch` keeps its connection.
      await (await fetch(`${url}/status`)).text()
      const silent = await opened(url)
      onTestFinished(() => void silent.destroy())
      running.stop(signal)
      expect((await running.ended).exitCode).toBe(0)
    },
  )
})

describe('a reader of everything', () => {
  it('does not stop others: a page is sent before the responses that were requested first', async () => {
    const site = temporarySite({ precompute: { versions: [] }, workers: 2 })
    const text = `${'0123456789 abcdef '.repeat(5)}\n`.repeat(900)
    for (let number = 1; number <= 120; number++) site.post(`p-${number}`, {}, text)
    await site.build()
    const { url, running } = await serve(site)
    const sockets = await Promise.all(Array.from({ length: 12 }, () => opened(url)))
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    const begun = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
    for (const socket of sockets) {
      socket.write('GET /v1/acme/posts?limit=all HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    }
    await Promise.race(begun)
    const page = await opened(url)
    closed.push(new Promise((resolve) => page.once('close', resolve)))
    page.resume()
    page.write('GET /v1/acme/posts/p-1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await Promise.all(closed)
    running.stop('SIGTERM')
    const { exitCode, stderr } = await running.ended
    const targets = stderr.match(/"target":"[^"]*"/g)
    expect(exitCode).toBe(0)
    expect(targets).toHaveLength(13)
    expect(targets?.[0]).toContain('/posts/p-1')
  })

  it('that is slow gets every byte in pieces, also when the server is told to end meanwhile', async () => {
    const site = bigSite()
    await site.build()
    const { url, running } = await serve(site)
    const socket = await opened(url)
    socket.write('GET /v1/acme/posts?limit=all HTTP/1.1\r\nHost: x\r\n\r\n')
    const parts: Buffer[] = [await new Promise<Buffer>((resolve) => socket.once('data', resolve))]
    socket.pause()
    running.stop('SIGTERM')
    await until(async () => (await fetch(`${url}/status`).catch(() => null)) === null)
    socket.on('data', (part) => parts.push(part))
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    const whole = Buffer.concat(parts)
    const end = whole.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/.exec(whole.subarray(0, end).toString())?.[1])
    const body = whole.subarray(end + 4)
    expect(length).toBeGreaterThan(11_000_000)
    expect(body.length).toBe(length)
    expect(JSON.parse(body.toString()).posts).toHaveLength(14)
    expect((await running.ended).exitCode).toBe(0)
  })
})

describe('a build while requests run', () => {
  it('is picked up whole: no request fails, no answer is of two builds', async () => {
    const site = temporarySite()
    const write = (round: number) => {
      for (let number = 1; number <= 200; number++) {
        site.post(`p-${number}`, { title: `Round ${round}` }, `Text of round ${round}.\n`)
      }
    }
    write(0)
    await site.build()
    const { url, running } = await serve(site)
    const seen = new Set<string>()
    const wrong: string[] = []
    let isOver = false
    const askOn = async (path: string) => {
      while (!isOver) {
        const response = await fetch(`${url}${path}`)
        const text = await response.text()
        const rounds = new Set(text.match(/[Rr]ound \d+/g)?.map((round) => round.toLowerCase()))
        if (response.status !== 200 || rounds.size !== 1) {
          wrong.push(`${path}: ${response.status} ${[...rounds].join(', ')}`)
        }
        for (const round of rounds) seen.add(round)
      }
    }
    const asking = [
      '/v1/acme/posts?limit=all',
      '/v1/acme/posts/p-7',
      '/v1/acme/posts?query=text+of',
    ].map(askOn)
    for (const round of [1, 2]) {
      write(round)
      const { manifest } = await site.build()
      await until(async () => (await statusOf(url)).build === manifest.build)
    }
    await until(() => seen.has('round 2'))
    isOver = true
    await Promise.all(asking)
    running.stop('SIGTERM')
    const { stderr } = await running.ended
    expect(wrong).toEqual([])
    expect([...seen].toSorted()).toEqual(['round 0', 'round 1', 'round 2'])
    expect(stderr).not.toContain('build-refused')
    expect(stderr.match(/"event":"build"/g)).toHaveLength(2)
  })
})

/** A site of 11 MB, more than the machine's buffers hold: the rest waits for the reader. */
function bigSite(): TemporarySite {
  const site = temporarySite({ precompute: { versions: [] }, workers: 2 })
  const code = `${'0123456789abcdef'.repeat(5)}\n`.repeat(10_000)
  for (let number = 1; number <= 14; number++) site.post(`p-${number}`, {}, `~~~\n${code}~~~\n`)
  return site
}

async function statusOf(url: string): Promise<{ readonly build: string }> {
  const reply: unknown = await (await fetch(`${url}/status`)).json()
  return reply as { readonly build: string }
}

function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Looks again and again until something holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it never came to hold')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
