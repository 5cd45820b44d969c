// Images beside posts and links between them: what is published, where it leads, and what is told of the rest.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeManifest } from '../../src/build/manifest.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const other = Buffer.concat([png, Buffer.from('other')])

function media(site: TemporarySite): readonly string[] {
  return site.files().filter((file) => file.startsWith('public/media/'))
}

function contents(site: TemporarySite, slug = 'first'): { html: string; markdown: string } {
  const at = (tree: string) => site.json(`public/v1/acme/posts/${tree}${slug}.json`).post.content
  return { html: at(''), markdown: at('_markdown/') }
}

describe('an image beside a post', () => {
  it('is published once under the name of its bytes, and shown from there in both formats', async () => {
    const site = temporarySite({ baseUrl: 'https://cdn.example.com/api/' })
      .write('content/acme/posts/a.png', png)
      .write('content/acme/posts/2024/same.PNG', png)
      .write('content/acme/media/deep/b.jpeg', Buffer.from('ffd8ffe0', 'hex'))
      .post(
        'first',
        { coverImage: './a.png' },
        '![A](./a.png "T")\n\n![B](<../media/deep/b.jpeg>)\n',
      )
      .post('2024/second', {}, '![S][s] ![up](../a.png) [big](same.PNG?x#y)\n\n[s]: same.PNG\n')
    await site.build()
    const [image = ''] = media(site).filter((file) => file.endsWith('.png'))
    const [jpg = ''] = media(site).filter((file) => file.endsWith('.jpg'))
    expect(image).toMatch(/^public\/media\/acme\/[0-9a-f]{32}\.png$/)
    expect(jpg).toMatch(/^public\/media\/acme\/[0-9a-f]{32}\.jpg$/)
    expect(media(site)).toHaveLength(2)
    expect(readFileSync(join(site.out, image))).toEqual(png)
    const url = `https://cdn.example.com/api/${image.slice('public/'.length)}`
    const jpgUrl = `https://cdn.example.com/api/${jpg.slice('public/'.length)}`
    expect(site.json('public/v1/acme/posts/first.json').post.coverImage).toBe(url)
    expect(contents(site)).toEqual({
      html: `<p><img src="${url}" alt="A" title="T"></p>\n<p><img src="${jpgUrl}" alt="B"></p>\n`,
      markdown: `![A](${url} "T")\n\n![B](<${jpgUrl}>)\n`,
    })
    expect(contents(site, 'second').markdown).toBe(
      `![S][s] ![up](${url}) [big](${url})\n\n[s]: ${url}\n`,
    )
    const manifest = decodeManifest(Buffer.from(site.text('manifest.json')))
    expect(manifest?.files.get(image)).toMatchObject({ bytes: png.length })
  })

  it.each([
    ['a b.png', '![](<a b.png>) ![](a%20b.png)'],
    ['100%.png', '![](100%.png) ![](100%25.png)'],
    ['it\'s "(so)".png', '![](<it\'s "(so)".png>) ![](it\'s%20%22%28so%29%22.png)'],
    ['日本 é.png', '![](<日本 é.png>) ![](%E6%97%A5%E6%9C%AC%20e%CC%81.png)'],
    ['e\u0301.png', '![](e\u0301.png) ![](\u00E9.png) ![](%C3%A9.png)'],
    ['a&amp;b.png', '![](a&amp;amp;b.png)'],
    ['a*_`b.png', '![](a*_`b.png) ![](a\\*\\_\\`b.png)'],
  ])('may be called %s', async (name, body) => {
    const site = temporarySite()
      .write(`content/acme/posts/${name}`, png)
      .post('first', {}, `${body}\n`)
    await site.build()
    expect(contents(site).markdown).toMatch(
      /^(!\[\]\(<?\/media\/acme\/[0-9a-f]{32}\.png>?\) ?)+\n$/,
    )
    expect(media(site)).toHaveLength(1)
  })

  it.each([
    ['![](./b.png)', '5', 'missing-image There is no image "./b.png". Did you mean "./a.png"?'],
    ['![](../x/a.png)', '5', 'outside-workspace "../x/a.png" leads out of the posts and images'],
    [
      '![](media/A.PNG)',
      '5',
      'missing-image There is no image "media/A.PNG". Did you mean "./a.png"?',
    ],
    [
      '![](zebra.png)',
      '5',
      'missing-image There is no image "zebra.png". Put it next to this file, or in "media".',
    ],
    ['![](a.svg)', '5', 'unsupported-image "a.svg" is not an image that quarry publishes'],
    ['![](a.txt)', '5', 'unsupported-image "a.txt" is not an image'],
    ['![](./link.png)', '5', 'missing-image There is no image "./link.png"'],
    ['![](linked/secret.png)', '5', 'missing-image There is no image "linked/secret.png"'],
    ['![](../../../secret.png)', '5', 'outside-workspace'],
    ['![](%2e%2e/%2e%2e/%2E%2E/secret.png)', '5', 'outside-workspace'],
    ['![](..%2f..%2f..%2fsecret.png)', '5', 'outside-workspace'],
    ['![](..%5c..%5csecret.png)', '5', 'outside-workspace'],
    ['![](a.png%00.png)', '5', 'outside-workspace'],
    ['![](../../beta/posts/a.png)', '5', 'outside-workspace'],
    ['![](%2fetc/passwd.png)', '5', 'outside-workspace'],
    ['![](../authors/a.png)', '5', 'missing-image'],
    [
      '![](huge.png)',
      '5',
      'file-too-large The file is 10485761 bytes long; at most 10485760 are read.',
    ],
    [`![](${'x'.repeat(100_000)}.png)`, '5', 'missing-image'],
    [
      '[x](./secnod.md)',
      '5',
      'broken-link There is no post "./secnod.md". Did you mean "./second.md"?',
    ],
    ['[x](../authors/ada.md)', '5', 'broken-link'],
    [
      '[x](2024/second.md#part)',
      '5',
      'broken-link There is no post "2024/second.md#part". Did you mean "./second.md"?',
    ],
  ])('is refused with its place: %.60s', async (text, column, told) => {
    const outer = Buffer.from('top secret')
    const site = temporarySite()
      .write('secret.png', outer)
      .write('outer/secret.png', outer)
      .write('content/acme/posts/a.png', png)
      .write('content/acme/posts/huge.png', Buffer.alloc(10 * 1024 * 1024 + 1))
      .write('content/beta/posts/a.png', outer)
      .post('second')
      .post('first', {}, `Line.\n\n> ${text}\n`)
    symlinkSync(join(site.folder, 'secret.png'), join(site.content, 'acme/posts/link.png'))
    symlinkSync(join(site.folder, 'outer'), join(site.content, 'acme/posts/linked'))
    const problems = await site.problems()
    const own = problems.filter((problem) => !problem.includes(' ignored-link '))
    const at = Number(column) + text.indexOf('](')
    expect(own).toHaveLength(1)
    expect(own[0]).toContain(`acme/posts/first.md:8:${at} ${told}`)
  })

  it('is taken away with the last post that shows it, and comes before those that do', async () => {
    const site = temporarySite()
      .write('content/acme/posts/a.png', png)
      .post('first', {}, '![](a.png)\n')
    await site.build()
    expect(media(site)).toHaveLength(1)
    const paths = [...(decodeManifest(Buffer.from(site.text('manifest.json')))?.files.keys() ?? [])]
    const isPost = (path: string) => path.endsWith('first.json')
    expect(paths.findIndex((path) => path.includes('/media/'))).toBeLessThan(
      paths.findIndex(isPost),
    )
    site.post('first', { draft: 'true' }, '![](a.png)\n')
    await site.build({ isEmptyAllowed: true })
    expect(site.files().filter((file) => file.includes('media'))).toEqual([])
  })

  it('that changes while it is published ends the build, which leaves the last one', async () => {
    const site = temporarySite()
      .write('content/acme/posts/a.png', png)
      .post('first', {}, '![](a.png)\n')
    await site.build()
    const loaded = await site.load()
    writeFileSync(join(site.content, 'acme/posts/a.png'), other)
    const { media, readMedia } = loaded.workspaces[0] ?? expect.fail()
    const [file] = media
    expect(file && (() => readMedia(file))).toThrow('The content has 1 error.')
  })
})

