// Warnings of slugs of the last build that lead nowhere.
import { describe, expect, it } from 'vitest'
import { formatDiagnostic } from '../../src/diagnostics.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

async function warnings(site: TemporarySite): Promise<readonly string[]> {
  return (await site.build()).diagnostics.map(formatDiagnostic)
}

describe('a slug of the last build that is gone', () => {
  it('is a warning at the post with a new slug, with the line to add, once', async () => {
    const site = temporarySite({ cache: 'cache' })
      .post('first')
      .post('one', { slug: 'cache', aliases: 'older' })
    expect(await warnings(site)).toEqual([])
    site.post('one', { slug: 'caches', aliases: 'older' })
    expect(await warnings(site)).toEqual([
      'acme/posts/one.md:1:1 lost-slug The last build had a post "cache", and no post has this slug or alias now. Links to it are broken. If this is the post, add `aliases: [older, cache]` to it.',
    ])
    expect(await warnings(site)).toEqual([])
    site.post('first', { description: 'x' })
    expect(await warnings(site)).toEqual([])
  })

  it('is none with an alias, and none of a post that is a draft or scheduled now', async () => {
    const site = temporarySite().post('one').post('two').post('three')
    await site.build()
    site
      .post('one', { slug: 'other', aliases: '[one]' })
      .post('two', { status: 'draft' })
      .post('three', { publishedAt: '2999-01-01' })
    expect(await warnings(site)).toEqual([])
    expect(site.json('public/v1/acme/redirects.json')).toEqual({
      redirects: [{ from: 'one', to: 'other' }],
    })
  })

  it('is the most alike of several new slugs, and at the workspace where none is', async () => {
    const site = temporarySite({ precompute: { ids: true } })
      .post('caching-of-responses')
      .post('x')
    await site.build()
    site.remove('content/acme/posts/caching-of-responses.md').remove('content/acme/posts/x.md')
    site.post('caching-of-response').post('entirely-new')
    const found = await warnings(site)
    expect(found.map((line) => line.replace(/ The last.*broken\./, ''))).toEqual([
      'acme:1:1 lost-slug If the post has another slug, add `aliases: [x]` to it.',
      'acme/posts/caching-of-response.md:1:1 lost-slug If this is the post, add `aliases: [caching-of-responses]` to it.',
    ])
  })

  it('is silent where the warning is', async () => {
    const site = temporarySite({ warnings: { ignore: ['lost-slug'] } })
      .post('one')
      .post('two')
    await site.build()
    site.remove('content/acme/posts/one.md')
    expect(await warnings(site)).toEqual([])
  })
})
