// Parts of workspaces that are beside the content folder: found, read, linked and kept like any other.
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { QuarryConfig } from '../../src/config.ts'
import { pixel } from '../blackbox/site.ts'
import { contentsOf } from '../support/contents.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const front = '---\ntitle: T\ncategory: news\ndate: 2026-01-02\n---\n'

/** The problems of a build with these settings. */
function built(site: TemporarySite, config: QuarryConfig): Promise<readonly string[]> {
  Object.assign(site.config, config)
  return site.problems()
}

function foreign(): TemporarySite {
  return temporarySite({ links: { post: '/{slug}' } })
    .write('quarry/blog.yml', 'references: create\n')
    .write(
      'src/blog/2020/a/index.md',
      `${front}![i](i.png) [b](../../b.md) ![m](../../../img/m.png)\n`,
    )
    .write('src/blog/2020/a/i.png', pixel)
    .write('src/blog/b.md', front.replace('category', 'authors: [ada, Bob]\ncategory'))
    .write('src/img/m.png', Buffer.concat([pixel, Buffer.of(1)]))
    .write('src/_data/authors.json', '{"ada": {"name": "Ada", "avatar": "/a.png"}, "bob": "Bob B"}')
}

const workspaces = {
  blog: {
    posts: 'src/blog',
    media: 'src/img',
    authors: 'src/_data/authors.json',
    settings: 'quarry/blog.yml',
  },
}
const config: QuarryConfig = {
  workspaces,
  frontMatter: { posts: {}, authors: { image: 'avatar' }, tags: { name: 'label' } },
}

describe('a mapped workspace', () => {
  it('needs no content folder, and no file is moved', async () => {
    const site = foreign().remove('content')
    expect(await built(site, config)).toEqual([])
    const { post } = site.json('public/v1/blog/posts/a.json')
    expect(post.content).toMatch(
      /src="\/media\/blog\/\w+\.png" alt="i"> <a href="\/b">.*src="\/media/,
    )
    expect(site.json('public/v1/blog/posts/b.json').post.authors).toMatchObject([
      { slug: 'ada', name: 'Ada', image: '/a.png' },
      { slug: 'bob', name: 'Bob B' },
    ])
  })

  it('is beside the others, and adds to a folder of its name', async () => {
    const site = foreign()
      .post('first')
      .write('content/blog/tags/x.md', '---\nlabel: X\n---\n')
      .write('content/blog/posts/c.md', front)
    expect(await built(site, config)).toEqual([])
    const { posts } = site.json('public/v1/blog/posts/index.json')
    expect(posts.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['a', 'b', 'c'])
    expect(site.json('public/v1/blog/tags/index.json').tags).toMatchObject([{ name: 'X' }])
    expect(site.json('public/v1/acme/posts/index.json').posts).toHaveLength(1)
  })

  it('is built the same by a cache, after each edit, and has errors at their place', async () => {
    const [site, clean] = [foreign(), foreign()]
    const edits: ((one: TemporarySite) => unknown)[] = [
      () => {},
      (one) => one.write('src/blog/b.md', `${front}Other.\n`),
      (one) => one.write('src/blog/2020/a/i.png', Buffer.concat([pixel, Buffer.of(2)])),
      (one) => one.write('src/_data/authors.json', '[{"slug": "ada", "name": "Ada L"}]'),
      (one) => one.remove('src/blog/2020'),
      (one) => one.write('src/_data/authors.json', '{"ada": '),
    ]
    for (const edit of edits) {
      edit(site)
      edit(clean)
      rmSync(join(clean.folder, 'cache'), { recursive: true, force: true })
      expect(await built(site, config)).toEqual(await built(clean, config))
      expect(contentsOf(site.out)).toEqual(contentsOf(clean.out))
    }
    // Once, not again at every reference.
    expect(await built(site, config)).toEqual([
      expect.stringContaining('../src/_data/authors.json:1:'),
    ])
  })
})

it.each([
  ['src/none', 'it does not exist'],
  ['..', 'is outside the project'],
  ['link', 'is outside the project'],
  ['content/acme', 'in the content folder'],
  ['.', 'contains the content folder'],
  ['quarry/blog.yml', 'not a folder'],
])('a mapped path is refused where it cannot be had: %s', async (posts, message) => {
  const site = foreign().post('first')
  symlinkSync('/tmp', join(site.folder, 'link'))
  await expect(built(site, { workspaces: { blog: { posts } } })).rejects.toThrow(message)
})
