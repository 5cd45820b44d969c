import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { serveBuilds } from '../../src/hosts/folder.ts'
import type { ServedSite } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
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

it('a build that was killed between its root and its manifest is served', async () => {
  const site = await builtSite()
  const manifest = readFileSync(join(site.out, 'manifest.json'))
  const next = await site.post('second').build()
  site.write('dist/.unfinished', '').write('dist/manifest.json', manifest)
  const live = await open(site)
  expect(live.current().build).toBe(next.manifest.build)
  expect(JSON.parse((await read(live.current(), 'posts')).text).pagination.totalItems).toBe(2)
})

it('a build with an unreadable index of a collection is not served', async () => {
  const site = temporarySite().post('first')
  site.write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
  await site.write('content/acme/guides/one.md', '---\ntitle: One\n---\nText.\n').build()
  const { index } = site.json('function/root.json').root.workspaces[0].collections[0]
  site.write(`dist/function/${index}`, 'short')
  await expect(open(site)).rejects.toThrow('was cut short or changed')
})
