import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { serveBuilds } from '../../src/hosts/folder.ts'
import type { FollowedBuild } from '../../src/hosts/origin.ts'
import type { ServedSite } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { RootError } from '../../src/snapshot/format.ts'
import { askHandler } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const open = (site: TemporarySite, onError?: (error: unknown) => void) =>
  serveBuilds(createFileStorage(join(site.out, 'function')), 10, { onError })

async function builtSite(): Promise<TemporarySite> {
  const site = temporarySite().post('first', {}, 'The old text.\n')
  await site.build()
  return site
}

const read = (site: ServedSite, path: string) =>
  askHandler(
    createResponder(() => site),
    `/v1/acme/${path}`,
  )

const waitFor = (live: FollowedBuild, build: string) =>
  expect.poll(() => live.current().build, { timeout: 20_000 }).toBe(build)

it('a build that was killed between its root and its manifest is served', async () => {
  const site = await builtSite()
  const manifest = readFileSync(join(site.out, 'manifest.json'))
  const next = await site.post('second').build()
  site.write('dist/.unfinished', '').write('dist/manifest.json', manifest)
  const live = await open(site)
  expect(live.current().build).toBe(next.manifest.build)
  expect(JSON.parse((await read(live.current(), 'posts')).text).pagination.totalItems).toBe(2)
})

it('the old build stays when the new one is damaged, and the reason is told', async () => {
  const site = await builtSite()
  const errors: unknown[] = []
  const live = await open(site, (error) => errors.push(error))
  const { build } = live.current()
  const root = join(site.out, 'function/root.json')
  writeFileSync(root, readFileSync(root).subarray(0, -1))
  await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(0)
  await Promise.all([live.look(), live.look()])
  expect(errors).toEqual([expect.any(RootError)])
  expect(live.current().build).toBe(build)
  expect((await read(live.current(), 'posts/first')).status).toBe(200)
  const next = await site.post('second').build({ isForced: true })
  await waitFor(live, next.manifest.build)
})

it('a build with an unreadable index of a collection is not served', async () => {
  const site = temporarySite().post('first')
  site.write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
  await site.write('content/acme/guides/one.md', '---\ntitle: One\n---\nText.\n').build()
  const { index } = site.json('function/root.json').root.workspaces[0].collections[0]
  site.write(`dist/function/${index}`, 'short')
  await expect(open(site)).rejects.toThrow('was cut short or changed')
})
