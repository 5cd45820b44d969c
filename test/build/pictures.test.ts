// Images of authors, and files that are not what a reader would see.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pictureBytes } from '../conformance/picture.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

async function problemsOf(site: TemporarySite) {
  const found = await site.diagnostics()
  return found.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
}

const category = '---\nname: News\n---\n'
const siteWith = (files: Readonly<Record<string, string | Uint8Array>>, config = {}) => {
  const site = temporarySite(config).write('content/acme/categories/news.md', category)
  for (const [path, bytes] of Object.entries(files)) site.write(path, bytes)
  return site
}
const url = expect.stringMatching(/^https:\/\/cdn\.example\/media\/acme\/[0-9a-f]{32}\.png$/)
const config = { baseUrl: 'https://cdn.example' }

describe('the image of an author', () => {
  it.each([
    ['authors/ada.md', '---\nname: Ada\nimage: ../media/ada.png\n---\n', 'media/ada.png'],
    ['authors/ada.md', '---\nname: Ada\nimage: ./ada.PNG\n---\n', 'authors/ada.PNG'],
    ['authors/ada.md', '---\nname: Ada\nimage: "../posts/a%20b.png"\n---\n', 'posts/a b.png'],
    ['authors.yml', '- { slug: ada, name: Ada, image: media/ada.png }\n', 'media/ada.png'],
  ])('is published, in %s: %j', async (file, text, image) => {
    const site = siteWith(
      { [`content/acme/${file}`]: text, [`content/acme/${image}`]: pictureBytes },
      config,
    )
    await site.post('a', { authors: '[ada]' }).build()
    const [path = '', ...others] = site.files().filter((name) => name.startsWith('public/media/'))
    expect(others).toEqual([])
    expect(readFileSync(join(site.out, path))).toEqual(Buffer.from(pictureBytes))
    const author = site.json('public/v1/acme/authors/ada.json')
    expect(author.image).toEqual(url)
    expect(author.image.endsWith(path.slice('public/'.length))).toBe(true)
    expect(site.json('public/v1/acme/posts/a.json').post.authors[0].image).toBe(author.image)
    expect(site.json('public/v1/acme/posts/index.json').posts[0].authors[0].image).toBe(
      author.image,
    )
    expect(site.json('private/v2/acme/authors/ada.json').image).toBe(author.image)
  })

  it('stays as it was in a build from the cache', async () => {
    const site = siteWith(
      { 'content/acme/media/ada.png': pictureBytes },
      { ...config, cache: 'cache' },
    )
    site.write('content/acme/authors.yml', '- { slug: ada, name: Ada, image: media/ada.png }\n')
    await site.post('a', { authors: '[ada]' }).build()
    const before = site.json('public/v1/acme/authors/ada.json')
    await site.post('a', { authors: '[ada]' }, 'Other text.\n').build()
    expect(site.json('public/v1/acme/authors/ada.json')).toEqual(before)
    expect(site.files().filter((name) => name.startsWith('public/media/'))).toHaveLength(1)
  })

  it('is published for an author in a post, from a root of the site and under a mapped key', async () => {
    const site = siteWith(
      {
        'content/acme/posts/me.png': pictureBytes,
        'static/img/b.png': Buffer.concat([pictureBytes, Buffer.of(0)]),
      },
      {
        ...config,
        media: { roots: ['static'] },
        frontMatter: { posts: {}, authors: { image: 'avatar' } },
      },
    )
    site.write('content/acme/workspace.yml', 'references: create\n')
    site.post('a', {
      authors: '[{ name: Me, avatar: ./me.png }, { name: You, avatar: /img/b.png }]',
    })
    await site.build()
    const { authors } = site.json('public/v1/acme/posts/a.json').post
    expect(authors.map(({ image }: { image: string }) => image)).toEqual([url, url])
    expect(site.files().filter((name) => name.startsWith('public/media/'))).toHaveLength(2)
  })

  it.each([
    ['image: ./none.png', '3:8 missing-image'],
    ['image: ../media/x.svg', '3:8 unsupported-image'],
    ['image: ../../../secret.png', '3:8 outside-workspace'],
    ['image: ada', '3:8 unsupported-image'],
    ['image: ./empty.png', '3:8 invalid-image'],
    ['image: https://example.com/a.png', undefined],
    ['image: /img/a.png', undefined],
    ['image:', undefined],
  ])('is an error where it is missing: %s', async (line, expected) => {
    const site = siteWith({
      'content/acme/authors/ada.md': `---\nname: Ada\n${line}\n---\n`,
      'content/acme/authors/empty.png': '',
    }).post('a')
    expect(await problemsOf(site)).toEqual(
      expected === undefined ? [] : [`acme/authors/ada.md:${expected}`],
    )
  })

  it('of a private workspace is an error', async () => {
    const site = siteWith({
      'content/acme/workspace.yml': 'v1: private\n',
      'content/acme/authors.yml': '- { slug: ada, name: Ada, image: media/a.png }\n',
      'content/acme/media/a.png': pictureBytes,
    }).post('a')
    expect(await problemsOf(site)).toEqual(['acme/authors.yml:1:34 private-image'])
  })
})

