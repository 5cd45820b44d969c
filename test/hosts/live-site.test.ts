import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { serveBuilds } from '../../src/hosts/folder.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { askHandler } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const open = (site: TemporarySite) =>
  serveBuilds(createFileStorage(join(site.out, 'function')), 10, {})

it('a build that was killed between its root and its manifest is served', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const manifest = readFileSync(join(site.out, 'manifest.json'))
  const next = await site.post('second').build()
  site.write('dist/.unfinished', '').write('dist/manifest.json', manifest)
  const { current } = await open(site)
  expect(current().build).toBe(next.manifest.build)
  const { text } = await askHandler(createResponder(current), '/v1/acme/posts')
  expect(JSON.parse(text).pagination.totalItems).toBe(2)
})

it('a build with an unreadable index of a collection is not served', async () => {
  const site = temporarySite().post('first')
  site.write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
  await site.write('content/acme/guides/one.md', '---\ntitle: One\n---\nText.\n').build()
  const { index } = site.json('function/root.json').root.workspaces[0].collections[0]
  site.write(`dist/function/${index}`, 'short')
  await expect(open(site)).rejects.toThrow('was cut short or changed')
})
