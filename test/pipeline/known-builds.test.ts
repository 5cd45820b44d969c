// Which manifests are known to have been written by a build.
// Knows nothing of what is done with that.
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { resolveSettings } from '../../src/config.ts'
import { Scanner } from '../../src/content/scan.ts'
import { KnownBuilds } from '../../src/pipeline/known-builds.ts'
import { readToolId } from '../../src/pipeline/tool-id.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

it('those that builds of this version wrote, whatever has become of the content', async () => {
  const site = temporarySite({ cache: 'cache' }).posts(2)
  await site.build()
  const first = site.manifestHash
  await site.post('post-2', {}, 'Another text.\n').build()
  const second = site.manifestHash
  site.post('post-1', { title: 'Another title' })
  const known = await knownBuilds(site)
  expect([first, second, hash('sha256', '')].map((one) => known.hasWritten(one))).toEqual([
    true,
    true,
    false,
  ])
  expect((await knownBuilds(site, 'another')).hasWritten(second)).toBe(false)
})

it('none that somebody has written to: it is not taken for what a build wrote', async () => {
  const site = temporarySite({ cache: 'cache' }).posts(2)
  await site.build()
  const file = join(site.out, 'manifest.json')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, before.replace('posts/post-1.json', 'posts/../post.json'))
  expect((await knownBuilds(site)).hasWritten(site.manifestHash)).toBe(false)
  await site.post('post-2', { publishedAt: '2026-01-02T00:00:00.000Z' }, 'Another.\n').build()
  const paths = Object.keys(site.json('manifest.json').files)
  expect(paths).toEqual(Object.keys(JSON.parse(before).files).map(expectSame(paths)))
})

/** Blocks and search are named by their content. */
function expectSame(paths: readonly string[]): (path: string, at: number) => string {
  return (path, at) => (path.startsWith('function/') ? (paths[at] ?? '') : path)
}

async function knownBuilds(site: TemporarySite, tool = readToolId().tool): Promise<KnownBuilds> {
  const cache = Cache.open(join(site.folder, 'cache'))
  onTestFinished(() => cache.close())
  const scan = await new Scanner(site.content).scan()
  const settings = resolveSettings(site.config)
  return new KnownBuilds(cache, { tool: { ...readToolId(), tool }, settings, scan })
}
