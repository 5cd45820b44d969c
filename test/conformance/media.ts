// Images beside posts: their bytes and what is said around them, and that nothing else is given by their paths.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'
import { pictureBytes, pictureHash, picturePath } from './picture.ts'

const type = 'image/png'
const cacheControl = 'public, max-age=31536000, immutable'

/** Defines the cases. Names of those that need an image end in `an image`. */
export function defineMedia(asking: () => Asking): void {
  describe('media', () => {
    it('is where the post says that it is', async () => {
      const { body } = await asking().ask('/v1/beta/posts/only-beta')
      expect(body.post.content).toContain(`src="${picturePath}"`)
    })

    it.each(['', '?width=20&query=%2F'])(
      'is given with its type, for ever, to any page, whatever %j says: an image',
      async (query) => {
        const response = await asking().request(`${picturePath}${query}`)
        expect(response.status).toBe(200)
        expect(Buffer.from(await response.arrayBuffer()).equals(pictureBytes)).toBe(true)
        expectHeaders(response.headers)
      },
    )

    it('is described to HEAD: an image', async () => {
      const response = await asking().request(picturePath, { method: 'HEAD' })
      expect(response.status).toBe(200)
      expect((await response.arrayBuffer()).byteLength).toBe(0)
      expectHeaders(response.headers)
    })

    it('is measured for HEAD: an image', async () => {
      const { headers } = await asking().request(picturePath, { method: 'HEAD' })
      expect(headers.get('content-length')).toBe(String(pictureBytes.length))
    })

    it('is confirmed to those who have it: an image', async () => {
      const { request } = asking()
      const first = await request(picturePath)
      await first.arrayBuffer()
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
      const again = await request(picturePath, { headers })
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
    })

    it('is not written: an image', async () => {
      const { status } = await asking().ask(picturePath, { method: 'POST' })
      expect([404, 405]).toContain(status)
    })

    it.each([
      ['another name', `/media/beta/${'0'.repeat(32)}.png`],
      ['another type', `/media/beta/${pictureHash}.jpg`],
      ['another workspace', `/media/acme/${pictureHash}.png`],
      ['a closed workspace', `/media/secret/${pictureHash}.png`],
      ['an encoded slash', `/media/beta%2f${pictureHash}.png`],
      ['dots', `/media/..%2fmedia%2fbeta/${pictureHash}.png`],
      ['no encoding', `/media/%E0/${pictureHash}.png`],
      ['the folder', '/media/beta'],
      ['the index', '/media/root.json'],
      ['the index below another folder', '/media/beta/..%2f..%2ffunction%2froot.json'],
      ['the configuration', '/_headers'],
    ])('is not there by %s', async (_, path) => {
      expect([400, 404]).toContain((await asking().ask(path)).status)
    })
  })
}

function expectHeaders(headers: { get(name: string): string | null }): void {
  const names = [
    ...['content-type', 'cache-control', 'x-content-type-options'],
    ...['access-control-allow-origin', 'cross-origin-resource-policy'],
  ]
  expect(names.map((name) => headers.get(name))).toEqual([
    ...[type, cacheControl, 'nosniff'],
    ...['*', 'cross-origin'],
  ])
}
