// Precomputed responses that a host has no room for are left out, and the report says what makes room.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeLeftOut } from '../../src/cli/limit-report.ts'
import { terminalOf } from '../../src/cli/terminal.ts'
import type { FileEntry } from '../../src/emit/file-entries.ts'
import { fitStored } from '../../src/platforms/fit-stored.ts'
import { openStoredSite, type StoredSite } from '../support/stored-site.ts'

let site: StoredSite
beforeAll(async () => {
  site = await openStoredSite()
})
afterAll(() => site.remove())

/** The manifest with more single posts of `beta`. */
function withPosts(count: number): StoredSite['manifest'] {
  const entry: FileEntry = { stage: 'resource', bytes: 400, sha256: '0'.repeat(64), etag: '"0"' }
  const more = Array.from(
    { length: count },
    (_, n) => [`public/v1/beta/posts/more-${n}.json`, entry] as const,
  )
  return { ...site.manifest, files: new Map([...site.manifest.files, ...more]) }
}

it('gives the function all responses where every plan of the host takes them', async () => {
  const { stored, leftOut, measures } = await fitStored('cloudflare', site.out, withPosts(19_000))
  expect(leftOut).toBeNull()
  expect(stored.length).toBeGreaterThan(19_100)
  expect(measures.files).toBeGreaterThan(19_100)
})

it('gives it none where a limit would be broken by them alone', async () => {
  const manifest = withPosts(20_000)
  const { stored, leftOut, measures } = await fitStored('cloudflare', site.out, manifest)
  expect(stored.map(({ name }) => name)).toEqual(['site.json'])
  expect(measures.files).toBeLessThan(100)
  expect(leftOut?.limit).toMatchObject({ measure: 'files', max: 20_000, only: 'the free plan' })
  if (leftOut === null) return
  const said = describeLeftOut(leftOut, terminalOf({ NO_COLOR: '1' }, process.stdout))
  expect(said).toMatch(
    /^left out precomputed responses: files would be 20,\d{3} of 20,000 on the free plan\./,
  )
  expect(said).toContain("precompute.formats: ['html']")
})

it('gives none to hosts that hold the index anyway, or serve files by themselves', async () => {
  for (const host of ['deno', 'bun', 'vercel', 'nginx', 'static'] as const) {
    const { stored, leftOut } = await fitStored(host, site.out, site.manifest)
    expect([stored, leftOut], host).toEqual([[], null])
  }
})
