// Raw HTML and headings in a built site: images and links lead where those of Markdown do, and settings reach bodies.
import { describe, expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function contents(site: TemporarySite, slug = 'first'): { html: string; markdown: string } {
  const at = (tree: string) => site.json(`public/v1/acme/posts/${tree}${slug}.json`).post.content
  return { html: at(''), markdown: at('_markdown/') }
}

describe('raw HTML', () => {
  it('shows images and links to posts as Markdown does, in both formats', async () => {
    const body = [
      '> <figure>\n>   <img src="./a.png" alt=x>\n> </figure>\n',
      "<picture><source srcset='a.png 1x, /b.png 2x'><img src=a.png></picture>\n",
      'Text <a href="second.md#part">b</a>.\n',
    ].join('\n')
    const site = temporarySite({ links: { post: '/blog/{slug}' } })
      .write('content/acme/posts/a.png', png)
      .post('first', {}, body)
      .post('second', {}, '## Part\n')
    const { diagnostics } = await site.build()
    expect(diagnostics).toEqual([])
    const [image = ''] = site.files().filter((file) => file.startsWith('public/media/'))
    const url = image.slice('public'.length)
    expect(contents(site)).toEqual({
      html: `<blockquote>\n<figure>\n  <img src="${url}" alt="x">\n</figure>\n</blockquote>\n<p><picture><source srcset="${url} 1x, /b.png 2x"><img src="${url}"></picture></p>\n<p>Text <a href="/blog/second#part">b</a>.</p>\n`,
      markdown: body
        .replaceAll(/(?:\.\/)?a\.png/g, url)
        .replace('second.md#part', '/blog/second#part'),
    })
  })

  it('is left out where the configuration says so, also in bodies that were rendered', async () => {
    const site = temporarySite({ cache: 'cache' }).post('first', {}, '# A\n\nH<sub>2</sub>O\n')
    await site.build()
    expect(contents(site).html).toBe('<h1 id="a">A</h1>\n<p>H<sub>2</sub>O</p>\n')
    const settings = { cache: 'cache', markdown: { html: 'omit', headingIds: false } }
    site.write('quarry.config.json', JSON.stringify(settings))
    expect((await call(site.folder, ['build'])).exitCode).toBe(0)
    expect(contents(site).html).toBe('<h1>A</h1>\n<p>H2O</p>\n')
  })
})

describe('a link to a place in another post', () => {
  it('is checked again when the other post changes', async () => {
    const site = temporarySite({ cache: 'cache' })
      .post('first', {}, '[a](second.md#part)\n')
      .post('second', {}, '## Part\n')
    expect((await site.build()).diagnostics).toEqual([])
    site.post('second', {}, '## Other\n')
    expect((await site.build()).diagnostics).toMatchObject([{ code: 'broken-anchor', line: 6 }])
  })
})

describe('MDX', () => {
  it('is what a file is that ends in .mdx, and not one of the same text that ends in .md', async () => {
    const text = '---\ncategory: news\ntitle: A\ndate: 2026-01-02\n---\nA {b}<C>d</C>\n'
    const site = temporarySite({ cache: 'cache' })
      .write('content/acme/posts/one.md', text)
      .write('content/acme/posts/two.mdx', text)
    const plain = '<p>A {b}d</p>\n'
    for (const change of ['A {b}', 'E {b}']) {
      for (const name of ['one.md', 'two.mdx']) {
        site.write(`content/acme/posts/${name}`, text.replace('A {b}', change))
      }
      const { diagnostics } = await site.build()
      expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual([
        'acme/posts/one.md raw-html',
        'acme/posts/two.mdx mdx-left-out',
      ])
      expect(contents(site, 'one').html).toBe(plain.replace('A', change.slice(0, 1)))
      expect(contents(site, 'two').html).toBe(`<p>${change.slice(0, 1)} d</p>\n`)
    }
  })
})