describe('an image that is not what its name says', () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4'.repeat(64)}\nsize 12345\n`
  it.each([
    ['lfs.png', pointer, 'pointer of Git LFS'],
    ['lfs.JPG', pointer, 'pointer of Git LFS'],
    ['empty.webp', '', 'is empty'],
    ['page.jpg', '<!doctype html><title>404</title>', 'is not an image'],
    ['error.gif', '{"error":"Not Found"}', 'is not an image'],
    ['vector.png', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'is not an image'],
    [
      'movie.avif',
      Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'),
      'is not an image',
    ],
    ['a.jpg', pictureBytes, 'is a PNG image, but its name ends in ".jpg"'],
    ['a.png', Buffer.from('ffd8ffe0', 'hex'), 'is a JPG image, but its name ends in ".png"'],
    ['a.png', Buffer.from('RIFF0000WEBPVP8 '), 'is a WEBP image, but its name ends in ".png"'],
    ['a.webp', Buffer.from('GIF89a0000'), 'is a GIF image, but its name ends in ".webp"'],
  ])('is an error: %s of %j', async (name, bytes, message) => {
    const site = siteWith({ [`content/acme/posts/${name}`]: bytes }).post(
      'a',
      {},
      `Text ![x](./${name})\n`,
    )
    const [problem, ...others] = await site.diagnostics()
    expect(others).toEqual([])
    expect(problem).toMatchObject({
      file: 'acme/posts/a.md',
      line: 6,
      column: 11,
      code: 'invalid-image',
      severity: 'error',
    })
    expect(problem?.message).toContain(message)
  })

  it.each([
    ['a.jpeg', Buffer.from('ffd8ffe0', 'hex')],
    ['a.JPG', Buffer.from('ffd8ffdb', 'hex')],
    ['a.gif', Buffer.from('GIF87a')],
    ['a.avif', Buffer.from('0000001c667479706d696631000000006d69663161766966', 'hex')],
  ])('is no error in %s', async (name, bytes) => {
    const site = siteWith({ [`content/acme/posts/${name}`]: bytes }).post(
      'a',
      {},
      `![x](${name})\n`,
    )
    expect(await problemsOf(site)).toEqual([])
  })

  it('is an error of a cover, and only where it is shown', async () => {
    const site = siteWith({ 'content/acme/posts/a.png': pointer, 'content/acme/media/b.png': '' })
    expect(await problemsOf(site.post('a', { coverImage: './a.png' }))).toEqual([
      'acme/posts/a.md:5:13 invalid-image',
    ])
    expect(await problemsOf(site.post('a'))).toEqual([])
  })
})

describe('a text that is not what its name says', () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4'.repeat(64)}\nsize 12345\n`
  it.each([
    ['posts/2026-03-04-a.md', pointer, 'unreadable-file'],
    ['posts/2026-03-04-a.md', '', 'empty-content'],
    ['posts/2026-03-04-a.mdx', '\ufeff \r\n', 'empty-content'],
    ['authors/ada.md', '', 'empty-content'],
    ['authors.yml', pointer, 'unreadable-file'],
    ['workspace.yml', pointer, 'unreadable-file'],
    ['keys.yml', pointer, 'unreadable-file'],
  ])('is one error: %s of %j', async (path, text, code) => {
    const site = siteWith({ 'content/acme/workspace.yml': 'defaults: { category: news }\n' }).post(
      'b',
    )
    site
      .post('c', { authors: '[ada]' })
      .write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
    expect(await problemsOf(site.write(`content/acme/${path}`, text))).toEqual([
      `acme/${path}:1:1 ${code}`,
    ])
  })
})

