// What a build knows of posts by the one before it: that it is used, not only that it is right.
// Knows nothing of how it is kept.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

describe('the answers that are one post', () => {
  it('are known of posts that did not change, wherever they stand by now', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(5)
    expect(await known(site)).toEqual([])
    await site.build()
    expect(await known(site)).toEqual(['post-1', 'post-2', 'post-3', 'post-4', 'post-5'])
    site.post('post-3', { publishedAt: '2026-01-03' }, 'Another text.\n')
    site.post('post-4', { publishedAt: '2026-01-04', title: 'Another title' })
    site
      .post('between', { publishedAt: '2026-01-04T12:00:00Z' })
      .remove('content/acme/posts/post-2.md')
    expect(await known(site)).toEqual(['post-1', 'post-5'])
    await site.build()
    expect(await known(site)).toEqual(['between', 'post-1', 'post-3', 'post-4', 'post-5'])
  })

  it('are not known of any where a term of the workspace changed', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(3)
    await site.build()
    site.write('content/acme/categories/news.md', '---\nname: The news\n---\n')
    expect(await known(site)).toEqual([])
  })
})

/** Slugs of the posts whose answers a build would know, sorted. */
async function known(site: TemporarySite): Promise<readonly string[]> {
  const { workspaces } = await site.load(join(site.folder, 'cache'))
  return workspaces
    .flatMap(({ workspace, snapshot }) =>
      workspace.posts.filter((_, ordinal) => snapshot.tagOf(ordinal, 'html') !== undefined),
    )
    .map(({ post }) => post.slug)
    .sort()
}
