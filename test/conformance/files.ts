// What every host does that serves the files of canonical requests by itself: the same status and body as the function,
// and the function is not started.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { decodeManifest, type Manifest } from '../../src/build/manifest.ts'
import { servedFiles } from '../../src/hosts/deployment.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler, serveFolder, targetOfRequest } from '../support/served-site.ts'
import type { HostUnderTest } from './host.ts'

/** A host whose function can be stopped. */
export interface FileHost extends Pick<HostUnderTest, 'request' | 'out' | 'close'> {
  /** From then on a request that needs the function is a 500. */
  stopFunction(): Promise<void> | void
}

/** Requests that are the function's, whatever they mean; below `/v1/open`, which has no scheduled post. */
export const notCanonical = [
  ...['/posts?page=999', '/posts?page=0', '/posts?page=02', '/posts?limit=7', '/posts?limit=x'],
  ...['/posts?limit=all&page=2', '/posts?order=asc&format=markdown&limit=all', '/posts?format=pdf'],
  ...['/posts?tags=alpha', '/posts?query=body', '/posts?featured=true', '/posts?order=ASC'],
  ...['/posts?strict=true&unknown=1', '/posts?excludeContent=1', '/tags/alpha?limit=3'],
  ...['/posts/one?include=posts', '/posts/one?page=2', '/tags?order=asc'],
  ...['/posts/nobody', '/posts/_all', '/posts/_page/2', '/posts/index_', '/posts/a.json_'],
  ...['/posts/_markdown', '/posts/index.json', '/posts/_markdown%2Fone', '/posts/%5fall'],
  ...['/posts%2Fone', '/posts/one%2F', '/posts/..%2fposts%2fone', '/tags/alpha/_posts/1'],
  ...['/posts/', '/posts//one', '/posts/one/more', '/Posts', '/posts/%e9', '/posts/%C3'],
  ...['/posts.json', '/posts/_page/2.json', '/posts/_markdown/one.json', '/nothing', '', '/'],
] as const

/** A parameter that is given twice. A host whose documents do not say what happens then may skip it. */
const twice = ['/posts?page=1&page=2', '/posts?page=2&page=1', '/posts?page&page=2']

/** Unusual spellings: a host may read them by itself, or leave them to the function. */
const unusual = [
  ...['/posts?p%61ge=2', '/posts?page=%32', '/posts?+page=2', '/posts/on%65', '/p%6fsts'],
  ...['/posts?tags=', '/posts?query=', '/posts?page'],
]

/** Parameters that nobody knows: the request stays the same one. */
const neutral = ['utm_source=a%20b&fbclid=x', 'PAGE=2&unknown=1&=3', '&']
const usual = 'page=1&limit=10&order=desc&format=html&excludeContent=false&include='

interface FileOptions {
  /** A repeated parameter may have a file. */
  readonly skipsTwice?: boolean
  /** The host has no data of the site: lists of authors are no files in workspaces with scheduled posts. */
  readonly isUnaware?: boolean
}

/**
 * Defines the cases.
 *
 * @param open starts the host with content beside the fixture's
 */
