// Publication and followers against a real store, over a network that fails.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { decodeManifest } from '../../src/emit/manifest.ts'
import { readBuiltSite } from '../../src/publish/built-site.ts'
import { collectGarbage } from '../../src/publish/collect.ts'
import { Follower } from '../../src/publish/follow.ts'
import { type Lineage, readLineage } from '../../src/publish/lineage.ts'
import { objectKey } from '../../src/publish/object-names.ts'
import { keysOf, type Published, publishBuild } from '../../src/publish/publish.ts'
import { S3Client, type S3Options } from '../../src/publish/s3-client.ts'
import { readCredentials, readLocation } from '../../src/publish/s3-location.ts'
import { BuildStore } from '../../src/publish/store.ts'
import { provideCeph, type S3Server, s3At, startCeph } from '../support/ceph.ts'
import { run } from '../support/command-line.ts'
import { blocksOf, documentedProject, readDocument, shell } from '../support/documented-project.ts'
import {
  type FaultyProxy,
  faults,
  type Interference,
  type SeenRequest,
  slowMilliseconds,
  startProxy,
} from '../support/faulty-proxy.ts'
import { startR2 } from '../support/r2-store.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** R2 comes with workerd; Ceph needs packages of Debian. */
const stores = [
  { name: 'R2', startStore: startR2 },
  ...(provideCeph() === null ? [{ name: 'Ceph', startStore: startCeph }] : []),
]
let server: S3Server

