// The worker of a deployment to Cloudflare with `storage: 'r2'`, in workerd, with many requests at once: each has its own
// context there, and what one of them waits for must be its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpusPosts } from '../../bench/corpus.ts'
import { createFileStorage } from '../../src/platforms/node/file-storage.ts'
import { openBundle } from '../../src/runtime/bundle.ts'
import { createHandler } from '../../src/runtime/handler.ts'
import { run } from '../support/command-line.ts'
import fc from '../support/fast-check.ts'
import { startR2Site } from '../support/r2-store.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite({ precompute: { versions: [] } })
const bucket = mkdtempSync(join(tmpdir(), 'quarry-r2-'))
const posts = [...corpusPosts({ posts: 3000, meanBytes: 2400 })]

describe('a worker over R2', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    site.write('content/acme/workspace.yml', 'name: Acme\nreferences: create\n')
    for (const { name, frontMatter, body } of posts) {
      site.write(`content/acme/posts/${name}.md`, `---\n${frontMatter}\n---\n\n${body}`)
    }
    await site.build()
    const store = await startR2Site(bucket)
    const { exitCode, stderr } = await run(
      site.folder,
      ['publish', 's3://bucket'],
      store.environment,
    )
    await store.stop()
    expect([exitCode, stderr]).toEqual([0, ''])
  }, 300_000)
  afterAll(() => {
    for (const folder of [bucket, site.folder]) rmSync(folder, { recursive: true })
  })

  it('gives the bytes of a disk to requests at once, from the first on, when clients leave', async () => {
    const expected = await responsesOfDisk()
    const some = fc.record({
      target: fc.constantFrom(...expected.keys()),
      // In milliseconds; of four clients, three stay.
      leavesAfter: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
      ),
    })
    const bursts = fc.sample(fc.array(some, { minLength: 24, maxLength: 24 }), {
      numRuns: 9,
      seed: 27,
    })
    const counts = { same: 0, left: 0 }
    for (const [number, burst] of bursts.entries()) {
      // A new isolate for every third.
      if (number % 3 === 0) await worker?.stop()
      if (number % 3 === 0) worker = await startR2Site(bucket)
      await Promise.all(
        burst.map(async ({ target, leavesAfter }) => {
          const signals = [AbortSignal.timeout(60_000)]
          if (leavesAfter !== null) signals.push(AbortSignal.timeout(leavesAfter))
          try {
            const response = await fetch(`${worker?.site}${target}`, {
              signal: AbortSignal.any(signals),
            })
            const text = await response.text()
            expect(response.status, target).toBe(200)
            expect(text === expected.get(target), target).toBe(true)
            counts.same += 1
          } catch (error) {
            if (leavesAfter === null || !signals[1]?.aborted) throw error
            counts.left += 1
          }
        }),
      )
    }
    await worker?.stop()
    process.stdout.write(`a worker over R2: ${JSON.stringify(counts)}\n`)
    expect(counts.same).toBeGreaterThan(120)
    expect(counts.left).toBeGreaterThan(20)
  })
})

let worker: Awaited<ReturnType<typeof startR2Site>> | undefined

/** Lists, posts and searches, with phrases that need the texts of many posts. */
async function responsesOfDisk(): Promise<ReadonlyMap<string, string>> {
  const words = posts
    .slice(0, 400)
    .flatMap(({ body }) => body.match(/\p{L}{3,}/gu)?.slice(2, 5) ?? [])
  const search = (text: string) =>
    `/v1/acme/posts?excludeContent=true&query=${encodeURIComponent(text)}`
  const numbers = Array.from({ length: 12 }, (_, number) => number)
  const targets = [
    ...numbers.map((number) => `/v1/acme/posts?page=${number * 20 + 2}`),
    ...numbers.map((number) => `/v1/acme/posts/${posts[number * 200]?.name}`),
    ...numbers.map((number) => `/v1/acme/posts?tags=tag-${number}&excludeContent=true`),
    ...numbers.map((number) => search(words[number * 60]?.slice(0, 3) ?? '')),
    ...numbers.map((number) =>
      search(
        words
          .slice(number * 90, number * 90 + 2)
          .join(' ')
          .slice(1),
      ),
    ),
    '/v1/acme/tags?include=posts',
  ]
  const storage = createFileStorage(join(site.out, 'function'))
  const handler = createHandler(await openBundle(storage), { rateLimit: 'off' })
  const responses = new Map<string, string>()
  for (const target of targets) {
    const response = await handler(new Request(`https://host.invalid${target}`))
    expect(response.status, target).toBe(200)
    responses.set(target, await response.text())
  }
  storage.close()
  return responses
}
