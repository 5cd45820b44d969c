import { describe, expect, it } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { bodyBytes, etagOf } from '../../src/api/api-response.ts'
import { requestOfFile } from '../../src/api/paths.ts'
import { respond } from '../../src/api/respond.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** The files that answer requests for content: neither the manifest nor what the function needs. */
function responses(site: TemporarySite): readonly string[] {
  const files = site.files().filter((file) => /^(public|private)\/v/.test(file))
  expect(files.length).toBeGreaterThan(10)
  return files
}

/** Every list that `precompute.lists` can name. */
const everyList = [
  ...['default', 'asc', 'excludeContent', 'all', 'asc+all', 'asc+excludeContent'],
  ...['excludeContent+all', 'asc+excludeContent+all'],
]

describe('every file', () => {
  it('holds what respond says to the request that its path names', async () => {
    const flags = { ids: true, neighbours: true }
    const site = temporarySite({ precompute: { pageSizes: [10, 7], lists: everyList, ...flags } })
    writeCorpus(site.content, { posts: 120, meanBytes: 400 })
    const { manifest } = await site.build({ now: Date.UTC(2027, 0, 1) })
    const built = await site.load()
    expect(manifest.fileCount).toBe(site.files().length - 1)
    for (const file of responses(site)) {
      const request = requestOfFile(file)
      if (request === null) throw new Error(`${file} is no canonical request's file`)
      const snapshot = built.workspaces.find(
        ({ workspace }) => workspace.id === request.workspace,
      )?.snapshot
      if (snapshot === undefined) throw new Error(`${file} belongs to no workspace`)
      const response = await respond(request, snapshot, Date.UTC(2027, 0, 1))
      expect(response.status).toBe(200)
      expect(Buffer.from(await bodyBytes(response.body, snapshot)).toString()).toBe(site.text(file))
      expect(etagOf(response.body, snapshot)).toMatch(/^"[0-9a-f]{32}"$/)
    }
  })

  it('is JSON of one line', async () => {
    const site = temporarySite().posts(11)
    await site.build()
    for (const file of responses(site)) {
      expect(JSON.stringify(site.json(file))).toBe(site.text(file))
    }
  })
})

describe('lists', () => {
  it('are written where they are named, and no others', async () => {
    const listsOf = async (lists: readonly string[]) => {
      const site = temporarySite({ precompute: { versions: ['v1'], lists } }).posts(12)
      await site.build()
      const prefix = 'public/v1/acme/posts/'
      const files = site.files().filter((file) => file.startsWith(prefix))
      return files.map((file) => file.slice(prefix.length)).filter((file) => !/post-/.test(file))
    }
    expect(await listsOf(['default'])).toEqual([
      ...['_markdown/_page/2.json', '_markdown/index.json', '_page/2.json', 'index.json'],
    ])
    expect(await listsOf(['excludeContent', 'all+excludeContent'])).toEqual([
      ...['_excludeContent/_all.json', '_excludeContent/_page/2.json'],
      '_excludeContent/index.json',
    ])
    expect(await listsOf(['asc+all', 'all+asc'])).toEqual([
      ...['_asc/_all.json', '_markdown/_asc/_all.json'],
    ])
  })

  it('have no file where no version is wanted, and the function answers all the same', async () => {
    const site = temporarySite({ precompute: { versions: [] } }).posts(2)
    const { manifest } = await site.build()
    expect(site.files().filter((file) => /\/v[12]\//.test(file))).toEqual([])
    expect(manifest.workspaces['acme']?.posts).toBe(2)
  })

  it('partition the posts into pages', async () => {
    const site = temporarySite().posts(25)
    await site.build()
    const pages = ['index.json', '_page/2.json', '_page/3.json'].map((page) =>
      site.json(`public/v1/acme/posts/${page}`),
    )
    expect(pages.map(({ posts }) => posts.length)).toEqual([10, 10, 5])
    expect(pages[2].pagination).toEqual({
      limit: 10,
      currentPage: 3,
      nextPage: null,
      previousPage: 2,
      totalPages: 3,
      totalItems: 25,
    })
  })

  it('exist where there is nothing on them', async () => {
    const site = temporarySite()
    await site.build({ now: someNoon })
    expect(site.text('public/v1/acme/posts/index.json')).toBe(
      '{"posts":[],"pagination":{"limit":10,"currentPage":1,"nextPage":null,"previousPage":null,"totalPages":0,"totalItems":0}}',
    )
    expect(site.json('public/v1/acme/categories/news/_posts/1.json').posts.data).toEqual([])
  })
})
