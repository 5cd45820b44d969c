// The files of builds with drafts; test/runtime/hidden-posts.test.ts has their responses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { contentsOf } from '../support/contents.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const needle = 'Zweiundvierzig Milliarden'

function sampleSite(): TemporarySite {
  const site = temporarySite().write('content/acme/workspace.yml', 'references: create\n')
  return site.post('open', { tags: '[x]' })
}

function withDraft(site: TemporarySite): TemporarySite {
  const terms = { tags: '[secret-tag]', category: 'deals', authors: '[secret-author]' }
  return site.post('secret-post', { status: 'draft', ...terms }, `${needle}\n`)
}

it('a draft changes no file of a build, and of one with drafts the index and its root alone', async () => {
  const site = sampleSite()
  await site.build()
  const without = contentsOf(site.out)
  await withDraft(site).build()
  expect(contentsOf(site.out)).toEqual(without)
  expect((await site.build({ drafts: true })).changes.written).toBeGreaterThan(3)
  const real = contentsOf(site.out)
  const own = Object.keys(real).filter((path) => real[path] !== without[path])
  for (const path of own) expect(path).toMatch(/^(function\/.+|manifest\.json)$/)
  const readable = site.files().filter((path) => !path.startsWith('function/'))
  for (const secret of [needle, 'secret-', 'deals'])
    expect(readable.filter((path) => site.text(path).includes(secret))).toEqual([])
})

it.each([
  [{ expiresAt: '2026-02-01' }, 'has expired, so it has no URL', 'gone.md'],
  [{ expiresAt: '2026-02-01', status: 'draft' }, 'is a draft, which has no URL', 'gone.md'],
  [{ publishedAt: '2099-01-02' }, 'is published later, so it has no URL yet', '/2099/gone'],
])('a link to a hidden post has no URL, and says so: %j', async (state, told, url) => {
  const site = temporarySite({ links: { post: '/{year}/{slug}' } }).post('gone', state)
  const { diagnostics } = await site.post('open', {}, '[Gone](gone.md#part)\n').build()
  const message = `"gone.md#part" ${told}; the link stays as it is written.`
  expect(diagnostics).toMatchObject([{ code: 'draft-link', line: 6, message }])
  expect(site.text('public/v1/acme/posts/open.json')).toContain(String.raw`href=\"gone.md#part\"`)
  await site.build({ now: Date.UTC(2100, 0) })
  expect(site.text('public/v1/acme/posts/open.json')).toContain(String.raw`href=\"${url}#part\"`)
})

it('drafts go with the next build without them', async () => {
  const site = sampleSite()
  await withDraft(site).build()
  const clean = contentsOf(site.out)
  await site.build({ drafts: true })
  expect((await site.build({ drafts: true })).changes.written).toBe(0)
  await site.build()
  expect(contentsOf(site.out)).toEqual(clean)
  // A function of the build before may still read them: they go with the next build that changes a file.
  await site.post('new').build()
  for (const path of listFiles(site.out))
    expect(readFileSync(join(site.out, path)).includes(needle), path).toBe(false)
})
