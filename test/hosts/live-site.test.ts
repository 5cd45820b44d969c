import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type LiveSite, type LiveSiteOptions, openLiveSite } from '../../src/hosts/folder.ts'
import type { ServedSite } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { RootError } from '../../src/snapshot/format.ts'
import { askHandler } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

async function open(site: TemporarySite, options: LiveSiteOptions = {}): Promise<LiveSite> {
  const live = await openLiveSite(site.out, { pollMilliseconds: 10, ...options })
  onTestFinished(() => live.close())
  return live
}

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

const waitFor = (live: LiveSite, build: string) =>
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
  const live = await open(site, { onError: (error) => errors.push(error) })
  const { build } = live.current()
  const [root, manifest] = ['function/root.json', 'manifest.json'].map((name) =>
    join(site.out, name),
  )
  writeFileSync(root ?? '', readFileSync(root ?? '').subarray(0, -1))
  // Moves the manifest in again, as a build does.
  const bytes = readFileSync(manifest ?? '')
  rmSync(manifest ?? '')
  writeFileSync(manifest ?? '', bytes)
  await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(errors[0]).toBeInstanceOf(RootError)
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
