// Precomputed responses that a host has no room for are left out, and the report says what makes room.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeLeftOut } from '../../src/cli/deployments.ts'
import { terminalOf } from '../../src/cli/terminal.ts'
import type { FileEntry } from '../../src/emit/file-entries.ts'
import { fitStored, type LeftOut } from '../../src/hosts/fit-stored.ts'
import { openStoredSite, type StoredSite } from '../support/stored-site.ts'

let site: StoredSite
beforeAll(async () => {
  site = await openStoredSite()
})
afterAll(() => site.remove())

/** The manifest with more single posts of `beta`. */
function withPosts(count: number, folder = ''): StoredSite['manifest'] {
  const entry: FileEntry = { stage: 'resource', bytes: 400, sha256: '0'.repeat(64), etag: '"0"' }
  const more = Array.from(
    { length: count },
    (_, n) => [`public/v1/beta/posts/${folder}more-${n}.json`, entry] as const,
  )
  return { ...site.manifest, files: new Map([...site.manifest.files, ...more]) }
}

const say = (leftOut: LeftOut) =>
  describeLeftOut(leftOut, terminalOf({ NO_COLOR: '1' }, process.stdout))

it('gives the function all responses where every plan of the host takes them', async () => {
  const { stored, leftOut, measures } = await fitStored('cloudflare', site.out, withPosts(19_000))
  expect(leftOut).toBeNull()
  expect(stored.length).toBeGreaterThan(19_100)
  expect(measures.files).toBeGreaterThan(19_100)
})

it('gives it those in HTML where there is no room for both formats', async () => {
  const manifest = withPosts(20_000, '_markdown/')
  const { stored, leftOut, measures } = await fitStored('cloudflare', site.out, manifest)
  expect(stored.length).toBeGreaterThan(50)
  expect(measures.files).toBeLessThan(1000)
  expect(leftOut && say(leftOut)).toMatch(
    /^left out precomputed responses in Markdown: files would be 20,\d{3} of 20,000 on the free plan\..*precompute\.formats: \['html'\] writes none of them\.$/,
  )
})

it('gives it none where a limit would be broken by them alone', async () => {
  const manifest = withPosts(20_000)
  const { stored, leftOut, measures } = await fitStored('cloudflare', site.out, manifest)
  expect(stored.map(({ name }) => name)).toEqual(['site.json'])
  expect(measures.files).toBeLessThan(100)
  expect(leftOut?.limit).toMatchObject({ measure: 'files', max: 20_000, only: 'the free plan' })
  expect(leftOut && say(leftOut)).toContain('precompute.versions: [] writes none')
})

it('gives none to hosts that hold the index anyway, or serve files by themselves', async () => {
  for (const host of ['deno', 'bun', 'vercel', 'static'] as const) {
    const { stored, leftOut } = await fitStored(host, site.out, site.manifest)
    expect([stored, leftOut], host).toEqual([[], null])
  }
})
