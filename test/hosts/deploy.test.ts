import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { hostNames } from '../../src/config/names.ts'
import { checkLimits, deploy } from '../../src/hosts/deploy.ts'
import { pixel } from '../blackbox/site.ts'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('a deployment has images where its host serves them, nothing of private, and the same bytes again', async () => {
  const folders = {
    ...{ cloudflare: 'assets/media', netlify: 'public/media', vercel: 'static/media' },
    ...{ deno: 'media', bun: 'media', static: 'public/media', 'aws-lambda': null },
  }
  const site = temporarySite().posts(3).post('one', {}, '![](a.png)\n')
  const { manifest } = await site.write('content/acme/posts/a.png', pixel).build()
  site.write('deploy/deno/empty/x', '').remove('deploy/deno/empty')
  const read = (folder: string) =>
    listFiles(folder).map((path) => [path, readFileSync(join(folder, path), 'latin1')])
  for (const host of hostNames) {
    const { folder, files } = deploy(host, { out: site.out, manifest })
    const first = read(folder)
    deploy(host, { out: site.out, manifest })
    expect(read(folder)).toEqual(first)
    const paths = [...files.keys()]
    const images =
      folders[host] === null
        ? []
        : [expect.stringMatching(`^${folders[host]}/acme/[0-9a-f]{32}.png$`)]
    expect(paths.filter((path) => path.endsWith('.png'))).toEqual(images)
    expect(paths.filter((path) => /private|v2/.test(path))).toEqual([])
    const open = paths.filter((path) => path.includes('v1/'))
    expect(open.length > 0, host).toBe(host === 'vercel' || host === 'static')
  }
})

it('a deployment does not replace what somebody else put there', async () => {
  const site = temporarySite().posts(1).write('deploy/bun/main.js', 'mine')
  const { manifest } = await site.build()
  expect(() => deploy('bun', { out: site.out, manifest })).toThrow('quarry did not write')
  expect(readFileSync(join(site.folder, 'deploy/bun/main.js'), 'utf8')).toBe('mine')
})

it('a deployment is refused when the folder holds another build by now', async () => {
  const site = temporarySite().posts(1)
  const { manifest } = await site.build()
  await site.post('another').build()
  expect(() => deploy('deno', { out: site.out, manifest })).toThrow('replaced by another build')
  expect(existsSync(join(site.folder, 'deploy/deno'))).toBe(false)
})

it('too large a site is refused, with the limit and what helps', () => {
  expect(() => checkLimits('aws-lambda', { files: 10, bytes: 263e6 })).toThrow(
    /^The site is too large for aws-lambda: it needs 263\.0 MB, and at most 262\.1 MB are allowed \(https:.*\)\. Write fewer files with `precompute`/,
  )
  expect(() => checkLimits('cloudflare', { files: 99_999, bytes: 263e6 })).not.toThrow()
})

/** Builds for a host without a function. */
const buildStatic = (folder: string, ...words: string[]) =>
  call(folder, ['build', '--for', 'static', ...words], { QUARRY_WORKERS: '1' })

it('files of a static host go when a post is taken back, and come when it is due', async () => {
  const site = temporarySite()
  site.post('stays').post('goes').post('later', { publishedAt: '2027-01-01' })
  const deployed = join(site.folder, 'deploy/static')
  const names = () => listFiles(join(deployed, 'public/v1/acme/posts')).join()
  await buildStatic(site.folder, '--now', '2026-06-01')
  expect(names()).toMatch(/goes\.json.*stays\.json/)
  expect(names()).not.toContain('later')
  site.post('goes', { status: 'draft' })
  const { stdout } = await buildStatic(site.folder, '--now', '2027-01-01')
  expect(names()).toMatch(/later\.json.*stays\.json/)
  expect(stdout).not.toContain('scheduled post')
  for (const path of listFiles(deployed))
    expect(readFileSync(join(deployed, path), 'utf8')).not.toContain('goes')
})

it('files of a static host are refused where nothing may be shown, or v1 is left out', async () => {
  const closed = temporarySite().post('one').write('content/acme/workspace.yml', 'v1: private\n')
  const refused = await buildStatic(closed.folder)
  expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('every workspace is private')
  const site = temporarySite().post('one')
  site.write('quarry.config.json', '{"precompute": {"versions": ["v2"]}}')
  const wrong = await buildStatic(site.folder)
  expect([wrong.exitCode, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('Add "v1"')
})
