// Images and links of posts, authors and raw HTML: what is published, where it leads, and what is a problem.
import { hash } from 'node:crypto'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { imagesIn } from '../../src/hosts/folder.ts'
import { withImages } from '../../src/hosts/function.ts'
import { pixel as png } from '../blackbox/site.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const jpg = Buffer.from('ffd8ffe0', 'hex')

/** By their endings. */
function media(site: TemporarySite): readonly string[] {
  const end = (path: string) => path.slice(-3)
  const found = site.files().filter((file) => file.startsWith('public/media/'))
  return found.sort((a, b) => (end(a) < end(b) ? -1 : 1))
}

function contents(site: TemporarySite, slug = 'first'): { html: string; markdown: string } {
  const at = (tree: string) => site.json(`public/v1/acme/posts/${tree}${slug}.json`).post.content
  return { html: at(''), markdown: at('_markdown/') }
}

describe('an image', () => {
  it('beside a post is published once under the name of its bytes, and shown in both formats', async () => {
    const raw = "<picture><source srcset='a.png 1x, /b.png 2x'><img src=a.png></picture>\n"
    const site = temporarySite({ baseUrl: 'https://cdn.example.com/api/' })
      .write('content/acme/posts/a.png', png)
      .write('content/acme/posts/2024/same.PNG', png)
      .write('content/acme/media/deep/b.jpeg', jpg)
      .post('first', { coverImage: './a.png' }, `![A](./a.png "T") ![](<../media/deep/b.jpeg>)\n`)
      .post('2024/second', {}, '![S][s] ![up](../a.png) [big](same.PNG?x#y)\n\n[s]: same.PNG\n')
      .post('raw', {}, raw)
    await site.build()
    const [photo = '', image = '', ...others] = media(site)
    expect(others).toEqual([])
    expect(image).toMatch(/^public\/media\/acme\/[0-9a-f]{32}\.png$/)
    expect(photo).toMatch(/^public\/media\/acme\/[0-9a-f]{32}\.jpg$/)
    expect(readFileSync(join(site.out, image))).toEqual(Buffer.from(png))
    const [url, photoUrl] = [image, photo].map((path) =>
      path.replace('public', 'https://cdn.example.com/api'),
    )
    expect(site.json('public/v1/acme/posts/first.json').post.coverImage).toBe(url)
    expect(contents(site)).toEqual({
      html: `<p><img src="${url}" alt="A" title="T"> <img src="${photoUrl}" alt=""></p>\n`,
      markdown: `![A](${url} "T") ![](<${photoUrl}>)\n`,
    })
    expect(contents(site, 'second').markdown).toBe(
      `![S][s] ![up](${url}) [big](${url})\n\n[s]: ${url}\n`,
    )
    expect(contents(site, 'raw')).toEqual({
      html: `<p><picture><source srcset="${url} 1x, /b.png 2x"><img src="${url}"></picture></p>\n`,
      markdown: raw.replaceAll('a.png', url ?? ''),
    })
  })

  it('has company: files of the listed types that posts link to, which browsers save', async () => {
    const site = temporarySite({ media: { files: ['.pdf', '.svg'], roots: ['static'] } })
      .write('content/acme/posts/Slides.PDF', '%PDF 1')
      .write('content/acme/media/soon.pdf', '%PDF 2')
      .write('content/acme/posts/unlinked.pdf', '%PDF 3')
      .write('content/acme/media/a.svg', '<svg/>')
      .post(
        'first',
        {},
        '[x](./Slides.PDF?v=1#page=2) [y](../media/a.svg) <a href="Slides.PDF">z</a>\n',
      )
      .post('due', { publishedAt: '2030-01-01' }, '[x](../media/soon.pdf)\n')
      .write('static/logo.svg', '<svg/>')
      .post('shown', {}, '![x](/logo.svg)\n')
    await site.build()
    const [slides = '', soon = '', svg = '', ...others] = [
      hash('sha256', '%PDF 1'),
      hash('sha256', '%PDF 2'),
      hash('sha256', '<svg/>'),
    ].map((name, at) => `/media/acme/files/${name.slice(0, 32)}${at === 2 ? '.svg' : '.pdf'}`)
    expect(others).toEqual([])
    expect(contents(site).html).toBe(
      `<p><a href="${slides}">x</a> <a href="${svg}">y</a> <a href="${slides}">z</a></p>\n`,
    )
    expect(contents(site, 'shown').markdown).toBe('![x](/logo.svg)\n')
    const published = media(site).map((path) => path.slice('public'.length))
    expect(published).toHaveLength(3)
    expect(published).toEqual(expect.arrayContaining([slides, svg]))
    expect(published).not.toContain(soon)
    const { handler, keyOf } = await serveFolder(site.out)
    const ask = withImages(handler(), imagesIn(join(site.out, 'public/media')))
    const reply = await askHandler(ask, slides)
    expect([
      reply.status,
      reply.header('content-disposition'),
      reply.header('content-type'),
    ]).toEqual([200, 'attachment', 'application/octet-stream'])
    const list = await askHandler(ask, '/v1/media?type=document', {
      headers: { authorization: `Bearer ${keyOf('acme')}` },
    })
    expect(JSON.parse(list.text).media).toMatchObject([
      { name: 'a.svg', url: svg, type: 'document' },
      { name: 'Slides.PDF', url: slides, type: 'document', size: 6 },
    ])
  })

  it('below a root of the site is found by each path that tools give it', async () => {
    const text = '![a](/img/a.png "T") ![b](</b%20c.jpeg?v=2>) ![c](@site/static/img/a.png)\n'
    const site = temporarySite({ media: { roots: ['static', 'public'] } })
      .write('static/img/a.png', png)
      .write('public/b c.jpeg', jpg)
      .post('first', { coverImage: '/img/a.png' }, text)
    await site.build()
    const [photo, image] = media(site).map((path) => path.slice('public'.length))
    expect(site.json('public/v1/acme/posts/first.json').post.coverImage).toBe(image)
    expect(contents(site).markdown).toBe(`![a](${image} "T") ![b](<${photo}>) ![c](${image})\n`)
  })

  it('of an author is published, from a file or a list of authors', async () => {
    const site = temporarySite({ baseUrl: 'https://cdn.example' })
      .write('content/acme/authors/ada.md', '---\nname: Ada\nimage: ../media/ada.png\n---\n')
      .write('content/acme/authors.yml', '- { slug: bob, name: Bob, image: media/ada.png }\n')
      .write('content/acme/media/ada.png', png)
    await site.post('a', { authors: '[ada, bob]' }).build()
    const [url] = media(site).map((path) => path.replace('public', 'https://cdn.example'))
    for (const file of ['public/v1/acme/authors/ada.json', 'private/v2/acme/authors/bob.json'])
      expect(site.json(file).image).toBe(url)
    const { authors } = site.json('public/v1/acme/posts/a.json').post
    expect(authors.map(({ image }: { image: string }) => image)).toEqual([url, url])
  })

  it('as a cover has its dimensions, after the rotation that a photo asks for', async () => {
    // A JPEG of 2 × 1 pixels in which EXIF asks for a turn by 90°.
    const turned = Buffer.from(
      'ffd8ffe100244578696600004d4d002a000000080001011200030000000100060000000000000000ffc0000b080001000201011100ffd9',
      'hex',
    )
    const site = temporarySite()
      .write('content/acme/workspace.yml', 'derived: [cover, wordCount]\n')
      .write('content/acme/posts/turned.jpg', turned)
      .post('one', { coverImage: './turned.jpg' })
      .write('content/acme/posts/cut.png', png.subarray(0, 20))
      .post('cut', { coverImage: './cut.png' })
      .post('far', { coverImage: 'https://example.com/x.png' })
      .post('none')
    await site.build()
    const derived = (name: string) => site.json(`public/v1/acme/posts/${name}.json`).post.derived
    const { cover } = derived('one')
    expect(cover).toMatchObject({ width: 1, height: 2, type: 'image/jpeg', bytes: turned.length })
    expect(derived('cut').cover).toMatchObject({ width: null, height: null, bytes: 20 })
    const none = { width: null, height: null, type: null, bytes: null }
    expect(derived('far').cover).toEqual({ src: 'https://example.com/x.png', ...none })
    expect(derived('none').cover).toBeNull()
    // In one order, whatever that of the setting.
    expect(Object.keys(derived('none'))).toEqual(['wordCount', 'cover'])
  })
})