describe.each(stores)('a bucket of $name', { timeout: 120_000 }, ({ name, startStore }) => {
  beforeAll(async () => {
    server = await startStore()
    await server.createBucket('site')
  }, 180_000)
  afterAll(() => server?.stop())

  it('takes a build, and a folder follows it', async () => {
    const url = freshUrl()
    const site = await builtSite()
    const command = (...words: readonly string[]) => run(site.folder, words, server.environment)
    const published = await command('publish', url, '--responses')
    expect(published.stdout).toMatch(/^Published build [0-9a-f]{16} as commit 1 of s3:/)
    expect((await command('publish', url, '--responses')).stdout).toContain('is commit 1')
    const followed = await command('follow', url, '--out', 'copy', '--once')
    expect(followed.stdout).toMatch(/^Build [0-9a-f]{16} of commit 1 is in copy: \d+ files fetched/)
    expect(contents(site, 'copy')).toEqual(contents(site, 'dist'))
  })

  it('takes the index with drafts and the changes of builds, and a folder follows both', async () => {
    const url = freshUrl()
    const site = temporarySite({ changes: true, cache: '.cache' }).posts(2)
    await site.build({ drafts: true })
    site.post('closed', { status: 'draft' }, 'Needledraft.\n').post('third')
    await site.build({ drafts: true })
    // Responses are no part of this publication, nor what an earlier build left for functions that run.
    const ofFunction = (out: string) =>
      Object.entries(contents(site, out)).filter(([path]) => path.startsWith('/function/'))
    const own = (out: string) =>
      Object.keys(contents(site, out)).filter((path) =>
        readFileSync(join(site.folder, out, path)).includes('Needledraft'),
      )
    await publish(url, site)
    const follower = followerOf(url, site)
    await follower.update()
    expect(ofFunction('dist')).toEqual(expect.arrayContaining(ofFunction('copy')))
    expect(wrongFiles(site)).toEqual([])
    expect(own('copy')).not.toEqual([])
    const names = Object.keys(contents(site, 'copy'))
    expect(names.filter((name) => /^\/function\/changes\/\w+\.bin$/.test(name))).toHaveLength(1)
    await site.build()
    site.post('fourth')
    await site.build()
    await publish(url, site)
    await follower.update()
    expect(wrongFiles(site)).toEqual([])
    expect(own('dist')).toEqual([])
  })

  it('has nothing to follow before the first commit', async () => {
    const { folder } = temporarySite()
    const { exitCode, stderr } = await run(
      folder,
      ['follow', freshUrl(), '--once'],
      server.environment,
    )
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There is no build in s3://')])
  })

  it('gets only new objects after an edit, and gives only those', async () => {
    const url = freshUrl()
    const site = await builtSite()
    await publish(url, site)
    const store = storeAt(url)
    const follower = new Follower(store, { content: site.content, out: join(site.folder, 'copy') })
    await follower.update()
    await site.post('post-1', {}, 'Another text.\n').build()
    const before = objectsOf(site)
    const { objects, requests } = JSON.parse(
      (await run(site.folder, ['publish', url, '--json'], server.environment)).stdout,
    )
    expect(objects).toBeLessThan(before.size)
    // As docs/publishing.md counts them: trial, reads, commit and hint.
    expect(requests).toBe(8 + 4 + objects + 2)
    expect(await follower.update()).toMatchObject({ sequence: 2, files: objects - 1 })
    const sent = store.requests
    expect(await follower.update()).toBeNull()
    expect(store.requests).toBe(sent + 1)
  })

  it('completes a folder that was damaged', async () => {
    const url = freshUrl()
    const site = await builtSite()
    await publish(url, site)
    await followerOf(url, site).update()
    site.write('copy/function/index.bin', 'damaged').remove('copy/public/index.html')
    expect(await followerOf(url, site).update()).toMatchObject({ files: 2 })
    expect(wrongFiles(site)).toEqual([])
  })

  it('orders publishers, and refuses content that is not newer', async () => {
    const url = freshUrl()
    const site = await builtSite()
    const git = gitIn(site.folder)
    const [first, second] = [git('first'), git('second')]
    const command = (...words: readonly string[]) =>
      run(site.folder, ['publish', url, ...words], server.environment)
    expect((await command()).stdout).toContain('as commit 1')
    await site.post('post-9').build()
    const refused = await command('--source', first)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(
      `published from ${second}, which is no known ancestor of ${first}`,
    )
    expect((await command('--source', first, '--rollback')).stdout).toContain('as commit 2')
    expect((await command()).stdout).toContain('as commit 3')
    expect((await command('--source', 'nothing')).stderr).toContain('"nothing" is no commit')
  })

  it('lets four publishers at once through in the order of their content', async () => {
    const url = freshUrl()
    const site = await builtSite()
    const git = gitIn(site.folder)
    const lineages: Lineage[] = []
    const builds = []
    for (const name of ['a', 'b', 'c', 'd']) {
      await site.post(name).build()
      builds.push({ ...readBuiltSite(site.out, false), read: frozenFiles(site) })
      lineages.push(await readLineage(site.content, git(name)))
    }
    const results = await Promise.allSettled(
      builds.map((built, number) => {
        const lineage = lineages[number] ?? lineages[0]
        if (lineage === undefined) throw new Error('There is no lineage.')
        return publishBuild(storeAt(url), { built, lineage, isRollback: false })
      }),
    )
    const committed = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.sequence] : [],
    )
    // In time, with content that becomes newer: never an older one after a newer one.
    expect(committed).toEqual([...committed].sort((a, b) => a - b))
    expect(committed).toEqual(committed.map((_, index) => index + 1))
    expect(results.at(-1)).toMatchObject({ status: 'fulfilled' })
  })

  it('refuses content without git where another publication was faster', async () => {
    const url = freshUrl()
    const [site, other] = [await builtSite(), await builtSite('other')]
    let isFirst = true
    const proxy = await proxied(async ({ method, path }) => {
      if (method === 'PUT' && path.endsWith('000000000001.json') && isFirst) {
        isFirst = false
        await publish(url, other)
      }
      return null
    })
    await expect(publish(url, site, proxy)).rejects.toThrow(/published at the same time/)
    expect(await publish(url, site)).toMatchObject({ sequence: 2 })
  })

  it('knows its commit again when the response was lost', async () => {
    const url = freshUrl()
    const site = await builtSite()
    let isFirst = true
    const proxy = await proxied(({ method, path }) => {
      const isLost = method === 'PUT' && path.includes('/commits/') && isFirst
      if (isLost) isFirst = false
      return isLost ? 'lost' : null
    })
    expect(await publish(url, site, proxy)).toMatchObject({ sequence: 1, isNew: true })
    expect(proxy.counts.get('lost')).toBe(1)
  })

  it('loses nothing that is in use to a collection of garbage', async () => {
    const url = freshUrl()
    const site = await builtSite()
    const store = storeAt(url)
    const versions = []
    for (const text of ['One.', 'Two.', 'Three.']) {
      await site.post('post-1', {}, `${text}\n`).build()
      versions.push(objectsOf(site))
      await publish(url, site)
    }
    expect((await collectGarbage(store, 24)).removed).toBe(0)
    const { removed } = await collectGarbage(store, 0)
    expect(removed).toBeGreaterThan(0)
    const left = await keysIn(store)
    const [first = new Set(), second = new Set(), third = new Set()] = versions
    expect([...second, ...third].filter((key) => !left.has(key))).toEqual([])
    const onlyFirst = [...first].filter((key) => !second.has(key) && !third.has(key))
    expect(onlyFirst.length).toBeGreaterThan(0)
    expect(onlyFirst.filter((key) => left.has(key))).toEqual([])
    expect(await followerOf(url, site).update()).toMatchObject({ sequence: 4 })
    expect(wrongFiles(site)).toEqual([])
  })

  it('gets again what a collection removed while a publication counted on it', async () => {
    const url = freshUrl()
    const site = await builtSite()
    const texts = ['One.', 'Two.', 'Three.', 'One.']
    let isFirst = true
    const proxy = await proxied(async ({ method, path }) => {
      // All objects of the first build were found, and the commit that names them is under way.
      if (method === 'PUT' && path.endsWith('000000000004.json') && isFirst) {
        isFirst = false
        expect((await collectGarbage(storeAt(url), 0)).removed).toBeGreaterThan(0)
      }
      return null
    })
    const results: Published[] = []
    for (const text of texts) {
      await site.post('post-1', {}, `${text}\n`).build()
      results.push(await publish(url, site, proxy))
    }
    expect(results.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 5])
    expect(results[3]?.objects).toBeGreaterThan(0)
    await followerOf(url, site).update()
    expect(wrongFiles(site)).toEqual([])
  })

  it('waits for a collection that runs, before it counts on any object', async () => {
    const url = freshUrl()
    const site = await builtSite()
    await publish(url, site)
    const before = await latest(url)
    await storeAt(url).commit({ ...before, sequence: 2, collection: 2, writer: 'another' })
    await site.post('post-1', {}, 'Two.\n').build()
    let isEnded = false
    const waits: number[] = []
    const client = new S3Client(
      readLocation(url, {}, server.environment),
      readCredentials(server.environment),
    )
    const store = new BuildStore(client, async (sequence) => {
      waits.push(sequence)
      isEnded = true
      await storeAt(url).markCollected(2)
    })
    const [built, lineage] = [readBuiltSite(site.out, false), await readLineage(site.content)]
    const read: typeof built.read = async (path, entry) => {
      expect(isEnded).toBe(true)
      return built.read(path, entry)
    }
    const publishing = { built: { ...built, read }, lineage, isRollback: false }
    expect(await publishBuild(store, publishing)).toMatchObject({ sequence: 3 })
    expect(waits).toEqual([2])
  })

  it('is used as docs/publishing.md shows it', async () => {
    await server.createBucket('my-bucket')
    const site = documentedProject()
    const [publishing = '', following = ''] = blocksOf(readDocument('publishing.md'), 'sh')
    const exported = Object.entries(server.environment).map(
      ([name, value]) => `export ${name}=${value}`,
    )
    const [secrets = '', ...commands] = publishing.split('\n')
    expect(secrets).toMatch(/^export AWS_ACCESS_KEY_ID=/)
    shell(site, [...exported, ...commands].join('\n'))
    const [follow = ''] = following.split('\n')
    const printed = shell(site, [...exported, `${follow} --once`].join('\n'))
    expect(printed).toMatch(/^Build [0-9a-f]{16} of commit 1 is in dist: 0 files fetched/)
  })

  it('takes the latest build where an older one was removed while it was fetched', async () => {
    const url = freshUrl()
    const site = await builtSite()
    await publish(url, site)
    let isFirst = true
    const proxy = await proxied(async ({ method, path }) => {
      if (method === 'GET' && path.includes('/objects/') && isFirst) {
        isFirst = false
        for (const text of ['Two.', 'Three.']) {
          await site.post('post-1', {}, `${text}\n`).build()
          await publish(url, site)
        }
        await collectGarbage(storeAt(url), 0)
      }
      return null
    })
    expect(await followerOf(url, site, proxy).update()).toMatchObject({ sequence: 4 })
    expect(wrongFiles(site)).toEqual([])
  })

  it('reports an object that is missing, and leaves the folder as it was', async () => {
    const url = freshUrl()
    const site = await builtSite()
    await publish(url, site)
    const [key = ''] = await keysOf(storeAt(url), await latest(url))
    await storeAt(url).remove(key)
    await expect(followerOf(url, site).update()).rejects.toThrow(
      /Objects of commit 1 .* are missing/,
    )
    expect(existsSync(join(site.folder, 'copy/manifest.json'))).toBe(false)
  })

  it('finds the latest commit without a hint, or with a wrong one', async () => {
    const url = freshUrl()
    const site = await builtSite()
    for (let number = 1; number <= 5; number++) {
      await site.post('post-1', {}, `${number}\n`).build()
      await publish(url, site)
    }
    for (const hint of [1, 4, 77]) {
      await storeAt(url).putHint(hint)
      expect(await latest(url)).toMatchObject({ sequence: 5 })
    }
    await storeAt(url).remove('current.json')
    expect(await latest(url)).toMatchObject({ sequence: 5 })
  })

  it('is used over a network that fails, and no folder gets a wrong byte', async () => {
    const url = freshUrl()
    const site = await builtSite()
    let seen = 0
    // Every fault in turn, for a third of the requests.
    const proxy = await proxied(() =>
      seen++ % 3 === 0 ? (faults[((seen / 3) % 8) | 0] ?? null) : null,
    )
    const impatient = { timeoutMilliseconds: slowMilliseconds / 2 }
    const follower = followerOf(url, site, proxy, impatient)
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) {
      await site.post('post-1', {}, `${text}\n`).build()
      await publish(url, site, proxy, impatient)
      await follower.update()
      expect(wrongFiles(site)).toEqual([])
    }
    expect([...proxy.counts.keys()].sort()).toEqual([...faults].sort())
  })

  it.each(['wrong', 'short', 'broken'] as const)(
    'is an error where every response is %s, and the folder stays as it was',
    async (fault) => {
      const url = freshUrl()
      const site = await builtSite()
      await publish(url, site)
      await followerOf(url, site).update()
      await site.post('post-1', {}, 'Another.\n').build()
      await publish(url, site)
      const isObject = ({ path }: SeenRequest) => path.includes('/objects/')
      const proxy = await proxied((request) => (isObject(request) ? fault : null))
      const before = contents(site, 'copy')
      const follower = followerOf(url, site, proxy, { attempts: 3 })
      await expect(follower.update()).rejects.toThrow(/GET s3:\/\/site\/.*objects.* failed/)
      expect(contents(site, 'copy')).toEqual(before)
    },
  )

  // The worker before R2 checks no signatures.
  it.skipIf(name === 'R2')('is refused with a wrong secret, and no message shows it', async () => {
    const site = await builtSite()
    const environment = { ...server.environment, AWS_SECRET_ACCESS_KEY: 'not-the-secret' }
    const { exitCode, stderr } = await run(site.folder, ['publish', freshUrl()], environment)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('SignatureDoesNotMatch')])
    expect(stderr).not.toContain('not-the-secret')
  })
})