describe('a link to the file of another post', () => {
  const template = '/blog/{workspace}/{year}/{month}/{day}/{slug}~{id}'

  it('leads to its address, with its query and fragment', async () => {
    const site = temporarySite({ links: { post: template } })
      .post(
        '2024/日本語',
        { id: 'id-1', publishedAt: '2024-03-05' },
        '[back](../first.md#a"b\'c)\n',
      )
      .post(
        'first',
        { id: 'id-2' },
        '[x](2024/%E6%97%A5本語.md?q=1#part "T") [y]\n\n[y]: <./first.md>\n',
      )
    await site.build()
    const there = '/blog/acme/2024/03/05/%E6%97%A5%E6%9C%AC%E8%AA%9E~id-1'
    const here = '/blog/acme/2026/01/02/first~id-2'
    expect(contents(site)).toEqual({
      html: `<p><a href="${there}?q=1#part" title="T">x</a> <a href="${here}">y</a></p>\n`,
      markdown: `[x](${there}?q=1#part "T") [y]\n\n[y]: <${here}>\n`,
    })
    expect(contents(site, '日本語').markdown).toBe(`[back](${here}#a%22b%27c)\n`)
  })

  it('to a draft is a warning, and tells nothing of it', async () => {
    const site = temporarySite({ links: { post: '/{slug}' } })
      .post('first', {}, '[x](second.md)\n')
      .post('second', { draft: 'true', slug: 'hush' })
    const { diagnostics } = await site.build()
    expect(diagnostics).toMatchObject([
      { code: 'draft-link', severity: 'warning', line: 6, column: 5 },
    ])
    expect(contents(site).html).toBe('<p><a href="second.md">x</a></p>\n')
  })
})
