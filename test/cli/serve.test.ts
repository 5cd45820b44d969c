// `quarry serve` as a process: its settings, its log, images, and builds under load.
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { pixel } from '../blackbox/site.ts'
import { call } from '../support/command-call.ts'
import { type Server, serve } from '../support/command-line.ts'
import { respondAt } from '../support/process.ts'
import { containsKey } from '../support/spelled-key.ts'
import { temporarySite } from '../support/temporary-site.ts'

type Environment = Readonly<Record<string, string>>

/** Ends a server. @returns the entries of its log */
async function logOf(server: Server) {
  const { exitCode, stderr } = await server.close()
  expect(exitCode).toBe(0)
  const lines = stderr.trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

it('ends with 2 and the reason where it cannot serve', async () => {
  const site = temporarySite().post('first')
  const key = hashKey(encodeKey(new Uint8Array(32).fill(11)))
  const fields = ['id: mine', 'name: Mine', `sha256: ${key}`, 'created: 2024-01-01']
  site.write('content/acme/keys.yml', `- ${fields.join('\n  ')}\n`)
  await site.build()
  const port = Number(new URL(await respondAt(() => {})).port)
  const refused = async (reason: RegExp, environment: Environment = {}, port = 0) => {
    const words = ['serve', '--port', String(port)]
    const { exitCode, stdout, stderr } = await call(site.folder, words, environment)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(reason)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(stderr).not.toContain(key)
  }
  await refused(new RegExp(`${port}.*Choose another with --port`), {}, port)
  await refused(/QUARRY_RATE_LIMIT/, { QUARRY_RATE_LIMIT: 'many' })
  await refused(/QUARRY_KEYS/, { QUARRY_KEYS: 'nonsense' })
  await refused(/QUARRY_TRUSTED_PROXIES/, { QUARRY_TRUSTED_PROXIES: '-1' })
  await refused(/QUARRY_MCP is "yes". It must be "on" or "off"/, { QUARRY_MCP: 'yes' })
  const shared = { QUARRY_KEYS: `other:${key}` }
  await refused(/same hash: "mine" of the workspace "acme".*"other"/, shared)
  const root = join(site.out, 'function/root.json')
  const bytes = readFileSync(root)
  writeFileSync(root, bytes.subarray(0, bytes.length - 1))
  await refused(/cannot be served.*Build again/)
  writeFileSync(root, bytes)
  rmSync(join(site.out, 'function/data'), { recursive: true })
  await refused(/function\/data/)
})

it('logs every request as a line of JSON without keys', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const key = encodeKey(new Uint8Array(32).fill(9))
  const unknown = encodeKey(new Uint8Array(32).fill(10))
  const environment = { QUARRY_KEYS: `acme:${hashKey(key)}`, QUARRY_RATE_LIMIT: 'off' }
  const server = await serve(site.folder, environment)
  const ids: (string | null)[] = []
  const statuses: number[] = []
  for (const [path, authorization] of [
    ['/v2/posts', `Bearer ${key}`],
    ['/v2/posts', `Bearer ${unknown}`],
    [`/v1/acme/posts?query=${key}`, ''],
    [`/v1/${key}/posts`, ''],
    ['/v1/acme/posts/nobody', ''],
    [`/v1/acme/posts?t=%71${key.slice(1)}`, ''],
    [`/v1/acme/posts?t=qk%255F${key.slice(3)}`, ''],
    [`/v1/acme/posts?${'x'.repeat(2040)}${key}`, ''],
  ] as const) {
    const response = await fetch(`${server.url}${path}`, { headers: { authorization } })
    ids.push(response.headers.get('x-request-id'))
    statuses.push(response.status)
    expect(response.headers.get('server-timing')).toBeNull()
  }
  expect(statuses).toEqual([200, 401, 200, 404, 404, 200, 200, 200])
  const log = await logOf(server)
  const entries = log.filter(({ event }) => event === 'request')
  expect(entries.map(({ status }) => status)).toEqual(statuses)
  expect(entries.map(({ requestId }) => requestId)).toEqual(ids)
  expect(entries[0]).toMatchObject({ method: 'GET', target: '/v2/posts', client: '127.0.0.1' })
  for (const one of [key, unknown]) expect(containsKey(JSON.stringify(log), one)).toBe(false)
})

it('loads a new build whole: no request fails, no response is of two builds', async () => {
  const site = temporarySite()
  const write = (round: number) => {
    for (let number = 1; number <= 200; number++)
      site.post(`p-${number}`, { title: `Round ${round}` }, `Text of round ${round}.\n`)
  }
  write(0)
  await site.build()
  const server = await serve(site.folder, { QUARRY_RATE_LIMIT: 'off' })
  const seen = new Set<string>()
  const wrong: string[] = []
  let isOver = false
  const askOn = async (path: string) => {
    while (!isOver) {
      const response = await fetch(`${server.url}${path}`)
      const rounds = new Set((await response.text()).match(/(?<=[Rr]ound )\d+/g))
      if (response.status !== 200 || rounds.size !== 1)
        wrong.push(`${path}: ${response.status} ${[...rounds].join(', ')}`)
      for (const round of rounds) seen.add(round)
    }
  }
  const paths = ['posts?limit=all', 'posts/p-7', 'posts?query=text+of']
  const asking = paths.map((path) => askOn(`/v1/acme/${path}`))
  for (const round of [1, 2]) {
    write(round)
    await site.build()
    await expect.poll(() => seen.has(String(round)), { timeout: 60_000 }).toBe(true)
  }
  isOver = true
  await Promise.all(asking)
  const events = (await logOf(server)).map(({ event }) => event)
  expect([wrong, [...seen].toSorted()]).toEqual([[], ['0', '1', '2']])
  expect(events).not.toContain('build-refused')
  expect(events.filter((event) => event === 'build')).toHaveLength(2)
})

it('streams a long image as it is, and follows no link', async () => {
  // Larger than a part of a stream, and well compressible.
  const bytes = Buffer.concat([pixel, Buffer.from('image '.repeat(100_000))])
  const site = temporarySite()
    .write('content/日本/posts/a.png', bytes)
    .write('content/日本/workspace.yml', 'references: create\n')
    .post('first', {}, '![](a.png)\n', '日本')
  await site.build()
  const { url } = await serve(site.folder)
  const post = await (await fetch(`${url}/v1/日本/posts/first`)).text()
  const image = url + (/src=\\"([^"\\]+)/.exec(post)?.[1] ?? '')
  const response = await fetch(image, { headers: { 'accept-encoding': 'br' } })
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect(response.headers.has('content-encoding')).toBe(false)
  const linked = image.replace(/[0-9a-f]{32}/, 'a'.repeat(32))
  const link = join(site.out, `public${decodeURI(new URL(linked).pathname)}`)
  writeFileSync(join(site.folder, 'secret'), 'secret')
  symlinkSync(join(site.folder, 'secret'), link)
  expect((await fetch(linked)).status).toBe(404)
})
