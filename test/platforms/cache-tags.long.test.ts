// Varnish before `quarry serve`, as docs/cache-tags.md configures it: after an edit exactly the changed responses are fetched.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeManifest, type Manifest } from '../../src/emit/manifest.ts'
import { changedTags, targetOfFile } from '../../src/publish/changed-responses.ts'
import { openPurger } from '../../src/publish/purge.ts'
import { start } from '../support/command-line.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { temporarySite } from '../support/temporary-site.ts'
import { provideVarnish, startVarnish } from '../support/varnish.ts'

describe.skipIf(provideVarnish() !== null)('Varnish before quarry serve', () => {
  it('fetches exactly the changed responses after an edit', async () => {
    const site = temporarySite({ precompute: { pageSizes: [10, 2] } }).posts(25)
    site
      .post('tagged', { tags: '[css]' })
      .write('content/acme/tags/css.md', '---\nname: CSS\n---\n')
    await site.build()
    const environment = { QUARRY_RATE_LIMIT: 'off', QUARRY_CACHE_TAGS: 'varnish' }
    const served = start(site.folder, ['serve', '--port', '0'], environment)
    onTestFinished(async () => {
      served.stop('SIGTERM')
      await served.ended
    })
    const port = new URL((await served.waitFor(/ at (\S+)/))[1] ?? '').port
    const [documented = ''] = blocksOf(readDocument('cache-tags.md'), 'vcl')
    const varnish = await startVarnish(documented.replace('"4321"', `"${port}"`))
    onTestFinished(() => varnish.stop())

    const read = (): Manifest => {
      const manifest = decodeManifest(readFileSync(join(site.out, 'manifest.json')))
      if (manifest === null) throw new Error('There is no manifest.')
      return manifest
    }
    const get = async (target: string) => {
      const response = await fetch(`${varnish.url}${target}`)
      const { status, headers } = response
      return {
        status,
        body: await response.text(),
        isHit: headers.get('x-cache') === 'HIT',
        tags: headers.get('xkey'),
      }
    }
    const before = read()
    const files = [...before.files.keys()].flatMap((path) =>
      path.startsWith('public/v1/') ? (targetOfFile(path) ?? []) : [],
    )
    const others = ['?limit=7', '?tags=css', '?query=post', '?order=asc'].map(
      (query) => `/v1/acme/posts${query}`,
    )
    const targets = [...files, ...others]
    const first = new Map<string, string>()
    for (const target of targets) {
      const { status, body, tags } = await get(target)
      expect([target, status, tags]).toEqual([target, 200, null])
      first.set(target, body)
    }
    for (const target of targets)
      expect([target, (await get(target)).isHit]).toEqual([target, true])

    await site.post('post-3', { publishedAt: '2026-01-03T00:00:00Z' }, 'Changed.\n').build()
    const after = read()
    await served.waitForError(new RegExp(`"event":"build","build":"${after.build}"`))
    const purger = openPurger('varnish', { QUARRY_PURGE_URL: `${varnish.url}/` })
    await purger.purge(changedTags(before, after))

    const fetched: string[] = []
    const changed: string[] = []
    for (const target of targets) {
      const { body, isHit } = await get(target)
      if (!isHit) fetched.push(target)
      if (body !== first.get(target)) changed.push(target)
    }
    expect(fetched).toEqual(targets.filter((at) => changed.includes(at) || others.includes(at)))
    expect(changed).toContain('/v1/acme/posts/post-3')
    const kept = targets.length - fetched.length
    expect(kept).toBeGreaterThan(fetched.length)
    process.stdout.write(
      `Varnish: ${targets.length} responses, ${changed.length} changed, ${fetched.length} fetched again, ${kept} hits\n`,
    )
  }, 60_000)
})
