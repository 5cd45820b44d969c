// How many assets a worker fetches: what a host allows is counted a request, so it must not grow with the records.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { build } from '../../src/build.ts'
import { resolveSettings } from '../../src/config.ts'
import { createWorker } from '../../src/hosts/cloudflare.ts'
import { fitStored } from '../../src/hosts/fit-stored.ts'
import type { HostMeasures } from '../../src/hosts/measure.ts'
import { writeDeployment } from '../../src/hosts/write-deployment.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'

const posts = 4000

describe(`a worker over ${posts} posts`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-fetches-'))
  let assets: string
  let served: ServedFolder
  let measures: HostMeasures

  beforeAll(async () => {
    const settings = resolveSettings({
      content: join(folder, 'content'),
      out: join(folder, 'dist'),
      cache: false,
      precompute: { versions: [] },
    })
    writeCorpus(settings.content, { posts, meanBytes: 300 })
    const { manifest } = await build(settings)
    const fitted = await fitStored('cloudflare', settings.out, manifest)
    measures = fitted.measures
    const { folder: deployed } = writeDeployment(
      'cloudflare',
      settings.out,
      manifest,
      fitted.stored,
    )
    assets = join(deployed, 'assets')
    served = await serveFolder(settings.out)
  }, 120_000)
  afterAll(() => {
    served.close()
    rmSync(folder, { recursive: true })
  })

  /** Each in a worker that has just been started; the files are those that were written for it. */
  async function ask(target: string): Promise<{ text: string; status: number; fetches: number }> {
    let fetches = 0
    const ASSETS = {
      fetch: async (url: string) => {
        fetches += 1
        return new Response(readFileSync(join(assets, new URL(url).pathname)))
      },
    }
    const worker = createWorker()
    const request = new Request(`https://worker.invalid${target}`)
    const response = await worker.fetch(request, { ASSETS }, { waitUntil: () => undefined })
    const text = await response.text()
    process.stdout.write(`${target}: ${fetches} fetches, ${text.length} characters\n`)
    return { text, status: response.status, fetches }
  }

  const asked = async (target: string) => {
    const responded = await ask(target)
    const expected = await askHandler(served.handler(), target)
    expect(responded.status).toBe(200)
    expect(responded.text === expected.text, 'the bytes that Node gives').toBe(true)
    return responded.fetches
  }

  it('reads a page with a fetch or two beside the index', async () => {
    for (const target of ['?page=1', '?page=200', '?page=400']) {
      const fetches = await asked(`/v1/bench/posts${target}`)
      expect(fetches).toBeLessThanOrEqual(measures.coldFetches + 3)
    }
  })

  it('reads everything by blocks, not by records', async () => {
    expect(measures.allFetches).toBeLessThan(posts / 50)
    for (const target of ['?limit=all', '?limit=all&order=asc', '?limit=all&format=markdown']) {
      expect(await asked(`/v1/bench/posts${target}`)).toBeLessThanOrEqual(measures.allFetches)
    }
  })

  it('reads a part once for all the records that one answer takes from it', async () => {
    const filtered = await asked('/v1/bench/posts?limit=100&tags=tag-20')
    expect(filtered).toBeLessThanOrEqual(measures.allFetches)
  })

  it('searches with no more fetches than there are parts of texts and lists', async () => {
    for (const query of ['a', 'wi', 'lowiwive', 'xoge', 'é e', 'o t', 'gu suthoryu', '. ']) {
      const target = `/v1/bench/posts?limit=1&excludeContent=true&query=${encodeURIComponent(query)}`
      // One record besides, which may lie in two parts.
      expect(await asked(target)).toBeLessThanOrEqual(measures.searchFetches + 2)
    }
  })
})
