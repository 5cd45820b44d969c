// The content model as it is documented: every example is a site of its own.
import { expect, it } from 'vitest'
import { pixel } from '../blackbox/site.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** Fenced blocks of a language in a section. */
function blocks(heading: string, language: string): readonly string[] {
  const sections = readDocument('content.md').split(/^## /m)
  return blocksOf(sections.find((part) => part.startsWith(`${heading}\n`)) ?? '', language)
}

async function build(
  site: TemporarySite,
): Promise<{ readonly html: string; readonly response: string }> {
  expect((await site.build()).diagnostics).toEqual([])
  const response = site.text('public/v1/acme/posts/kept.json')
  return { html: JSON.parse(response).post.content, response }
}

it('shows fields as they are served', async () => {
  const [definitions = ''] = blocks('Fields of your own', 'yaml')
  const [post = ''] = blocks('Fields of your own', 'markdown')
  const [, served = ''] = /`("fields":\{.*?\})`/.exec(readDocument('content.md')) ?? []
  const site = temporarySite()
    .write('content/acme/workspace.yml', definitions)
    .write('content/acme/categories/delivery.md', '---\nname: Delivery\n---\n')
    .write('content/acme/posts/kept.md', post)
  const { response } = await build(site)
  expect(served).toContain('4.5')
  expect(response).toContain(served)
})

it('shows images and links that work', async () => {
  const [settings = ''] = blocks('Images and links', 'yaml')
  const [post = ''] = blocks('Images and links', 'markdown')
  const site = temporarySite()
    .write('content/acme/workspace.yml', settings)
    .write('content/acme/posts/kept.md', post)
    .write('content/acme/posts/lock.png', pixel)
    .write('content/acme/media/two words.jpg', Buffer.from('ffd8ffe0', 'hex'))
    .post('2024/keys', { publishedAt: '2024-05-06' }, '## Rings\n')
  const { html, response } = await build(site)
  expect(html).toContain('href="/blog/2024/keys#rings"')
  expect(
    html.match(/src="https:\/\/content\.example\.com\/media\/acme\/[0-9a-f]{32}\./g),
  ).toHaveLength(2)
  expect(response).toMatch(
    /"coverImage":"https:\/\/content\.example\.com\/media\/acme\/[0-9a-f]{32}\.png"/,
  )
})