describe('a store that ignores If-None-Match', () => {
  it('is refused before anything is published', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quarry-s3rver-'))
    const server = new S3rver({
      port: 0,
      silent: true,
      directory,
      configureBuckets: [{ name: 'site' }],
    })
    const { port } = await server.run()
    onTestFinished(() => server.close())
    const site = await builtSite()
    const { environment } = s3At(`http://127.0.0.1:${port}`)
    const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }
    const { exitCode, stderr } = await run(site.folder, ['publish', 's3://site'], {
      ...environment,
      ...keys,
    })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('ignores If-None-Match')])
  })
})

async function builtSite(name = 'site'): Promise<TemporarySite> {
  const site = temporarySite().write('content/acme/categories/news.md', `---\nname: ${name}\n---\n`)
  await site.posts(3).build()
  return site
}

let urls = 0

function freshUrl(): string {
  return `s3://site/test-${++urls}`
}

function storeAt(url: string, proxy?: FaultyProxy, options: S3Options = {}): BuildStore {
  const { environment } = proxy === undefined ? server : s3At(proxy.endpoint)
  const location = readLocation(url, {}, environment)
  const quick = { attempts: 20, pauseMilliseconds: 1, ...options }
  const usual = proxy === undefined ? {} : quick
  return new BuildStore(new S3Client(location, readCredentials(environment), usual))
}

