// Which manifests are believed: those that a build wrote.
// Knows nothing of what is done with that.
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { Memo } from '../../src/memo/memo.ts'
import { writtenManifest } from '../../src/pipeline/rules/build.ts'
import { readToolId } from '../../src/pipeline/tool-id.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

it('those that builds of this version wrote, whatever has become of the content', async () => {
  const site = temporarySite({ cache: 'cache' }).posts(2)
  await site.build()
  const first = site.manifestHash
  await site.post('post-2', {}, 'Another text.\n').build()
  const second = site.manifestHash
  site.post('post-1', { title: 'Another title' })
  const memo = openMemo(site)
  const hashes = [first, second, hash('sha256', '')]
  expect(hashes.map((one) => memo.has(writtenManifest, one))).toEqual([true, true, false])
  expect(openMemo(site, 'another').has(writtenManifest, second)).toBe(false)
})

it('none that somebody has written to: it is not taken for what a build wrote', async () => {
  const site = temporarySite({ cache: 'cache' }).posts(2)
  await site.build()
  const file = join(site.out, 'manifest.json')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, before.replace('posts/post-1.json', 'posts/../post.json'))
  expect(openMemo(site).has(writtenManifest, site.manifestHash)).toBe(false)
  await site.post('post-2', { publishedAt: '2026-01-02T00:00:00.000Z' }, 'Another.\n').build()
  const paths = Object.keys(site.json('manifest.json').files)
  expect(paths).toEqual(Object.keys(JSON.parse(before).files).map(expectSame(paths)))
})

/** Blocks and search are named by their content. */
function expectSame(paths: readonly string[]): (path: string, at: number) => string {
  return (path, at) => (path.startsWith('function/') ? (paths[at] ?? '') : path)
}

function openMemo(site: TemporarySite, version = readToolId().tool): Memo {
  const cache = Cache.open(join(site.folder, 'cache'))
  onTestFinished(() => cache.close())
  return new Memo(cache, { version })
}
