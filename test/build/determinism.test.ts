// The same content gives the same bytes, in any time zone and locale, with any number of workers and order of folders.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { expect, it, vi } from 'vitest'
import { run } from '../support/command-line.ts'
import { contentsOf } from '../support/contents.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('the sample content is built to the same bytes everywhere', async () => {
  const site = temporarySite()
  cpSync(join(import.meta.dirname, '../../content'), site.content, { recursive: true })
  const sync = fastGlob.sync
  const shuffled = (folder: string) =>
    readdirSync(folder, { withFileTypes: true }).sort(() => Math.random() - 0.5)
  vi.spyOn(fastGlob, 'sync').mockImplementation((patterns, options) =>
    sync(patterns, { ...options, fs: { readdirSync: shuffled as unknown as typeof readdirSync } }),
  )
  await site.build({ now: Date.UTC(2026, 10, 20) })
  const reference = contentsOf(site.out)
  expect(Object.keys(reference).length).toBeGreaterThan(100)
  const environment = { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', QUARRY_WORKERS: '2' }
  const out = join(site.folder, 'elsewhere')
  const words = ['build', '--out', out, '--now', '2026-11-20', '--quiet']
  expect((await run(site.folder, words, environment)).exitCode).toBe(0)
  expect(contentsOf(out)).toEqual(reference)
})
