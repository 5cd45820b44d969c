// Who has the picture of a scheduled post asks whether the site has it.
import { createHash } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtImages, withMedia } from '../../src/hosts/folder.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const picture = (name: string) =>
  Buffer.from(`89504e470d0a1a0a${Buffer.from(name).toString('hex')}`, 'hex')
const later = { publishedAt: '2026-07-01' }
const due = Date.parse(later.publishedAt)

/** The names that a holder of a picture can compute. */
function guesses(name: string): readonly string[] {
  const digests = ['sha256', 'sha1', 'md5', 'sha512'].map((algorithm) =>
    createHash(algorithm).update(picture(name)).digest('hex').slice(0, 32),
  )
  return digests.map((digest) => `/media/acme/${digest}.png`)
}

/** Pictures of a site by the posts that show them: scheduled ones, published ones, both, drafts. */
function sample(): TemporarySite {
  const site = temporarySite()
  for (const name of ['logo', 'cover', 'linked', 'shared', 'old', 'draft', 'later']) {
    site.write(`content/acme/posts/${name}.png`, picture(name))
  }
  return site
    .write('content/acme/posts/copy-of-old.png', picture('old'))
    .write('content/acme/workspace.yml', 'derived: [images]\n')
    .post(
      'merger',
      { ...later, coverImage: 'cover.png' },
      '![](logo.png) [x](linked.png) ![](shared.png) ![](copy-of-old.png)\n',
    )
    .post('next', { publishedAt: '2026-08-01' }, '![](logo.png) ![](later.png) ![](old.png)\n')
    .post('first', {}, '![](old.png)\n')
    .post('idea', { status: 'draft' }, '![](draft.png) ![](shared.png)\n')
}

const secret = ['logo', 'cover', 'linked', 'shared', 'later', 'draft']

async function ask(site: TemporarySite, now: number) {
  const { site: served, handler, close } = await serveFolder(site.out)
  const responder = withMedia(handler({ now: () => now }), builtImages(site.out), () => served)
  return {
    close,
    get: (target: string) => askHandler(responder, target),
    post: async (slug: string) =>
      JSON.parse((await askHandler(responder, `/v1/acme/posts/${slug}`)).text).post,
  }
}

function imagesOf(post: {
  readonly content: string
  readonly coverImage: string | null
}): readonly string[] {
  const shown = [...`${post.content} ${post.coverImage}`.matchAll(/\/media\/acme\/[^"\s]+/g)]
  return shown.map(([url]) => url)
}

describe.each([false, true])(
  'a picture that only scheduled posts show, with drafts: %s',
  (drafts) => {
    it('is found by nobody who has it, among files and on a server', async () => {
      const site = sample()
      await site.build({ drafts })
      const files = site.files()
      const { get, close } = await ask(site, someNoon)
      for (const target of secret.flatMap(guesses)) {
        expect(files).not.toContain(`public${target}`)
        expect((await get(target)).status).toBe(404)
        for (const name of files) expect(name).not.toContain(target.slice(12, 44))
      }
      expect((await get(guesses('old')[0] ?? '')).status).toBe(200)
      expect(files.filter((file) => file.startsWith('public/media/'))).toHaveLength(6)
      close()
    })

    it('is shown by its post on time, without a build', async () => {
      const site = sample()
      await site.build({ drafts })
      const { get, post, close } = await ask(site, due)
      const merger = await post('merger')
      const urls = imagesOf(merger)
      expect(urls).toHaveLength(5)
      for (const url of urls) expect((await get(url)).status).toBe(200)
      const [cover] = [merger.coverImage]
      expect((await get(cover)).bytes).toEqual(new Uint8Array(picture('cover')))
      expect(
        merger.derived.images.map(({ src, bytes }: { src: string; bytes: number }) => [src, bytes]),
      ).toEqual(
        ['logo', 'shared', 'old'].map((name, at) => [
          [urls[0], urls[2], urls[3]][at],
          picture(name).length,
        ]),
      )
      close()
    })
  },
)

describe('the name of a picture', () => {
  it('does not depend on the machine, on what was built before, or on other posts', async () => {
    const site = sample()
    await site.build()
    const other = sample()
    cpSync(other.content, join(other.folder, 'elsewhere'), { recursive: true })
    await other.build({ now: due })
    await other.build({ now: someNoon })
    expect(other.files()).toEqual(site.files())
    for (const file of site.files()) {
      expect(readFileSync(join(other.out, file)).equals(readFileSync(join(site.out, file)))).toBe(
        true,
      )
    }
    const names = (of: TemporarySite) =>
      of.files().filter((file) => file.startsWith('public/media/'))
    const before = names(site)
    await site.post('first', {}, 'Edited. ![](old.png)\n').post('more').build()
    expect(names(site)).toEqual(before)
  })
})

describe('the picture of an author whom only a scheduled post names', () => {
  const eve = '[{ name: Eve, image: ./eve.png }]'
  const siteOf = (slugs: Readonly<Record<string, Record<string, string>>>) => {
    const site = temporarySite()
      .write('content/acme/workspace.yml', 'references: create\n')
      .write('content/acme/posts/eve.png', picture('eve'))
    for (const [slug, fields] of Object.entries(slugs)) site.post(slug, fields)
    return site
  }
  const media = (site: TemporarySite) =>
    site.files().filter((file) => file.startsWith('public/media/'))

  it('has a name that nobody guesses, which its post shows on time', async () => {
    const site = siteOf({ merger: { ...later, authors: eve }, next: { ...later, authors: 'Eve' } })
    await site.build()
    const [file = '', ...others] = media(site)
    expect(others).toEqual([])
    for (const guess of guesses('eve')) {
      expect(file).not.toBe(`public${guess}`)
      for (const name of site.files().filter((name) => name.startsWith('public/'))) {
        expect(readFileSync(join(site.out, name)).includes(guess.slice(12, 44))).toBe(false)
      }
    }
    const { get, post, close } = await ask(site, due)
    for (const slug of ['merger', 'next']) {
      const [author] = (await post(slug)).authors
      expect(author.image).toBe(file.replace('public', ''))
      expect((await get(author.image)).bytes).toEqual(new Uint8Array(picture('eve')))
    }
    expect(JSON.parse((await get('/v1/acme/authors/eve')).text).image).toBe(
      file.replace('public', ''),
    )
    close()
    await site.build({ now: due })
    expect(media(site)).toEqual([`public${guesses('eve')[0]}`])
  })
})
