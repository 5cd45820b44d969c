// Files of a function, damaged at random: a response is the undamaged one or a 500, whatever the host's storage.
// QUARRY_DAMAGE=10000 tries as many damages on each storage.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { listFiles } from '../../src/build/output.ts'
import { createFunctionHandler } from '../../src/hosts/function.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
import { anyDamage, damageOne } from '../support/damage.ts'
import fc from '../support/fast-check.ts'
import { TemporarySite, temporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
const folder = join(site.out, 'function')
const files = new Map<string, Uint8Array>()
let targets: readonly string[] = []

beforeAll(async () => {
  writeCorpus(site.content, { posts: 80, meanBytes: 1000 })
  await site.build()
  for (const name of [...listFiles(folder)].sort()) {
    files.set(name, new Uint8Array(readFileSync(join(folder, name))))
  }
  const { categories } = JSON.parse(await bodyOf('/v1/bench/categories'))
  const { posts } = JSON.parse(await bodyOf('/v1/bench/posts'))
  const { title, slug } = posts[3]
  const [first, second] = title.split(' ')
  const searched = [
    first,
    `${first} ${second}`,
    first.slice(1),
    'e',
    'st',
    `${first.slice(1)} `,
    'e s',
    'notthere',
  ]
  targets = [
    ...['/status', '/v1/bench/posts', '/v1/bench/posts?limit=all&page=1', '/v1/bench/tags'],
    ...['html', 'markdown'].map((format) => `/v1/bench/posts/${slug}?format=${format}`),
    `/v1/bench/posts?categories=${categories[0].slug}&page=2`,
    `/v1/bench/categories/${categories[0].slug}?include=posts`,
    ...['/v1/bench/posts/not-there', '/v1/bench/posts?limit=0'],
    ...searched.map((query) => `/v1/bench/posts?limit=3&query=${encodeURIComponent(query)}`),
  ]
})

afterAll(() => rmSync(site.folder, { recursive: true }))

/** Each kind of storage over some files: as they are read on disks, by ranges from elsewhere, and in parts. */
const storages: Readonly<Record<string, () => StorageUnderTest>> = {
  'a folder, as on Node': () => ({
    files,
    open: (changed) => {
      for (const [name, bytes] of changed) writeFileSync(join(folder, name), bytes)
      const storage = createFileStorage(folder)
      const close = () => {
        for (const name of changed.keys()) writeFileSync(join(folder, name), files.get(name) ?? '')
      }
      return { storage, close }
    },
  }),
  'files and their ranges, as on Cloudflare': () => ({
    files,
    open: (changed) => {
      const read = async (name: string) => changed.get(name) ?? files.get(name) ?? raise(name)
      const storage: Storage = {
        read: async (name, from, to) => (await read(name)).slice(from, to),
      }
      return { storage, close: () => {} }
    },
  }),
}

interface StorageUnderTest {
  readonly files: ReadonlyMap<string, Uint8Array>
  /** @param changed files, and their content in the place of what was built */
  open(changed: ReadonlyMap<string, Uint8Array>): {
    readonly storage: Storage
    readonly close: () => void
  }
}

const tries = Number(process.env['QUARRY_DAMAGE'] ?? 80)

/** Of this process, in bytes: what damaged files may make it take beyond. */
const memoryMax = 512 * 1024 * 1024

describe('a function with one damaged file', () => {
  it.each(Object.keys(storages))(
    'gives the undamaged response or a 500: %s',
    async (kind) => {
      const underTest = storages[kind]?.() ?? expect.unreachable()
      const names = [...underTest.files.keys()]
      const read = (name: string) => underTest.files.get(name) ?? raise(name)
      const whole = await responsesOf(underTest, new Map())
      expect(new Set(whole.map(({ status }) => status))).toEqual(new Set([200, 400, 404]))
      const before = process.resourceUsage().maxRSS
      const counts = { tried: 0, same: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(anyDamage, async (damage) => {
          const damaged = damageOne(names, read, damage)
          if (damaged === null) return
          const responses = await responsesOf(underTest, new Map([[damaged.name, damaged.bytes]]))
          counts.tried += 1
          for (const [at, response] of responses.entries()) {
            counts[response.status === 500 ? 'refused' : 'same'] += 1
            if (response.status !== 500)
              expect([damaged.name, response]).toEqual([damaged.name, whole[at]])
          }
        }),
        { numRuns: tries, seed: 1, endOnFailure: true },
      )
      process.stdout.write(`${kind}: ${JSON.stringify(counts)}\n`)
      expect(counts.refused).toBeGreaterThan(counts.tried)
      expect(counts.same).toBeGreaterThan(counts.tried)
      expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(memoryMax)
    },
    60_000 + tries * 1000,
  )

  it('breaks off a long response that has begun', async () => {
    const long = temporarySite()
    for (const name of ['one', 'two', 'three']) long.post(name, {}, `${name} `.repeat(150_000))
    await long.build()
    const part = long.files().find((file) => file.startsWith('function/data/part-')) ?? ''
    const path = join(long.out, part)
    const bytes = readFileSync(path)
    const storage = createFileStorage(join(long.out, 'function'))
    const request = new Request('http://host.invalid/v1/acme/posts?limit=all')
    const whole = await handlerOver(storage)(request, '')
    expect((await whole.arrayBuffer()).byteLength).toBe(Number(whole.headers.get('content-length')))
    // In the HTML of the last post.
    const at = bytes.indexOf('three three three')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const broken = await handlerOver(storage)(request, '')
    expect(broken.status).toBe(200)
    await expect(broken.arrayBuffer()).rejects.toThrow('changed after it was built')
  })
})

interface PlainResponse {
  readonly status: number
  readonly etag: string | null
  readonly body: string
}

async function responsesOf(
  { open }: StorageUnderTest,
  changed: ReadonlyMap<string, Uint8Array>,
): Promise<readonly PlainResponse[]> {
  const { storage, close } = open(changed)
  try {
    const handler = handlerOver(storage)
    const responses: PlainResponse[] = []
    for (const target of targets) responses.push(await ask(handler, target))
    return responses
  } finally {
    close()
  }
}

type Handler = ReturnType<typeof createFunctionHandler>

function handlerOver(storage: Storage): Handler {
  const environment = { QUARRY_RATE_LIMIT: 'off' }
  return createFunctionHandler({ storage, environment, onError: () => {} })
}

async function ask(handler: Handler, target: string): Promise<PlainResponse> {
  const response = await handler(new Request(`http://host.invalid${target}`), '')
  const { status, headers } = response
  return { status, etag: headers.get('etag'), body: await response.text() }
}

async function bodyOf(target: string): Promise<string> {
  const storage = createFileStorage(folder)
  const { body } = await ask(handlerOver(storage), target)
  return body
}

function raise(message: string): never {
  throw new Error(message)
}
