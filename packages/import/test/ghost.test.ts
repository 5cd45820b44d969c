import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { importGhost } from '../src/ghost/ghost.ts'
import type { ImportContext } from '../src/site.ts'
import { imported, put } from './imported.ts'

type Row = Readonly<Record<string, unknown>>

const post = (more: Row): Row => ({
  id: '605ac141a2d5a6aa9e101ebd',
  title: 'Hello',
  slug: 'hello',
  html: '<p>Text.</p>',
  type: 'post',
  status: 'published',
  visibility: 'public',
  published_at: '2021-03-24T04:34:10.000Z',
  ...more,
})

/** Imports tables as Ghost exports them. */
function importTables(
  tables: Readonly<Record<string, readonly Row[]>>,
  options: Partial<ImportContext> = {},
  folder = emptyFolder(),
) {
  const text = JSON.stringify({ db: [{ meta: { version: '5.80.0' }, data: tables }] })
  return imported(importGhost, folder, put(folder, 'blog.json', text), options)
}

const importPost = (more: Row, options: Partial<ImportContext> = {}) =>
  importTables({ posts: [post(more)] }, options)

describe('an export of Ghost', () => {
  it('keeps ids, slugs, dates, excerpts, tags and authors', async () => {
    const made = await importTables({
      posts: [
        post({
          custom_excerpt: 'Short.',
          meta_description: 'M',
          featured: 1,
          updated_at: '2021-04-01T00:00:00.000Z',
        }),
      ],
      posts_tags: [
        { post_id: '605ac141a2d5a6aa9e101ebd', tag_id: 't2', sort_order: 2 },
        { post_id: '605ac141a2d5a6aa9e101ebd', tag_id: 't1', sort_order: 0 },
        { post_id: '605ac141a2d5a6aa9e101ebd', tag_id: 't3', sort_order: 1 },
      ],
      posts_authors: [{ post_id: '605ac141a2d5a6aa9e101ebd', author_id: 'u1', sort_order: 0 }],
      tags: [
        { id: 't1', name: 'News', slug: 'news', description: 'What is new.', meta_title: 'N' },
        { id: 't2', name: 'C#', slug: 'c-sharp', visibility: 'public' },
        { id: 't3', name: '#layout', slug: 'hash-layout', visibility: 'internal' },
      ],
      users: [
        { id: 'u1', name: 'Ada', slug: 'ada', email: 'ada@example.com', bio: 'Writes.' },
        { id: 'u2', name: 'Bob', slug: 'bob' },
      ],
      settings: [{ key: 'title', value: 'My blog' }],
    })
    expect(made.post('hello')).toEqual({
      fields: {
        slug: 'hello',
        id: '605ac141a2d5a6aa9e101ebd',
        title: 'Hello',
        description: 'Short.',
        category: 'news',
        tags: ['c-sharp'],
        authors: ['ada'],
        publishedAt: '2021-03-24T04:34:10.000Z',
        updatedAt: '2021-04-01T00:00:00.000Z',
        featured: true,
      },
      body: 'Text.',
    })
    expect(made.files).toEqual([
      'authors/ada.md',
      'categories/news.md',
      'posts/hello.md',
      'tags/c-sharp.md',
      'workspace.yml',
    ])
    expect(made.read('categories/news.md')).toBe(
      '---\nslug: news\nid: t1\nname: News\n---\n\nWhat is new.\n',
    )
    expect(made.read('authors/ada.md')).not.toContain('ada@example.com')
    expect(made.read('workspace.yml')).toBe('name: My blog\nlinks:\n  post: /{slug}/\n')
    expect(made.entries('left')).toEqual({
      ...{ 'internal tag (its name begins with #)': 1, meta_title: 1, meta_description: 1 },
      'author not used by any post': 1,
    })
  })

  it.each<[string, Row, string]>([
    ['for members', { visibility: 'members' }, 'only for readers of "members"'],
    ['for tiers', { visibility: 'tiers' }, 'only for readers of "tiers"'],
    [
      'with parts for members',
      {
        html: '<p>a</p><!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>b</p><!--kg-gated-block:end-->',
      },
      'parts of it are for members only',
    ],
    ['sent by email', { status: 'sent' }, 'sent by email only'],
    ['in an unknown status', { status: 'archived' }, 'its status is "archived"'],
    ['scheduled as an email', { status: 'scheduled', id: 'mail' }, 'sent by email only'],
    ['with a tag for members', { id: 'tagged' }, '`tags: #members` may withhold it'],
  ])('makes a draft of a post %s, and says so', async (_, more, reason) => {
    const { post: written, entries } = await importTables({
      posts: [post(more)],
      posts_meta: [{ id: 'm', post_id: 'mail', email_only: 1 }],
      posts_tags: [{ post_id: 'tagged', tag_id: 't' }],
      tags: [{ id: 't', name: '#members', slug: 'hash-members', visibility: 'internal' }],
    })
    expect(written('hello').fields['status']).toBe('draft')
    expect(entries('changed')).toMatchObject({ [`made a draft: ${reason}`]: 1 })
  })

  it('leaves drafts drafts, keeps the instant of scheduled posts, and reports pages and injected code', async () => {
    const made = await importTables({
      posts: [
        post({ id: '1', slug: 'a', status: 'draft', published_at: null, created_at: '2021-01-01' }),
        post({ id: '2', slug: 'b', status: 'scheduled', published_at: '2999-01-01T00:00:00.000Z' }),
        post({ id: '3', slug: 'about', type: 'page' }),
        post({ id: '4', slug: 'old-page', type: undefined, page: 1 }),
        post({
          id: '5',
          slug: 'c',
          codeinjection_head: '<script></script>',
          canonical_url: 'https://e.com',
          locale: 'de',
        }),
      ],
    })
    expect(made.post('a').fields).toMatchObject({
      status: 'draft',
      publishedAt: '2021-01-01T00:00:00.000Z',
    })
    expect(made.post('b').fields).toMatchObject({ publishedAt: '2999-01-01T00:00:00.000Z' })
    expect(made.files.filter((file) => file.startsWith('posts/'))).toEqual([
      'posts/a.md',
      'posts/b.md',
      'posts/c.md',
    ])
    expect(made.entries('files')).toEqual({ 'page: a page: only posts are imported': 2 })
    expect(made.entries('left')).toEqual({ canonical_url: 1, codeinjection_head: 1, locale: 1 })
  })

  it('copies images of --media, makes links between posts relative, and gives others the origin', async () => {
    const folder = emptyFolder()
    put(folder, 'images/2021/03/a b.png', 'png')
    put(folder, 'secret.png', 'secret')
    symlinkSync(join(folder, 'secret.png'), join(folder, 'images/link.png'))
    const html = [
      '<p><img src="__GHOST_URL__/content/images/size/w600/2021/03/a%20b.png" alt="A">',
      '<img src="__GHOST_URL__/content/images/link.png"><img src="__GHOST_URL__/content/images/../secret.png">',
      '<a href="__GHOST_URL__/second/?a=1#b">1</a> <a href="__GHOST_URL__/tag/x/">2</a> <a href="https://e.com/second/">3</a></p>',
    ].join('')
    const options = { media: join(folder, 'images'), site: 'https://blog.example.com' }
    const posts = [
      post({ html, feature_image: '__GHOST_URL__/content/images/2021/03/a%20b.png' }),
      post({ id: '2', slug: 'second' }),
    ]
    const { post: written, read, files, entries } = await importTables({ posts }, options, folder)
    expect(read('media/2021/03/a b.png')).toBe('png')
    expect(files.filter((file) => file.startsWith('media/'))).toEqual(['media/2021/03/a b.png'])
    expect(written('hello').fields['coverImage']).toBe('../media/2021/03/a b.png')
    expect(written('hello').body).toBe(
      [
        '![A](<../media/2021/03/a b.png>)',
        '![](https://blog.example.com/content/images/link.png)',
        '![](https://blog.example.com/content/images/../secret.png)',
        '[1](./second.md?a=1#b) [2](https://blog.example.com/tag/x/) [3](https://e.com/second/)',
      ].join(''),
    )
    expect(entries('left')).toEqual({ 'image not found below --media': 2 })
  })

  it('makes links of players, without their controls, and of previews', async () => {
    const html = [
      '<figure class="kg-card kg-video-card"><video src="__GHOST_URL__/content/v.mp4"></video><div class="kg-video-overlay">x</div><div class="kg-video-player-container">0:00</div></figure>',
      '<div class="kg-card kg-audio-card"><audio src="https://e.com/a.mp3"></audio><div class="kg-audio-title">Song</div><div class="kg-audio-player">/0:12</div></div>',
      '<figure class="kg-card kg-bookmark-card"><a href="https://e.com/"><div>Title</div><img src="https://e.com/i.png"></a></figure>',
    ]
    const { post: written } = await importPost({ html: html.join('') }, { site: 'https://e.com' })
    expect(written('hello').body.split('\n\n')).toEqual([
      ...[
        '[https://e.com/content/v.mp4](https://e.com/content/v.mp4)',
        '[https://e.com/a.mp3](https://e.com/a.mp3)',
      ],
      ...['Song', '[Title](https://e.com/)', '[![](https://e.com/i.png)](https://e.com/)'],
    ])
  })

  it.each<[string, Row, string | undefined]>([
    [
      'one card of Markdown',
      { mobiledoc: JSON.stringify({ cards: [['markdown', { markdown: '# Hi' }]] }) },
      undefined,
    ],
    ['Markdown of Ghost 0', { markdown: '*Hi*' }, '*Hi*'],
    [
      'nothing at all',
      { lexical: '{"root":{"children":[{"children":[],"type":"paragraph"}],"type":"root"}}' },
      '',
    ],
    [
      'text in the form of the editor alone',
      { lexical: '{"root":{"children":[{"text":"x","type":"text"}]}}' },
      undefined,
    ],
  ])('without HTML and with %s is never public without its text', async (_, more, body) => {
    const { post: written, report } = await importPost({ html: null, ...more })
    if (body === undefined)
      expect([written('hello').fields['status'], report.hasFailures]).toEqual(['draft', true])
    else expect(written('hello').body).toBe(body)
  })

  it.each([
    ['another JSON document', '{"a": 1}', /has no posts of a Ghost export/],
    ['no JSON', '<rss>', /is not JSON/],
    ['half a document', '{"db":[{"data":{"posts":[{"id":"1"},', /is not JSON/],
  ])('of %s is refused', async (_, text, reason) => {
    const folder = emptyFolder()
    const file = put(folder, 'x.json', text)
    await expect(imported(importGhost, folder, file)).rejects.toThrow(reason)
  })

  it('keeps posts apart whose ids are damaged', async () => {
    const { files } = await importTables({
      posts: [
        post({ id: 'x', slug: 'a' }),
        post({ id: 'x', slug: 'b' }),
        post({ id: null, slug: 'a' }),
      ],
    })
    expect(files.filter((file) => file.startsWith('posts/'))).toEqual([
      'posts/a-2.md',
      'posts/a.md',
      'posts/b.md',
    ])
  })
})