export function defineFiles(
  name: string,
  open: (addContent: (content: string) => void) => Promise<FileHost>,
  { skipsTwice = false, isUnaware = false }: FileOptions = {},
): void {
  describe(`the files of ${name}`, () => {
    let host: FileHost
    let handler: Responder
    let manifest: Manifest

    beforeAll(async () => {
      host = await open(addOpenWorkspace)
      handler = (await serveFolder(host.out)).handler()
      manifest =
        decodeManifest(readFileSync(join(host.out, 'manifest.json'))) ?? expect.unreachable()
    })
    afterAll(() => host?.close?.())

    const expectSame = async (target: string, method = 'GET') => {
      const response = await host.request(target, { method })
      const { status, text } = await askHandler(handler, target, { method })
      expect([response.status, await response.text()], `${method} ${target}`).toEqual([
        status,
        text,
      ])
    }
    const functionTargets = () => {
      const served = new Set(servedFiles('v1', manifest).map(({ path }) => path))
      const scheduled = targetsOf([...manifest.files.keys()].filter((path) => !served.has(path)))
      const odd = [...notCanonical, ...(skipsTwice ? [] : twice)].map((path) => `/v1/open${path}`)
      const closed = ['/v1/secret/posts', '/v1/secret/posts/one', '/v1//posts']
      return [...scheduled, ...odd, ...closed, '/V1/open/posts', '/v1/OPEN/posts']
    }
    const fileTargets = () =>
      targetsOf(servedFiles('v1', manifest).map(({ path }) => path)).filter((target) => {
        const [, workspace = ''] = /^\/v1\/([^/]+)\/authors(?:\?|$)/.exec(target) ?? []
        return !isUnaware || !manifest.workspaces[workspace]?.scheduled
      })

    it('answer as the function does, and so does everything that has none', async () => {
      for (const target of functionTargets()) await expectSame(target)
      for (const path of unusual) await expectSame(`/v1/open${path}`)
      for (const method of ['HEAD', 'POST', 'DELETE']) await expectSame('/v1/open/posts', method)
    })

    it('have the headers of the interface', async () => {
      const { headers } = await host.request('/v1/open/posts?limit=all&excludeContent=true')
      const names = ['content-type', 'access-control-allow-origin', 'x-content-type-options']
      expect(names.map((field) => headers.get(field))).toEqual(['application/json', '*', 'nosniff'])
      expect(headers.get('access-control-expose-headers')).toContain('ETag')
      expect(headers.get('cache-control')).toBe(
        'public, max-age=60, s-maxage=300, stale-while-revalidate=86400',
      )
    })

    // The last one: the function does not come back.
    it('start the function for no canonical request, and everything else needs it', async () => {
      await host.stopFunction()
      const targets = fileTargets()
      expect(targets.length).toBeGreaterThan(150)
      for (const target of targets) {
        await expectSame(target)
        for (const query of neutral) await expectSame(withQuery(target, query))
      }
      await expectSame(`/v1/open/posts?${usual}`)
      await expectSame('/v1/open/posts', 'HEAD')
      for (const target of functionTargets()) {
        // Nothing that a cache before the function has kept. A host may refuse a request by itself.
        const { status } = await host.request(withQuery(target, 'fresh=1'))
        expect([400, 500], target).toContain(status)
      }
    })
  })
}

function withQuery(target: string, query: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${query}`
}

function targetsOf(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const request = requestOfFile(path)
    return request?.version === 'v1' ? [targetOfRequest(request)] : []
  })
}

/** A workspace without scheduled posts, and lists of every sort. */
export function addOpenWorkspace(content: string): void {
  const write = (path: string, text: string) => {
    const file = join(content, 'open', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  write('workspace.yml', 'name: Open\n')
  write('categories/news.md', '---\nname: News\n---\n')
  const tags = [
    ['alpha', 'Alpha'],
    ['index', 'Index'],
    ['a.json', 'A'],
  ].map(([slug, name]) => ({ slug, name }))
  write('tags.yml', JSON.stringify(tags))
  write('authors.yml', '[{slug: ada, name: Ada}]')
  const slugs = [
    'one',
    'index',
    'a.json',
    '日本語',
    ...Array.from({ length: 9 }, (_, n) => `n-${n}`),
  ]
  for (const [number, slug] of slugs.entries()) {
    const date = new Date(Date.UTC(2025, 0, 1 + number)).toISOString()
    const terms = 'category: news\ntags: [alpha, index, a.json]\nauthors: [ada]'
    const head = `slug: "${slug}"\ntitle: Post ${number}\n${terms}\npublishedAt: ${date}`
    write(`posts/${number}.md`, `---\n${head}\n---\nBody of *${number}*.\n`)
  }
  const config = join(content, '../quarry.config.ts')
  const lists = "['default', 'asc', 'excludeContent', 'excludeContent+all']"
  const precompute = `, precompute: { pageSizes: [10, 4], lists: ${lists} } })`
  writeFileSync(config, readFileSync(config, 'utf8').replace(' })', precompute))
}