async function publish(
  url: string,
  site: TemporarySite,
  proxy?: FaultyProxy,
  options?: S3Options,
): Promise<Published> {
  const built = readBuiltSite(site.out, false)
  const lineage = await readLineage(site.content)
  return publishBuild(storeAt(url, proxy, options), { built, lineage, isRollback: false })
}

function followerOf(
  url: string,
  site: TemporarySite,
  proxy?: FaultyProxy,
  options?: S3Options,
): Follower {
  const { content, folder } = site
  return new Follower(storeAt(url, proxy, options), { out: join(folder, 'copy'), content })
}

async function latest(url: string) {
  const commit = await storeAt(url).latestAfter(0)
  if (commit === null) throw new Error('There is no commit.')
  return commit.record
}

async function proxied(interfere: Interference): Promise<FaultyProxy> {
  const proxy = await startProxy(server.endpoint, interfere)
  onTestFinished(() => proxy.stop())
  return proxy
}

/** Hashes of all files below a folder of a site, by path; without the build stamp. */
function contents(site: TemporarySite, folder: string): Readonly<Record<string, string>> {
  const out = join(site.folder, folder)
  const names = execFileSync('find', [out, '-type', 'f', '!', '-name', '.seal'], {
    encoding: 'utf8',
  })
  const files = names.trim().split('\n').sort()
  return Object.fromEntries(
    files.map((file) => [file.slice(out.length), hash('sha256', readFileSync(file))]),
  )
}

