import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type LiveSite,
  type LiveSiteOptions,
  NoBuildError,
  openLiveSite,
} from '../../src/hosts/live-site.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import { RootError } from '../../src/snapshot/format.ts'
import { askHandler } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

async function open(site: TemporarySite, options: LiveSiteOptions = {}): Promise<LiveSite> {
  const live = await openLiveSite(site.out, { pollMilliseconds: 10, ...options })
  onTestFinished(() => live.close())
  return live
}

describe('a live site', () => {
  it('serves another build as soon as it is there, and tells once', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const changes: string[] = []
    const live = await open(site, { onChange: (build) => changes.push(build) })
    const before = live.current().build
    const { manifest } = await site.post('second').build()
    await until(() => live.current().build !== before)
    expect(live.current().build).toBe(manifest.build)
    expect(changes).toEqual([manifest.build])
    const { text } = await askHandler(createResponder(live.current), '/v1/acme/posts')
    expect(JSON.parse(text).pagination.totalItems).toBe(2)
  })

  it('lets those who read the old build read on', async () => {
    const site = temporarySite().post('first', {}, 'The old text.\n')
    await site.build()
    const live = await open(site)
    const old = live.current()
    await site.post('first', {}, 'The new text.\n').build()
    await until(() => live.current() !== old)
    const read = async (served: typeof old) =>
      (
        await askHandler(
          createResponder(() => served),
          '/v1/acme/posts/first',
        )
      ).text
    expect(await read(old)).toContain('The old text.')
    expect(await read(live.current())).toContain('The new text.')
  })

  it('serves what a build left that was killed between its index and its manifest', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const manifest = readFileSync(join(site.out, 'manifest.json'))
    const next = await site.post('second').build()
    site.write('dist/.unfinished', '').write('dist/manifest.json', manifest)
    const live = await open(site)
    expect(live.current().build).toBe(next.manifest.build)
    const { text } = await askHandler(createResponder(live.current), '/v1/acme/posts')
    expect(JSON.parse(text).pagination.totalItems).toBe(2)
  })

  it('goes on with the old build when the new one is damaged, and says why', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const errors: unknown[] = []
    const live = await open(site, { onError: (error) => errors.push(error) })
    const { build } = live.current()
    const index = join(site.out, 'function/root.json')
    const good = readFileSync(index)
    writeFileSync(
      index,
      good.map((byte, at) => (at === good.length - 1 ? byte ^ 1 : byte)),
    )
    touch(site)
    await until(() => errors.length > 0)
    expect(errors[0]).toBeInstanceOf(RootError)
    expect(live.current().build).toBe(build)
    const { status } = await askHandler(createResponder(live.current), '/v1/acme/posts/first')
    expect(status).toBe(200)
    const { manifest } = await site.post('second').build({ isForced: true })
    await until(() => live.current().build === manifest.build)
  })

  it('goes on while the folder is gone, and with what comes back', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const live = await open(site)
    rmSync(site.out, { recursive: true })
    const { status } = await askHandler(createResponder(live.current), '/v1/acme/posts/first')
    expect(status).toBe(200)
    const { manifest } = await site.post('second').build()
    await until(() => live.current().build === manifest.build)
  })

  it('does not open where there is no build, or not a whole one', async () => {
    const site = temporarySite().post('first')
    await expect(open(site)).rejects.toThrow(NoBuildError)
    await site.build()
    writeFileSync(join(site.out, 'function/root.json'), 'no root')
    await expect(open(site)).rejects.toThrow(RootError)
  })

  it('reads no more of the manifest than its head', async () => {
    const site = temporarySite().post('first')
    const { manifest } = await site.build()
    truncateSync(join(site.out, 'manifest.json'), 256)
    expect((await open(site)).current().build).toBe(manifest.build)
  })

  it.each([
    ['is empty', () => ''],
    ['was cut in the id', (text: string) => text.slice(0, 40)],
    ['is of another version', (text: string) => text.replace('"quarry": 1', '"quarry": 2')],
    ['has no id', (text: string) => text.replace(/"build": ".*"/, '"build": ""')],
    ['is no manifest', (text: string) => `[${text}]`],
  ])('does not open where the manifest %s, and names it', async (_, change) => {
    const site = temporarySite().post('first')
    await site.build()
    const file = join(site.out, 'manifest.json')
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    await expect(open(site)).rejects.toThrow(`${file} does not begin as a manifest`)
  })

  it('does not open with the index of another build', async () => {
    const [one, other] = [temporarySite().post('first'), temporarySite().post('second')]
    await one.build()
    await other.build()
    copyFileSync(join(other.out, 'function/root.json'), join(one.out, 'function/root.json'))
    await expect(open(one)).rejects.toThrow(/belongs to build/)
  })
})

/** Moves the manifest in again, as a build does. */
function touch(site: TemporarySite): void {
  const manifest = join(site.out, 'manifest.json')
  const text = readFileSync(manifest)
  rmSync(manifest)
  writeFileSync(manifest, text)
}

/** Looks again and again until something holds. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it never came to hold')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
