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
})
