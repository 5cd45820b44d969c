// Images that posts name by paths from the root of a site: where they are looked for, and what is no image there.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { QuarryConfig } from '../../src/config.ts'
import { call } from '../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

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
})
