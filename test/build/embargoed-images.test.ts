// Who has the picture of a scheduled post asks whether the site has it.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { imagesIn } from '../../src/hosts/folder.ts'
import { withImages } from '../../src/hosts/function.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const picture = (name: string) =>
  Buffer.from(`89504e470d0a1a0a${Buffer.from(name).toString('hex')}`, 'hex')
const due = Date.parse('2026-07-01')

/** The names that a holder of a picture can compute. */
function guesses(name: string): readonly string[] {
  const digests = ['sha256', 'sha1', 'md5', 'sha512'].map((algorithm) =>
    hash(algorithm, picture(name)).slice(0, 32),
  )
  return digests.map((digest) => `/media/acme/${digest}.png`)
}

/** Pictures of a site by the posts that show them: scheduled ones, published ones, both, drafts. */
function sample(): TemporarySite {
  const authors = '[{ name: Eve, image: ./eve.png }]'
  const site = temporarySite()
  for (const name of ['logo', 'cover', 'linked', 'shared', 'old', 'draft', 'later', 'eve']) {
    site.write(`content/acme/posts/${name}.png`, picture(name))
  }
  return site
    .write('content/acme/posts/copy-of-old.png', picture('old'))
    .write('content/acme/workspace.yml', 'derived: [images]\nreferences: create\n')
    .post(
      'merger',
      { publishedAt: '2026-07-01', coverImage: 'cover.png', authors },
      '![](logo.png) [x](linked.png) ![](shared.png) ![](copy-of-old.png)\n',
    )
    .post('next', { publishedAt: '2026-08-01' }, '![](logo.png) ![](later.png) ![](old.png)\n')
    .post('first', {}, '![](old.png)\n')
    .post('idea', { status: 'draft' }, '![](draft.png) ![](shared.png)\n')
}

const secret = ['logo', 'cover', 'linked', 'shared', 'later', 'draft', 'eve']

async function ask(site: TemporarySite, now: number) {
  const { handler } = await serveFolder(site.out)
  const images = imagesIn(join(site.out, 'public/media'))
  const responder = withImages(handler({ now: () => now }), images)
  return (target: string) => askHandler(responder, target)
}

const imagesOf = (site: TemporarySite) =>
  site.files().filter((file) => file.startsWith('public/media/'))

it.each([false, true])(
  'a picture that only scheduled posts show is found by nobody who has it, and shown on time; drafts: %s',
  async (drafts) => {
    const site = sample()
    await site.build({ drafts })
    const before = await ask(site, someNoon)
    const readable = site
      .files()
      .map((name) =>
        name.startsWith('public/') ? name + readFileSync(join(site.out, name), 'latin1') : name,
      )
    for (const target of secret.flatMap(guesses)) {
      expect((await before(target)).status).toBe(404)
      expect(readable.filter((text) => text.includes(target.slice(12, 44)))).toEqual([])
    }
    expect((await before(guesses('old')[0] ?? '')).status).toBe(200)
    expect(imagesOf(site)).toHaveLength(7)
    const get = await ask(site, due)
    const { post } = JSON.parse((await get('/v1/acme/posts/merger')).text)
    const shown = [...`${post.content} ${post.coverImage}`.matchAll(/\/media\/acme\/[^"\s]+/g)]
    const urls = [...shown.map(([url]) => url), post.authors[0].image]
    const names = ['logo', 'linked', 'shared', 'old', 'cover', 'eve']
    expect(urls).toHaveLength(names.length)
    for (const [at, url] of urls.entries())
      expect((await get(url)).bytes).toEqual(new Uint8Array(picture(names[at] ?? '')))
    expect(post.derived.images).toMatchObject(
      [0, 2, 3].map((at) => ({ src: urls[at], bytes: picture(names[at] ?? '').length })),
    )
    expect(JSON.parse((await get('/v1/acme/authors/eve')).text).image).toBe(urls[5])
    await site.build({ now: due })
    expect(imagesOf(site)).toContain(`public${guesses('eve')[0]}`)
  },
)