describe('a link to a file that is not published', () => {
  it.each([
    '[slides](./slides.pdf)',
    '[slides](slides.PDF#page=2)',
    '[film](../media/v.mp4)',
    '[song](<../media/a b.mp3>)',
    '[x](./a.7z)',
    '[x](./data.csv?raw)',
    '<a href="./x.zip">x</a>',
    '[x][r]\n\n[r]: ./x.docx',
    '[x](./logo.svg)',
    '![x](./slides.pdf)',
  ])('is an error: %s', async (body) => {
    const site = siteWith({
      'content/acme/posts/slides.pdf': '%PDF',
      'content/acme/posts/x.zip': 'PK',
    }).post('a', {}, `${body}\n`)
    const [problem, ...others] = await site.diagnostics()
    expect(others).toEqual([])
    const isImage = body.startsWith('!')
    expect(problem).toMatchObject({
      file: 'acme/posts/a.md',
      severity: 'error',
      code: isImage ? 'unsupported-image' : 'unpublished-file',
    })
  })

  it.each([
    '[x](./b.md) [y](b) [z](../about) [v](v1.2) [w](1.1.0)',
    '[x](./other.html) [y](page.php?id=1) [z](page.shtml)',
    '[x](feed.xml) [y](../rss.xml) [z](atom.xml) [f](feed.json) [j](../tags/node.js) [t](llms.txt)',
    '[x](example.com)',
    '[x](/files/slides.pdf) [y](https://example.com/a.pdf) [z](//example.com/a.pdf)',
    '[x](mailto:a@example.com) [y](#a) [z](?q=a.pdf)\n\n# a',
    '`[x](./slides.pdf)`',
    'www.example.com https://example.com/slides.pdf',
  ])('is none: %s', async (body) => {
    expect(await problemsOf(siteWith({}).post('b').post('a', {}, `${body}\n`))).toEqual([])
  })

  it('is a warning or nothing where broken links are', async () => {
    const site = siteWith({ 'content/acme/workspace.yml': 'links: { broken: warning }\n' }).post(
      'a',
      {},
      '[x](./x.pdf)\n',
    )
    expect((await site.diagnostics()).map(({ severity }) => severity)).toEqual(['warning'])
    site.write('content/acme/workspace.yml', 'links: { broken: ignore }\n')
    expect(await problemsOf(site)).toEqual([])
    expect(site.json('public/v1/acme/posts/a.json').post.content).toContain('href="./x.pdf"')
  })
})

describe('updatedAt', () => {
  it.each([
    ['2026-03-04', '2026-03-03', 1],
    ['2026-03-04', '2025-12-31T23:59:59Z', 1],
    ['2026-03-04T12:00:00Z', '2026-03-04T11:00:00Z', 1],
    ['2026-03-04T12:00:00Z', '2026-03-04', 0],
    ['2026-03-04', '2026-03-04', 0],
    ['2026-03-04', '2026-03-05', 0],
    ['2026-03-04T00:00:00+02:00', '2026-03-04T00:00:00Z', 0],
  ])('before publishedAt is a warning: %s, %s', async (publishedAt, updatedAt, count) => {
    const site = siteWith({}).post('a', { publishedAt, updatedAt })
    const found = await site.diagnostics()
    expect(
      found.map(({ code, severity, line, column }) => `${line}:${column} ${severity} ${code}`),
    ).toEqual(Array.from({ length: count }, () => '5:12 warning date-order'))
  })

  it('is compared with the date of the file name', async () => {
    const site = siteWith({
      'content/acme/posts/2026-03-04-a.md':
        '---\ntitle: T\ncategory: news\nupdatedAt: 2026-03-01\n---\n',
    })
    expect(await problemsOf(site)).toEqual(['acme/posts/2026-03-04-a.md:4:12 date-order'])
  })
})
