// Files of functions and of browsers, damaged at random: a response is the undamaged one or a 500, on every kind of host.
// QUARRY_DAMAGE=10000 tries as many damages on each kind.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { createFileStorage } from '../../src/build/disk.ts'
import createBrowserFunction from '../../src/hosts/browser.ts'
import { createFunctionHandler } from '../../src/hosts/function.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
import { anyDamage, type Damage, damageOne } from '../support/damage.ts'
import fc, { caseCount } from '../support/fast-check.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite({ browser: true })
const folder = join(site.out, 'function')
/** Files of the output, by their paths. */
const files = new Map<string, Uint8Array>()
const targets = ['/status', '/v1/bench/posts', '/v1/bench/posts?limit=all', '/v1/bench/tags']

beforeAll(async () => {
  writeCorpus(site.content, { posts: 80, meanBytes: 1000 })
  await site.build()
  for (const name of site.files().filter((path) => /^(?:function|public\/site)\//.test(path))) {
    files.set(name, new Uint8Array(readFileSync(join(site.out, name))))
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

type Files = ReadonlyMap<string, Uint8Array>
type Responds = (target: string) => Promise<Response>

let last: Files = new Map()

/** Writes changed files, after the last ones were written as they were. */
function writeChanged(changed: Files): void {
  for (const name of last.keys()) writeFileSync(join(site.out, name), files.get(name) ?? '')
  for (const [name, bytes] of changed) writeFileSync(join(site.out, name), bytes)
  last = changed
}

/** Functions over the files with some changed: as they are read on disks, by ranges from elsewhere, and by browsers. */
const kinds: readonly (readonly [name: string, folder: string, (changed: Files) => Responds])[] = [
  [
    'a folder, as on Node',
    'function/',
    (changed) => {
      writeChanged(changed)
      return functionOver(createFileStorage(folder))
    },
  ],
  [
    'files and their ranges, as on Cloudflare',
    'function/',
    (changed) =>
      functionOver({
        read: async (name, from, to) => {
          const bytes = changed.get(`function/${name}`) ?? files.get(`function/${name}`)
          if (bytes === undefined) throw new Error(`no ${name}`)
          return bytes.slice(from, to)
        },
      }),
  ],
  [
    'whole files, as in browsers',
    'public/site/',
    (changed) => {
      const fetch = async (url: string) => {
        const path = `public${new URL(url).pathname}`
        const bytes = changed.get(path) ?? files.get(path)
        return new Response(bytes && new Uint8Array(bytes), { status: bytes ? 200 : 404 })
      }
      return createBrowserFunction({ base: 'http://files.invalid/', fetch })
    },
  ],
]

const tries = Number(process.env['QUARRY_DAMAGE'] ?? caseCount(60, 20))

/** Of this process, in bytes: what damaged files may make it take beyond. */
const memoryMax = 512 * 1024 * 1024

it.each(kinds)(
  'a function with one damaged file gives the undamaged response or a 500: %s',
  async (_, below, functionOf) => {
    const names = [...files.keys()].filter((name) => name.startsWith(below))
    const read = (name: string) => files.get(name) ?? new Uint8Array()
    const whole = await responsesOf(functionOf(new Map()))
    expect(new Set(whole.map(({ status }) => status))).toEqual(new Set([200, 400, 404]))
    // Every file with a changed byte first.
    const examples = names.map((_, at): [Damage] => [
      { kind: 'bit', file: (at + 0.5) / names.length, at: 0.5, other: 0, change: 1 },
    ])
    const before = process.resourceUsage().maxRSS
    const counts = { tried: 0, same: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(anyDamage, async (damage) => {
        const damaged = damageOne(names, read, damage)
        if (damaged === null) return
        const { name, bytes } = damaged
        const responses = await responsesOf(functionOf(new Map([[name, bytes]])))
        counts.tried += 1
        for (const [at, response] of responses.entries()) {
          counts[response.status === 500 ? 'refused' : 'same'] += 1
          if (response.status !== 500) expect([name, response]).toEqual([name, whole[at]])
        }
      }),
      { numRuns: tries + examples.length, examples, seed: 1, endOnFailure: true },
    )
    expect(counts.refused).toBeGreaterThan(counts.tried)
    expect(counts.same).toBeGreaterThan(counts.tried)
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(memoryMax)
  },
  60_000 + tries * 1000,
)

function functionOver(storage: Storage): Responds {
  const environment = { QUARRY_RATE_LIMIT: 'off' }
  const handler = createFunctionHandler({ storage, environment, onError: () => {} })
  return (target) => handler(new Request(`http://host.invalid${target}`), '')
}

async function responsesOf(respond: Responds) {
  const responses: { status: number; etag: string | null; body: string }[] = []
  for (const target of targets) {
    const response = await respond(target)
    const { status, headers } = response
    responses.push({ status, etag: headers.get('etag'), body: await response.text() })
  }
  return responses
}
