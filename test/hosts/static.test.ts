// What a host without a function is given, behind a server that knows nothing but files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

const build = (folder: string, ...words: string[]) =>
  call(folder, ['build', '--for', 'static', ...words], { QUARRY_WORKERS: '1' })

it('files go when a post is taken back, and come when it is due', async () => {
  const site = temporarySite()
  site.post('stays').post('goes').post('later', { publishedAt: '2027-01-01' })
  const deployed = join(site.folder, 'deploy/static')
  const names = () => listFiles(join(deployed, 'public/v1/acme/posts')).join()
  await build(site.folder, '--now', '2026-06-01')
  expect(names()).toMatch(/goes\.json.*stays\.json/)
  expect(names()).not.toContain('later')
  site.post('goes', { status: 'draft' })
  const { stdout } = await build(site.folder, '--now', '2027-01-01')
  expect(names()).toMatch(/later\.json.*stays\.json/)
  expect(stdout).not.toContain('scheduled post')
  for (const path of listFiles(deployed))
    expect(readFileSync(join(deployed, path), 'utf8')).not.toContain('goes')
})

it('files are refused where nothing may be shown, or v1 is left out', async () => {
  const closed = temporarySite().post('one').write('content/acme/workspace.yml', 'v1: private\n')
  const refused = await build(closed.folder)
  expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('every workspace is private')
  const site = temporarySite().post('one')
  site.write('quarry.config.json', '{"precompute": {"versions": ["v2"]}}')
  const wrong = await build(site.folder)
  expect([wrong.exitCode, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('Add "v1"')
})
