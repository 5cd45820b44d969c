// What a host without a function is given, behind a server that knows nothing but files, asked for everything.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filePath, requestOfFile } from '../../src/api/paths.ts'
import { listFiles } from '../../src/build/output.ts'
import type { StoredObject } from '../../src/hosts/static.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { type Deployed, deployExample } from '../conformance/deployed.ts'
import { pictureBytes, picturePath } from '../conformance/picture.ts'
import { call } from '../support/command-call.ts'
import { type Nginx, provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'
import {
  askHandler,
  type ReadReply,
  type ServedFolder,
  serveFolder,
  targetOfRequest,
} from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** Follows a redirect: a host of files cannot, and has the post under its old name too. */
async function askPost(handler: Responder, target: string): Promise<ReadReply> {
  const reply = await askHandler(handler, target)
  const location = reply.header('location')
  return location === null ? reply : askHandler(handler, location)
}

describe('a host without a function', () => {
  let deployed: Deployed
  let folder: string
  let files: readonly string[]
  let served: ServedFolder

  beforeAll(async () => {
    deployed = await deployExample('static')
    folder = join(deployed.folder, 'deploy/static/public')
    files = listFiles(folder)
    served = await serveFolder(join(deployed.folder, 'dist'))
  })
  afterAll(() => {
    served.close()
    deployed.remove()
  })

  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const responses = () => files.filter((path) => path.startsWith('v1/'))

  it('is told by the build what it never can, and until when the files are true', () => {
    for (const word of [
      'filter',
      'search',
      'key',
      'v2',
      'request rates',
      'scheduled',
      'statuses',
    ]) {
      expect(deployed.said).toContain(word)
    }
    expect(deployed.said).toContain('Left out: 1 closed workspace.')
    expect(deployed.said).toContain('valid until 2999-01-01T00:00:00.000Z: build and upload again')
    expect(JSON.parse(text('status.json'))).toEqual({
      status: 'ok',
      build: served.site.build,
    })
  })

  it('has nothing but v1 and images of open workspaces, and what says that something is not there', () => {
    const tops = readdirSync(folder).sort()
    expect(tops).toEqual([
      ...['.nojekyll', '404.html', '404.json', 'media', 'openapi.json', 'status.json'],
      'v1',
    ])
    expect(files.filter((path) => path.startsWith('media/'))).toEqual([picturePath.slice(1)])
    expect(readFileSync(join(folder, picturePath)).equals(pictureBytes)).toBe(true)
    expect(readdirSync(join(folder, 'v1')).sort()).toEqual(['acme', 'beta'])
    const all = files.map(text).join('\n')
    for (const slug of deployed.site.hidden) {
      expect(files.filter((path) => path.includes(slug))).toEqual([])
      expect(all.includes(slug), slug).toBe(false)
    }
    expect(all).not.toMatch(/needle-|"Secret"|sha256|qk_|\/v2/i)
  })

  it('names an object for every file, under the path of its request', async () => {
    const handler = served.handler({ now: () => deployed.site.now })
    const list = readFileSync(join(folder, '../objects.json'), 'utf8')
    const objects: readonly StoredObject[] = JSON.parse(list)
    const beside = ['public/.nojekyll', 'public/404.html']
    expect(objects.map(({ file }) => file).sort()).toEqual(
      files
        .map((file) => `public/${file}`)
        .filter((file) => !beside.includes(file))
        .sort(),
    )
    expect(new Set(objects.map(({ key }) => key)).size).toBe(objects.length)
    const plain = objects.filter(({ key }) => /^v1\/[^_]*$/.test(key))
    expect(plain.length).toBeGreaterThan(100)
    for (const { key, file, contentType, cacheControl } of plain) {
      const target = `/${key.split('/').map(encodeURIComponent).join('/')}`
      const reply = await askPost(handler, target)
      expect([reply.status, reply.text], key).toEqual([200, text(file.slice('public/'.length))])
      expect([contentType, cacheControl]).toEqual([
        reply.header('content-type'),
        'public, max-age=60, s-maxage=300, stale-while-revalidate=86400',
      ])
    }
    const [image] = objects.filter(({ key }) => key.startsWith('media/'))
    expect(image).toMatchObject({ contentType: 'image/png', key: picturePath.slice(1) })
    expect(image?.cacheControl).toContain('immutable')
  })

  it('holds for every file the bytes that the function gives, and JSON alone but for feeds', async () => {
    const handler = served.handler({ now: () => deployed.site.now })
    expect(responses().length).toBeGreaterThan(200)
    for (const path of responses()) {
      const request = requestOfFile(`public/${path}`)
      if (request === null) throw new Error(`${path} is no answer`)
      const reply = await askPost(handler, targetOfRequest(request))
      expect(reply.status, path).toBe(200)
      expect(text(path), path).toBe(reply.text)
    }
    for (const path of files) {
      if (path !== '.nojekyll' && !path.startsWith('media/') && !/\.(?:xml|txt)$/.test(path))
        expect(() => JSON.parse(text(path)), path).not.toThrow()
    }
  })

  it('has for every id what it has for the slug', () => {
    let compared = 0
    for (const path of responses()) {
      const request = requestOfFile(`public/${path}`)
      if (request?.identifier == null) continue
      const body = JSON.parse(text(path))
      const { id, slug } = body.post ?? body
      for (const identifier of [id, slug]) {
        const other = filePath({ ...request, identifier })?.slice('public/'.length) ?? ''
        expect(text(other), other).toBe(text(path))
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(200)
  })

  it('describes the paths of all its files, and no other', () => {
    const { paths, components } = JSON.parse(text('openapi.json'))
    const patterns = Object.keys(paths).map(
      (template) =>
        new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    )
    for (const path of responses()) {
      expect(
        patterns.some((pattern) => pattern.test(`/${path}`)),
        path,
      ).toBe(true)
    }
    for (const pattern of patterns) {
      expect(
        responses().some((path) => pattern.test(`/${path}`)),
        pattern.source,
      ).toBe(true)
    }
    expect(components.securitySchemes).toBeUndefined()
    const operations = Object.values(paths) as { get: { parameters: { in: string }[] } }[]
    expect(operations.flatMap(({ get }) => get.parameters).every((one) => one.in === 'path')).toBe(
      true,
    )
  })
})

describe.skipIf(provideNginx() !== null)('nginx with nothing but a root', () => {
  let deployed: Deployed
  let nginx: Nginx
  let base: string

  beforeAll(async () => {
    deployed = await deployExample('static')
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    nginx = await startNginx(
      `default_type application/json;
      server {
        listen 127.0.0.1:${port};
        root ${deployed.folder}/deploy/static/public;
        error_page 404 /404.json;
      }`,
      port,
    )
  })
  afterAll(async () => {
    await nginx.stop()
    deployed.remove()
  })

  it('gives every file, whatever letters are in its name, and whatever query is added', async () => {
    const folder = join(deployed.folder, 'deploy/static/public')
    const paths = listFiles(folder).filter((path) => path.startsWith('v1/'))
    expect(paths.length).toBeGreaterThan(200)
    for (const path of paths) {
      const target = path.split('/').map(encodeURIComponent).join('/')
      const response = await fetch(`${base}/${target}?order=asc`)
      const written = readFileSync(join(folder, path), 'utf8')
      expect([response.status, await response.text()], path).toEqual([200, written])
    }
  })

  it.each([
    '/v2/posts',
    '/v2/acme/posts/index.json',
    '/v1/secret/posts/index.json',
    '/v1/secret/posts/one.json',
    '/v1/acme/posts/a-draft.json',
    '/v1/acme/posts/scheduled-1.json',
    '/v1/acme/posts/none.json',
    '/function/root.json',
    '/manifest.json',
    '/deployment.json',
  ])('answers %s with an error in JSON', async (path) => {
    const response = await fetch(`${base}${path}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: 'Not Found',
      details: null,
      message: 'There is no such file.',
    })
  })
})

describe('the files of a host without a function', () => {
  const build = (folder: string, ...words: string[]) =>
    call(folder, ['build', '--for', 'static', ...words], { QUARRY_WORKERS: '1' })

  it('go when a post is taken back, and come when it is due', async () => {
    const site = temporarySite()
    site.post('stays').post('goes').post('later', { publishedAt: '2027-01-01' })
    const names = () =>
      listFiles(join(site.folder, 'deploy/static/public/v1/acme/posts'))
        .filter((path) => /^(?:stays|goes|later)\.json$/.test(path))
        .sort()
    await build(site.folder, '--now', '2026-06-01')
    expect(names()).toEqual(['goes.json', 'stays.json'])
    site.post('goes', { status: 'draft' })
    const { stdout } = await build(site.folder, '--now', '2027-01-01')
    expect(names()).toEqual(['later.json', 'stays.json'])
    expect(stdout).toContain('No post is scheduled')
    const files = listFiles(join(site.folder, 'deploy/static'))
    const all = files.map((path) => readFileSync(join(site.folder, 'deploy/static', path), 'utf8'))
    expect(all.join('\n')).not.toContain('goes')
  })

  it('follow what the configuration says of formats, page sizes, lists and ids', async () => {
    const site = temporarySite().posts(5)
    const precompute = { formats: ['markdown'], pageSizes: [2], lists: ['default'], ids: false }
    site.write('quarry.config.json', JSON.stringify({ platform: 'static', precompute }))
    const { stdout } = await call(site.folder, ['build'], { QUARRY_WORKERS: '1' })
    expect(stdout).toContain('Ready for static')
    const posts = listFiles(join(site.folder, 'deploy/static/public/v1/acme/posts'))
    expect([...posts].sort()).toEqual([
      ...['_page/2.json', '_page/3.json', 'index.json'].map((name) => `_markdown/_limit/2/${name}`),
      ...[1, 2, 3, 4, 5].map((number) => `_markdown/post-${number}.json`),
    ])
  })

  it('have the neighbours of each post where the configuration says so', async () => {
    const site = temporarySite().posts(3)
    const precompute = { neighbours: true, formats: ['html'] }
    site.write('quarry.config.json', JSON.stringify({ platform: 'static', precompute }))
    await build(site.folder)
    const folder = join(site.folder, 'deploy/static')
    const file = 'public/v1/acme/posts/_neighbours/post-2.json'
    const { neighbours } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const slugs = [neighbours.previous?.slug, neighbours.next?.slug]
    expect(slugs.sort()).toEqual(['post-1', 'post-3'])
    const served = await serveFolder(join(site.folder, 'dist'))
    const response = await askHandler(served.handler(), '/v1/acme/posts/post-2?include=neighbours')
    served.close()
    expect(response.text).toBe(readFileSync(join(folder, file), 'utf8'))
    const objects = JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8'))
    expect(objects).toContainEqual(
      expect.objectContaining({ key: 'v1/acme/posts/_neighbours/post-2', file }),
    )
  })

  it('are refused where nothing may be shown, or v1 is left out', async () => {
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
})