describe('an image or a link that cannot be published', () => {
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'secret.png': png,
    'outer/secret.png': png,
    'static/img/a.png': png,
    'static/.hidden/a.png': png,
    'content/beta/posts/a.png': png,
    'content/acme/posts/a.png': png,
    'content/acme/posts/huge.png': Buffer.alloc(10 * 1024 * 1024 + 1),
    'content/acme/posts/empty.webp': '',
    'content/acme/posts/png.jpg': png,
    'content/acme/posts/gif.webp': Buffer.from('GIF89a0000'),
    'content/acme/posts/slides.pdf': '%PDF',
    'content/acme/posts/2026-01-02-hello.md': '# Hello\n',
  }

  it('is an error with its place and a hint', async () => {
    const problems: readonly (readonly [body: string, problem: string])[] = [
      ['![](./b.png)', 'missing-image There is no image "./b.png". Did you mean "./a.png"?'],
      [
        '![](/img/b.png)',
        'missing-image There is no image "/img/b.png" below `media.roots`. Did you mean "/img/a.png"?',
      ],
      ['![](./link.png)', 'missing-image There is no image "./link.png"'],
      ['![](linked/secret.png)', 'missing-image There is no image "linked/secret.png"'],
      [`![](${'x'.repeat(100_000)}.png)`, 'missing-image'],
      ['![](../x/a.png)', 'outside-workspace "../x/a.png" is outside the posts and images'],
      ['![](%2e%2e/%2e%2e/%2E%2E/secret.png)', 'outside-workspace'],
      ['![](..%2f..%2f..%2fsecret.png)', 'outside-workspace'],
      ['![](../../beta/posts/a.png)', 'outside-workspace'],
      ['![](%2fetc/passwd.png)', 'outside-workspace'],
      ['![](/%2e%2e/secret.png)', 'outside-workspace'],
      ['![](huge.png)', 'file-too-large The file is 10485761 bytes long; at most 10485760'],
      ['![](png.jpg)', 'invalid-image The file is a PNG image, but its name ends in ".jpg"'],
      ['[x](./slides.pdf#page=2)', 'unpublished-file'],
      ['[x](helo.md)', 'There is no post "helo.md". Did you mean "./2026-01-02-hello.md"?'],
    ]
    const site = temporarySite({ media: { roots: ['static'] } })
    for (const [path, bytes] of Object.entries(files)) site.write(path, bytes)
    for (const [at, [body]] of problems.entries()) site.post(`p${at}`, {}, `Line.\n\n> ${body}\n`)
    symlinkSync(join(site.folder, 'secret.png'), join(site.content, 'acme/posts/link.png'))
    symlinkSync(join(site.folder, 'outer'), join(site.content, 'acme/posts/linked'))
    symlinkSync(join(site.folder, 'outer'), join(site.folder, 'static/linked'))
    const found = (await site.problems()).filter((problem) => problem.includes('/posts/p'))
    for (const [at, [body, told]] of problems.entries()) {
      const place = `acme/posts/p${at}.md:8:${5 + body.indexOf('](')} `
      expect(
        found.find((line) => line.startsWith(place)),
        body.slice(0, 60),
      ).toContain(told)
    }
  })

  it('is one for an author too', async () => {
    const site = temporarySite().post('a')
    const images = './none.png ../media/x.svg ../../../secret.png ./empty.png /img/a.png'.split(' ')
    for (const [at, image] of images.entries())
      site.write(`content/acme/authors/a${at}.md`, `---\nname: Ada\nimage: ${image}\n---\n`)
    site
      .write('content/acme/authors/empty.png', '')
      .write('content/vault/workspace.yml', 'v1: private\n')
      .write('content/vault/authors.yml', '- { slug: ada, name: Ada, image: media/a.png }\n')
      .write('content/vault/media/a.png', png)
    const problems = (await site.diagnostics()).filter(({ severity }) => severity === 'error')
    expect(problems.map(({ file, line, column, code }) => [file, line, column, code])).toEqual([
      ['acme/authors/a0.md', 3, 8, 'missing-image'],
      ['acme/authors/a1.md', 3, 8, 'unsupported-image'],
      ['acme/authors/a2.md', 3, 8, 'outside-workspace'],
      ['acme/authors/a3.md', 3, 8, 'invalid-image'],
      ['vault/authors.yml', 1, 34, 'private-image'],
    ])
  })
})

