import { describe, expect, it } from 'vitest'
import { contentView } from '../../src/hosts/dev-page.ts'
import { temporarySite } from '../support/temporary-site.ts'

const place = { root: '/project', folder: 'content' }

describe('the content view', () => {
  it('has drafts first, then every post, latest first, with its file', async () => {
    const site = temporarySite()
      .post('old', { publishedAt: '2026-01-01' })
      .post('new', { publishedAt: '2026-02-01' })
      .post('ahead', { publishedAt: '2999-01-01' })
      .post('unfinished', { draft: 'true', title: 'Not yet' })
    await site.build()
    const built = await site.load()
    const { workspaces } = contentView(
      built.workspaces.map(({ workspace }) => workspace),
      place,
    )
    expect(workspaces).toMatchObject([
      { id: 'acme', name: 'Acme', isV1Private: false, categories: 1, tags: 0, authors: 0 },
    ])
    expect(workspaces[0]?.posts).toMatchObject([
      { title: 'Not yet', isDraft: true, slug: null, file: 'content/acme/posts/unfinished.md' },
      { slug: 'ahead', isDraft: false, publishedAt: '2999-01-01T00:00:00.000Z' },
      { slug: 'new', category: 'News', file: 'content/acme/posts/new.md' },
      { slug: 'old' },
    ])
  })

  it('is the only place where a draft is named', async () => {
    const site = temporarySite().post('unfinished', { draft: 'true', title: 'Not-yet-known' })
    await site.build()
    const built = await site.load()
    const view = contentView(
      built.workspaces.map(({ workspace }) => workspace),
      place,
    )
    expect(JSON.stringify(view)).toContain('Not-yet-known')
    for (const file of site.files()) expect(site.text(file)).not.toContain('Not-yet-known')
  })
})
