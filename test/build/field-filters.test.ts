import { describe, expect, it } from 'vitest'
import { readManifest } from '../../src/cli/open-build.ts'
import { vercelRoutes } from '../../src/hosts/vercel-routes.ts'
import { call } from '../support/command-call.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const settings = `fields:
  rating: { type: number, index: true }
  seen: { type: date, index: true }
  isNew: { type: boolean, index: true }
  level: { type: text, index: true }
  parts: { type: list, index: true }
  note: text
`

describe('a site with indexed fields', () => {
  it('has the posts that each filter names', async () => {
    const site = await builtSite()
    const served = await serveFolder(site.out)
    const slugs = async (query: string) => {
      const { text } = await askHandler(served.handler(), `/v1/acme/posts?${query}`)
      return JSON.parse(text).posts.map(({ slug }: { slug: string }) => slug)
    }
    for (const [query, expected] of [
      ['fields.rating=4', ['b']],
      ['fields.rating=4.0', ['b']],
      ['fields.rating[ne]=4', ['d', 'c', 'a']],
      ['fields.rating%5Bgte%5D=-1', ['b', 'a']],
      ['fields.rating[gte]=-1&fields.rating[lte]=0', ['a']],
      ['fields.rating[in]=4,-1,7', ['b', 'a']],
      ['fields.level=Expert', ['c']],
      ['fields.level=expert', ['b', 'a']],
      ['fields.level[ne]=expert', ['d', 'c']],
      ['fields.parts=two', ['c', 'b']],
      ['fields.parts[ne]=two', ['d', 'a']],
      ['fields.parts[in]=one,three&order=asc', ['b', 'c']],
      ['fields.seen[gte]=2026-01-01', ['b']],
      ['fields.seen=2026-01-01T01:00:00%2B01:00', ['b']],
      ['fields.isNew=true', ['a']],
      ['fields.isNew[ne]=true&tags=', ['d', 'c', 'b']],
      ['fields.level=', ['d', 'c', 'b', 'a']],
      ['fields.rating=9', []],
    ] as const)
      expect([query, await slugs(query)]).toEqual([query, expected])
    served.close()
  })

  it('refuses what is no such filter, and names it', async () => {
    const site = await builtSite()
    const served = await serveFolder(site.out)
    for (const [query, field, message] of [
      ['fields.note=x', 'fields.note', /^must be fields\.rating, /],
      ['fields.nothing=x', 'fields.nothing', /fields\.level/],
      ['fields.level[gte]=x', 'fields.level[gte]', /^must be fields\.level, fields\.level\[ne\]/],
      ['fields.rating[like]=4', 'fields.rating[like]', /fields\.rating\[lte\]/],
      ['fields.rating=', 'fields.rating', null],
      ['fields.rating=four', 'fields.rating', /^must be a number/],
      ['fields.rating=9007199254740993', 'fields.rating', /integers up to 9007199254740991/],
      ['fields.rating[in]=1,-9007199254740993', 'fields.rating[in]', /in each item/],
      ['fields.rating=9007199254740991', 'fields.rating', null],
      ['fields.rating=1e400', 'fields.rating', /^must be a number/],
      ['fields.rating=Infinity', 'fields.rating', /^must be a number/],
      ['fields.rating=4&fields.rating=5', 'fields.rating', /more than once/],
      ['fields.rating[in]=1,x', 'fields.rating[in]', /^must be a number/],
      ['fields.seen=2026', 'fields.seen', /^must be a date/],
      ['fields.isNew=1', 'fields.isNew', /"true" or "false"/],
      ['fields.level=%E9', 'fields.level', /UTF-8/],
      [`fields.level[in]=${[...Array(101).keys()]}`, 'fields.level[in]', /at most 100/],
    ] as const) {
      const { status, text, header } = await askHandler(served.handler(), `/v1/acme/posts?${query}`)
      expect(header('x-ignored-parameters')).toBeNull()
      if (message === null) expect([query, status]).toEqual([query, 200])
      else
        expect([query, JSON.parse(text).details]).toEqual([
          query,
          [{ field, message: expect.stringMatching(message) }],
        ])
    }
    const single = await askHandler(served.handler(), '/v1/acme/posts/a?fields.rating=4')
    expect(single.header('x-ignored-parameters')).toBe('fields.rating')
    served.close()
  })

  it('tells nobody without a key the fields of a private workspace', async () => {
    const site = await builtSite(`v1: private\n${settings}`)
    const served = await serveFolder(site.out)
    for (const query of ['fields.rating=4', 'fields.rating=four', 'fields.nothing=x']) {
      const [known, unknown] = await Promise.all(
        ['acme', 'none'].map((name) => askHandler(served.handler(), `/v1/${name}/posts?${query}`)),
      )
      expect([query, known?.status, known?.text]).toEqual([query, unknown?.status, unknown?.text])
    }
    served.close()
  })

  it('names its filters in the manifest, and explains one', async () => {
    const site = await builtSite()
    const { fields } = site.json('manifest.json').workspaces.acme
    expect(fields).toEqual(expect.arrayContaining(['fields.rating[lte]', 'fields.parts[ne]']))
    expect(fields).not.toContain('fields.level[gte]')
    const routes = vercelRoutes(readManifest(site.out))
    expect(routes.slice(0, -1)).toContainEqual({
      src: '/v1/.*',
      has: [{ type: 'query', key: 'fields.seen[gte]' }],
      dest: '/index',
    })
    const { stdout } = await call(site.folder, ['explain', '/v1/acme/posts?fields.rating[gte]=4'])
    expect(stdout).toContain('Other parameters have too many values')
  })

  it('adds nothing to a site without any', async () => {
    const site = await builtSite(settings.replaceAll('index: true', 'index: false'))
    expect(site.json('manifest.json').workspaces.acme).not.toHaveProperty('fields')
    const served = await serveFolder(site.out)
    const { status, text } = await askHandler(served.handler(), '/v1/acme/posts?fields.rating=4')
    expect([status, JSON.parse(text).details[0].message]).toEqual([
      400,
      'is not a filter: this workspace has no field with `index: true`',
    ])
    served.close()
  })
})

async function builtSite(workspace = settings): Promise<TemporarySite> {
  const site = temporarySite().write('content/acme/workspace.yml', workspace)
  site
    .post('a', {
      publishedAt: '2026-01-01',
      fields: '{ rating: -1, isNew: true, level: expert, seen: 2025-12-31 }',
    })
    .post('b', {
      publishedAt: '2026-01-02',
      fields: '{ rating: 4, isNew: false, level: expert, seen: 2026-01-01, parts: [one, two] }',
    })
    .post('c', { publishedAt: '2026-01-03', fields: '{ level: Expert, parts: [two, three, two] }' })
    .post('d', { publishedAt: '2026-01-04' })
    .write('content/acme/categories/news.md', '---\nname: News\n---\n')
  await site.build()
  return site
}