describe('a link to the file of another post', () => {
  it('leads to its URL in both formats and in raw HTML, with query and fragment', async () => {
    const site = temporarySite({ links: { post: '/blog/{workspace}/{year}/{month}/{slug}~{id}' } })
      .post('2024/日本語', { id: 'id-1', publishedAt: '2024-03-05' }, '[back](../first.md#a"b)\n')
      .post(
        'first',
        { id: 'id-2' },
        '[x](2024/%E6%97%A5本語.md?q=1#part "T") [y]\n\n<a href="first.md">z</a>\n\n[y]: <./first.md>\n',
      )
    await site.build()
    const there = '/blog/acme/2024/03/%E6%97%A5%E6%9C%AC%E8%AA%9E~id-1'
    const here = '/blog/acme/2026/01/first~id-2'
    expect(contents(site)).toEqual({
      html: `<p><a href="${there}?q=1#part" title="T">x</a> <a href="${here}">y</a></p>\n<p><a href="${here}">z</a></p>\n`,
      markdown: `[x](${there}?q=1#part "T") [y]\n\n<a href="${here}">z</a>\n\n[y]: <${here}>\n`,
    })
    expect(contents(site, '日本語').markdown).toBe(`[back](${here}#a%22b)\n`)
  })

  it('is checked again when the other post changes', async () => {
    const site = temporarySite({ links: { post: '/{slug}' } })
      .post('first', {}, '[a](second.md#part)\n')
      .post('second', {}, '## Part\n')
    expect((await site.build()).diagnostics).toEqual([])
    site.post('second', {}, '## Other\n')
    expect((await site.build()).diagnostics).toMatchObject([{ code: 'broken-anchor', line: 6 }])
  })
})
