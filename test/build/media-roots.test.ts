// Images that posts name by paths from the root of a site: where they are looked for, and what is no image there.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { QuarryConfig } from '../../src/config.ts'
import { call } from '../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const other = Buffer.concat([png, Buffer.from('other')])

function siteWith(roots: readonly string[], more: QuarryConfig = {}): TemporarySite {
  const config = { ...more, media: { roots } }
  return temporarySite(config)
    .write('quarry.config.json', JSON.stringify(config))
    .write('static/img/a.png', png)
    .write('public/b c.jpeg', Buffer.from('ffd8ffe0', 'hex'))
}

function media(site: TemporarySite): readonly string[] {
  return site.files().filter((file) => file.startsWith('public/media/'))
}

function post(site: TemporarySite, slug = 'first') {
  return site.json(`public/v1/acme/posts/${slug}.json`).post
}

describe('an image below a root', () => {
  it('is published for each way in which tools name it', async () => {
    const text = [
      '![a](/img/a.png "T")',
      '![b](</b%20c.jpeg?v=2>)',
      '![c](@site/static/img/a.png)',
      '<img src="/img/a.png">',
      '[d](/img/a.png)',
    ]
    const site = siteWith(['static', 'public']).post(
      'first',
      { coverImage: '/img/a.png' },
      text.join('\n\n'),
    )
    await site.build()
    expect(media(site)).toHaveLength(2)
    const [a, b] = ['png', 'jpg'].map((end) => {
      return media(site)
        .find((file) => file.endsWith(end))
        ?.slice('public'.length)
    })
    expect(post(site).coverImage).toBe(a)
    expect(post(site).content).toBe(
      [
        `<p><img src="${a}" alt="a" title="T"></p>`,
        `<p><img src="${b}" alt="b"></p>`,
        `<p><img src="${a}" alt="c"></p>`,
        `<img src="${a}">`,
        `<p><a href="${a}">d</a></p>\n`,
      ].join('\n'),
    )
  })

  it('is there for every workspace, and the first root that has it counts', async () => {
    const site = siteWith(['static', 'public']).write('public/img/a.png', other)
    site.post('first', {}, '![](/img/a.png)')
    site.write(
      'content/blog/posts/one.md',
      '---\ntitle: T\ncategory: news\npublishedAt: 2026-01-02\n---\n![](/img/a.png)\n',
    )
    site.write('content/blog/categories/news.md', '---\nname: News\n---\n')
    await site.build()
    const [one = '', two = ''] = media(site)
    expect(one.replace('/acme/', '/blog/')).toBe(two)
    expect(site.text(one)).toBe(png.toString())
  })

  it('is published again when its bytes change, and nothing is rendered', async () => {
    const site = siteWith(['static'], { cache: 'cache' }).post('first', {}, '![](/img/a.png)')
    await site.build()
    const before = post(site).content
    site.write('static/img/a.png', other)
    const { rendered } = await site.build()
    expect(rendered).toBe(0)
    expect(post(site).content).not.toBe(before)
    expect(media(site)).toHaveLength(1)
  })
})

describe('a path from the root of a site', () => {
  it.each([
    ['to no image', '/img/b.png', 'missing-image', 'Did you mean "/img/a.png"?'],
    ['out of the root', '/../secret.png', 'outside-workspace', ''],
    ['out of it, encoded', '/%2e%2e/secret.png', 'outside-workspace', ''],
    ['out of it from the project', '@site/../secret.png', 'outside-workspace', ''],
    ['to a hidden file', '/.hidden/a.png', 'missing-image', ''],
    ['through a link', '/linked/a.png', 'missing-image', ''],
  ])('%s is a problem', async (_, url, code, hint) => {
    const site = siteWith(['static']).write('secret.png', png).write('static/.hidden/a.png', png)
    symlinkSync(join(site.folder, 'public'), join(site.folder, 'static/linked'))
    site.write('public/a.png', png).post('first', {}, `![](${url})`)
    const { exitCode, stdout } = await call(site.folder, ['check'])
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`error ${code}`)
    expect(stdout).toContain(hint)
  })

  it.each([
    ['to a picture that is none', '![](/logo.svg)'],
    ['to a page', '[x](/about.md)'],
    ['of another host', '![](//cdn.example.com/a.png)'],
    ['to a file of the site', '[x](/files/a.pdf)'],
  ])('%s stays as it is written', async (_, text) => {
    const site = siteWith(['static']).post('first', {}, text)
    await site.build()
    const [, url] = /\((.*)\)/.exec(text) ?? []
    expect(post(site).content).toContain(`"${url}"`)
    expect(media(site)).toEqual([])
  })

  it('stays as it is written without roots, and in a private workspace', async () => {
    const open = temporarySite().post('first', {}, '![](/img/a.png)')
    await open.build()
    expect(post(open).content).toContain('src="/img/a.png"')
    const closed = siteWith(['static']).post('first', {}, '![](/img/a.png)')
    closed.write('content/acme/workspace.yml', 'v1: private\n')
    await closed.build()
    expect(media(closed)).toEqual([])
  })
})

describe('a root', () => {
  it.each([
    ['that is missing', 'assets', '`media.roots` is "assets", and it does not exist (ENOENT).'],
    ['outside of the project', '..', 'which leads out of the project'],
    ['that leads out through a link', 'away', 'which leads out of the project'],
    ['in the content folder', 'content/acme', 'in the content folder'],
    ['that holds the content folder', '.', 'which holds the content folder'],
    ['that is a file', 'static/img/a.png', 'which is not a folder'],
  ])('%s is refused', async (_, root, message) => {
    const site = siteWith([root]).post('first')
    mkdirSync(join(site.folder, 'content/acme'), { recursive: true })
    symlinkSync('/tmp', join(site.folder, 'away'))
    const { exitCode, stderr } = await call(site.folder, ['check'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })
})
