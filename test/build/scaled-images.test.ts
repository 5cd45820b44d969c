// `media.widths` and `media.preview`, with the real sharp.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { run } from '../support/command-line.ts'
import { contentsOf } from '../support/contents.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const media = { widths: [400, 80, 32, 8], preview: true }

/** A picture of 80 × 40 pixels, or of 40 × 80 where EXIF turns it. */
async function picture(format: 'jpeg' | 'png' | 'gif', turn = 1): Promise<Buffer> {
  const create = { width: 80, height: 40, channels: 3, background: 'teal' } as const
  return sharp({ create }).withMetadata({ orientation: turn }).toFormat(format).toBuffer()
}

async function sample(): Promise<TemporarySite> {
  const broken = (await picture('png')).fill(0, 60)
  return temporarySite({ media })
    .write('content/acme/workspace.yml', 'derived: [images, cover]\n')
    .write('content/acme/posts/turned.jpg', await picture('jpeg', 6))
    .write('content/acme/posts/flat.png', await picture('png'))
    .write('content/acme/posts/moving.gif', await picture('gif'))
    .write('content/acme/posts/broken.png', broken)
    .post(
      'one',
      { coverImage: './turned.jpg' },
      '![](flat.png) ![](moving.gif) ![](broken.png) ![](https://example.com/x.png)\n',
    )
}

it('describes images by smaller copies and a preview, and publishes the copies', async () => {
  const site = await sample()
  await site.build()
  const { cover, images } = site.json('public/v1/acme/posts/one.json').post.derived
  const bytesAt = (url: string) => readFileSync(join(site.out, 'public', url))
  const widths = async (variants: readonly { url: string }[]) =>
    Promise.all(variants.map(async ({ url }) => (await sharp(bytesAt(url)).metadata()).width))
  const widthsOf = (variants: readonly { width: number }[]) => variants.map(({ width }) => width)
  const all = [cover, ...images]
  expect(all.map(({ variants }) => widthsOf(variants))).toEqual([
    ...[[8, 32, 40], [8, 32, 80], [80], [8, 32, 80]],
    [],
  ])
  expect([cover.width, cover.height]).toEqual([40, 80])
  expect((await widths(cover.variants)).slice(0, 2)).toEqual([8, 32])
  expect((await sharp(bytesAt(cover.variants[1].url)).metadata()).height).toBe(64)
  expect(await widths(images[0].variants)).toEqual([8, 32, 80])
  // Browsers say of a damaged image what they say of the original.
  const [copy, , original] = images[2].variants.map(({ url }: { url: string }) => bytesAt(url))
  expect(copy).toEqual(original)
  const previews = all.map(({ preview }) => preview?.replace(/,.*/, ''))
  const webp = 'data:image/webp;base64'
  expect(previews).toEqual([webp, webp, webp, undefined, undefined])
  const [, code] = cover.preview.split(',')
  expect(await sharp(Buffer.from(code, 'base64')).metadata()).toMatchObject({ width: 16 })
  const { Derived } = site.json('public/openapi.json').components.schemas
  const { properties, required } = Derived.properties.images.items
  expect(Object.keys(properties)).toEqual(Object.keys(images[0]))
  expect(required).toContain('variants')
})

it('makes the same files again from the cache, and after other settings', async () => {
  const kept = await sample()
  await kept.build()
  const files = contentsOf(kept.out)
  kept.remove('dist')
  await kept.build()
  expect(contentsOf(kept.out)).toEqual(files)
  Object.assign(kept.config, { media: {} })
  await kept.build()
  const shown = kept.json('public/v1/acme/posts/one.json').post.derived.cover
  expect(Object.keys(shown)).toEqual(['src', 'width', 'height', 'type', 'bytes'])
  expect(kept.files().filter((path) => path.includes('/media/'))).toHaveLength(4)
})

it('keeps copies of an image as secret as the image', async () => {
  const named = async (publishedAt: string, status: string) => {
    const site = await sample()
    site.post('one').post('due', { publishedAt, status }, '![](flat.png)\n')
    await site.build({ drafts: true, now: someNoon })
    return site.files().filter((path) => path.includes('/media/'))
  }
  const open = await named('2026-01-01', 'published')
  const scheduled = await named('2026-07-01', 'published')
  expect([open.length, scheduled.length]).toEqual([3, 3])
  expect(scheduled.filter((path) => open.includes(path))).toEqual([])
  expect(await named('2026-01-01', 'draft')).toEqual([])
})

it('names the package that is missing', async () => {
  const site = (await sample()).write('quarry.config.json', JSON.stringify({ media }))
  // As where nobody installed it.
  const module = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
  const missing = `export const resolve = (name, context, next) =>
    next(name, name === 'sharp' ? { ...context, parentURL: 'file:///none/' } : context)`
  const hook = `import { register } from 'node:module'\nregister(${JSON.stringify(module(missing))})`
  const options = { NODE_OPTIONS: `--import ${module(hook)}` }
  const { exitCode, stderr } = await run(site.folder, ['check'], options)
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('npm install sharp\n')])
})