/** Files of the followed folder that are not as its manifest, and the build, say. */
function wrongFiles(site: TemporarySite): readonly string[] {
  const copy = join(site.folder, 'copy')
  const manifest = decodeManifest(readFileSync(join(copy, 'manifest.json')))
  if (manifest === null) return ['manifest.json']
  const { files } = readBuiltSite(site.out, false).manifest
  expect([...manifest.files.keys()]).toEqual([...files.keys()])
  return [...files]
    .filter(([path, { sha256 }]) => hash('sha256', readFileSync(join(copy, path))) !== sha256)
    .map(([path]) => path)
}

function objectsOf(site: TemporarySite): Set<string> {
  const { manifest, sha256 } = readBuiltSite(site.out, false)
  const hashes = [...manifest.files.values()].map((entry) => entry.sha256)
  return new Set([...hashes, sha256].map(objectKey))
}

async function keysIn(store: BuildStore): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for await (const { key } of store.list()) keys.add(key)
  return keys
}

/** The files of a build as they are now, whatever is built next. */
function frozenFiles(site: TemporarySite): (path: string) => Promise<Uint8Array> {
  const { files } = readBuiltSite(site.out, false).manifest
  const frozen = new Map(
    [...files.keys()].map((path) => [path, readFileSync(join(site.out, path))]),
  )
  return async (path) => frozen.get(path) ?? new Uint8Array()
}

/** Makes a repository; each call commits, and returns the commit's name. */
function gitIn(folder: string): (message: string) => string {
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      encoding: 'utf8',
    }).trim()
  git('init', '-q')
  return (message) => {
    git('commit', '-q', '--allow-empty', '-m', message)
    return git('rev-parse', 'HEAD')
  }
}
