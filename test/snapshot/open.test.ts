import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { serveBuilds } from '../../src/hosts/folder.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import type { Root } from '../../src/snapshot/format.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
import { askHandler } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const site = temporarySite()
let storage: Storage
let root: Root

beforeAll(async () => {
  site.posts(3).write('content/beta/workspace.yml', 'references: create\n')
  await site.post('b', {}, 'Text.\n', 'beta').build()
  storage = createFileStorage(join(site.out, 'function'))
  root = site.json('function/root.json').root
})

it('a root of another version is refused', async () => {
  const other = site.text('function/root.json').replace(`"schema":${root.schema}`, '"schema":9')
  await expect(openBuild({ read: () => Buffer.from(other) })).rejects.toThrow(
    `layout 9, but this version of quarry reads layout ${root.schema}`,
  )
})

it('the index of a workspace is read by the first request for its content, once, and gives a 500 while it is damaged', async () => {
  const read: string[] = []
  let isBroken = true
  const opened = await openBuild({
    read: async (name, ...of) => {
      read.push(name)
      const bytes = new Uint8Array(await storage.read(name, ...of))
      if (isBroken && name === root.workspaces[0]?.index) bytes[0] = 0
      return bytes
    },
  })
  expect(opened.build).toBe(root.build)
  expect(read).toEqual(['root.json'])
  const handler = createResponder(() => opened)
  const statusOf = async (target: string) => (await askHandler(handler, target)).status
  expect(await statusOf('/v1/acme/tags')).toBe(500)
  expect(await statusOf('/v1/beta/tags')).toBe(200)
  isBroken = false
  expect(await statusOf('/v1/acme/tags')).toBe(200)
  const { length } = read
  for (const target of ['/v1/acme/tags?page=99', '/v1/none/posts', '/status'])
    await statusOf(target)
  expect(read).toHaveLength(length)
})

const serve = (site: TemporarySite) =>
  serveBuilds(createFileStorage(join(site.out, 'function')), 10, {})

it('a build that was killed between its root and its manifest is served', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const manifest = readFileSync(join(site.out, 'manifest.json'))
  const next = await site.post('second').build()
  site.write('dist/.unfinished', '').write('dist/manifest.json', manifest)
  const { current } = await serve(site)
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
  await expect(serve(site)).rejects.toThrow('was cut short or changed')
})
