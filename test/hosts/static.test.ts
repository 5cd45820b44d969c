// What a host without a function is given, behind a server that knows nothing but files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { listFiles } from '../../src/build/output.ts'
import type { StoredObject } from '../../src/hosts/deployments.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { hiddenSlugs, now } from '../blackbox/site.ts'
import { call } from '../support/command-call.ts'
import { sampleNow, writeSample } from '../support/sample-site.ts'
import { askHandler, serveFolder, targetOfRequest } from '../support/served-site.ts'
import { TemporarySite, temporarySite } from '../support/temporary-site.ts'

const build = (folder: string, ...words: string[]) =>
  call(folder, ['build', '--for', 'static', ...words], { QUARRY_WORKERS: '1' })

describe('a host without a function', () => {
  const site = new TemporarySite()
  let said = ''
  let folder: string
  let files: readonly string[]
  let handler: Responder

  beforeAll(async () => {
    writeSample(site.folder)
    site.write('quarry.config.json', '{ "platform": "static", "browser": true }')
    said = (await build(site.folder, '--drafts', '--now', now)).stdout
    folder = join(site.folder, 'deploy/static/public')
    files = listFiles(folder)
    handler = (await serveFolder(site.out)).handler({ now: () => sampleNow })
  })

  const text = (path: string) => readFileSync(join(folder, path), 'utf8')

  /** Follows a redirect: a host of files cannot, and has the post under its old name too. */
  const ask = async (target: string) => {
    const reply = await askHandler(handler, target)
    const location = reply.header('location')
    return location === null ? reply : askHandler(handler, location)
  }

  it('is told by the build what is left out, and when a post appears or expires', () => {
    expect(said).toContain('Left out: 1 closed workspace.')
    expect(said).toMatch(/scheduled post appears.* at 2026-06-01T12:02:00\.000Z/)
  })

  it('has nothing but v1 and images of open workspaces, and what says that something is not there', () => {
    expect(readdirSync(folder).sort()).toEqual([
      ...['.nojekyll', '404.html', '404.json', 'media', 'quarry-feeds.js'],
      'quarry-function.js',
      'quarry-sw.js',
      ...['site', 'status.json', 'v1'],
    ])
    expect(files.filter((path) => path.startsWith('media/journal/')).length).toBeGreaterThan(2)
    expect(readdirSync(join(folder, 'media'))).toEqual(['journal'])
    expect(readdirSync(join(folder, 'v1')).sort()).toEqual([
      'journal',
      'laden',
      'notes',
      'shop',
      'soon',
    ])
    const all = files.map(text).join('\n')
    for (const slug of hiddenSlugs) {
      expect(files.filter((path) => path.includes(`/${slug}.`))).toEqual([])
      expect(all.includes(`"${slug}"`), slug).toBe(false)
    }
    expect(all).not.toMatch(/word134623|word395950|of the vault/)
    const responses = files.filter((path) => !/^(?:site|quarry-)/.test(path)).map(text)
    expect(responses.join('\n')).not.toMatch(/sha256|qk_|\/v2/i)
  })

  it('has an object for every file under the path of its request, with the bytes of the function', async () => {
    const list = readFileSync(join(folder, '../objects.json'), 'utf8')
    const objects: readonly StoredObject[] = JSON.parse(list)
    const beside = ['.nojekyll', '404.html']
    expect(objects.map(({ file }) => file.slice('public/'.length)).sort()).toEqual(
      files.filter((file) => !beside.includes(file)).sort(),
    )
    expect(new Set(objects.map(({ key }) => key)).size).toBe(objects.length)
    const responses = objects.filter(({ key }) => key.startsWith('v1/'))
    expect(responses.length).toBeGreaterThan(200)
    for (const { key, file, contentType, cacheControl } of responses) {
      const request = requestOfFile(file) ?? expect.unreachable()
      const reply = await ask(targetOfRequest(request))
      expect([reply.status, reply.text], key).toEqual([200, text(file.slice('public/'.length))])
      expect([contentType, cacheControl]).toEqual([
        reply.header('content-type'),
        'public, max-age=60, s-maxage=300, stale-while-revalidate=86400',
      ])
      // Pages and variants have keys of their own.
      if (key.includes('_')) continue
      const target = `/${key.split('/').map(encodeURIComponent).join('/')}`
      expect((await ask(target)).text, key).toBe(reply.text)
    }
    const [image] = objects.filter(({ key }) => key.startsWith('media/'))
    expect(image).toMatchObject({ contentType: 'image/png' })
    expect(image?.cacheControl).toContain('immutable')
    // Of the view for browsers, names of data say what is in them.
    for (const { key, cacheControl } of objects.filter(({ key }) => /^(site|quarry-)/.test(key)))
      expect(cacheControl.includes('immutable'), key).toBe(key.startsWith('site/data/'))
  })
})

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
  expect(refused.stderr).toContain('every workspace is closed')
  const site = temporarySite().post('one')
  site.write('quarry.config.json', '{"precompute": {"versions": ["v2"]}}')
  const wrong = await build(site.folder)
  expect([wrong.exitCode, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('Add "v1"')
})
