// Files of a function, damaged at random: a response is the undamaged one or a 500, whatever the host's storage.
// QUARRY_DAMAGE=10000 tries as many damages on each storage.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { createFileStorage } from '../../src/build/disk.ts'
import { listFiles } from '../../src/build/output.ts'
import { createFunctionHandler } from '../../src/hosts/function.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
import { anyDamage, damageOne } from '../support/damage.ts'
import fc from '../support/fast-check.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
const folder = join(site.out, 'function')
const files = new Map<string, Uint8Array>()
const targets = ['/status', '/v1/bench/posts', '/v1/bench/posts?limit=all', '/v1/bench/tags']

beforeAll(async () => {
  writeCorpus(site.content, { posts: 80, meanBytes: 1000 })
  await site.build()
  for (const name of [...listFiles(folder)].sort()) {
    files.set(name, new Uint8Array(readFileSync(join(folder, name))))
  }
  const { title, slug, category } = site.json('public/v1/bench/posts/index.json').posts[3]
  const [first, second] = title.split(' ')
  const [phrase, end] = [`${first} ${second}`, first.slice(1)]
  const searched = [first, phrase, end, 'e', 'st', `${end} `, 'e s', 'notthere']
  targets.push(
    ...['html', 'markdown'].map((format) => `/v1/bench/posts/${slug}?format=${format}`),
    `/v1/bench/posts?categories=${category.slug}&page=2`,
    `/v1/bench/categories/${category.slug}?include=posts`,
    ...['/v1/bench/posts/not-there', '/v1/bench/posts?limit=0'],
    ...searched.map((query) => `/v1/bench/posts?limit=3&query=${encodeURIComponent(query)}`),
  )
})

const write = (changed: Iterable<readonly [string, Uint8Array]>) => {
  for (const [name, bytes] of changed) writeFileSync(join(folder, name), bytes)
}

let damagedNames: ReadonlySet<string> = new Set()

/** Each kind of storage over the files with some changed: as they are read on disks, and by ranges from elsewhere. */
const storages: Readonly<Record<string, (changed: ReadonlyMap<string, Uint8Array>) => Storage>> = {
  'a folder, as on Node': (changed) => {
    // As it was before the last damage.
    write([...files].filter(([name]) => damagedNames.has(name)))
    damagedNames = new Set(changed.keys())
    write(changed)
    return createFileStorage(folder)
  },
  'files and their ranges, as on Cloudflare': (changed) => ({
    read: async (name, from, to) => {
      const bytes = changed.get(name) ?? files.get(name)
      if (bytes === undefined) throw new Error(`no ${name}`)
      return bytes.slice(from, to)
    },
  }),
}

const tries = Number(process.env['QUARRY_DAMAGE'] ?? 60)

/** Of this process, in bytes: what damaged files may make it take beyond. */
const memoryMax = 512 * 1024 * 1024

it.each(Object.entries(storages))(
  'a function with one damaged file gives the undamaged response or a 500: %s',
  async (_, storageOf) => {
    const names = [...files.keys()]
    const read = (name: string) => files.get(name) ?? new Uint8Array()
    const whole = await responsesOf(storageOf(new Map()))
    expect(new Set(whole.map(({ status }) => status))).toEqual(new Set([200, 400, 404]))
    const before = process.resourceUsage().maxRSS
    const counts = { tried: 0, same: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(anyDamage, async (damage) => {
        const damaged = damageOne(names, read, damage)
        if (damaged === null) return
        const { name, bytes } = damaged
        const responses = await responsesOf(storageOf(new Map([[name, bytes]])))
        counts.tried += 1
        for (const [at, response] of responses.entries()) {
          counts[response.status === 500 ? 'refused' : 'same'] += 1
          if (response.status !== 500) expect([name, response]).toEqual([name, whole[at]])
        }
      }),
      { numRuns: tries, seed: 1, endOnFailure: true },
    )
    expect(counts.refused).toBeGreaterThan(counts.tried)
    expect(counts.same).toBeGreaterThan(counts.tried)
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(memoryMax)
  },
  60_000 + tries * 1000,
)

function handlerOver(storage: Storage): ReturnType<typeof createFunctionHandler> {
  const environment = { QUARRY_RATE_LIMIT: 'off' }
  return createFunctionHandler({ storage, environment, onError: () => {} })
}

async function responsesOf(storage: Storage) {
  const handler = handlerOver(storage)
  const responses: { status: number; etag: string | null; body: string }[] = []
  for (const target of targets) {
    const response = await handler(new Request(`http://host.invalid${target}`), '')
    const { status, headers } = response
    responses.push({ status, etag: headers.get('etag'), body: await response.text() })
  }
  return responses
}
