// Images beside posts: their bytes and what is said around them, and that nothing else is given by their paths.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'
import { pictureBytes, pictureHash, picturePath } from './picture.ts'

const expected = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Defines the cases. Names of those that need an image end in `an image`. */
export function defineMedia(asking: () => Asking): void {
  describe('media', () => {
    it('is given with its type, for ever, to any page, and confirmed to those who have it: an image', async () => {
      const { ask, request } = asking()
      const { body } = await ask('/v1/beta/posts/only-beta')
      expect(body.post.content).toContain(`src="${picturePath}"`)
      for (const [method, bytes] of [
        ['GET', pictureBytes],
        ['HEAD', Buffer.alloc(0)],
      ] as const) {
        const response = await request(`${picturePath}?width=20&query=%2F`, { method })
        expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, bytes])
        for (const [name, value] of Object.entries(expected))
          expect(response.headers.get(name), name).toBe(value)
        const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
        const again = await request(picturePath, { headers })
        await again.arrayBuffer()
        // A host that gives files by itself may have no validator.
        expect(headers['if-none-match'] === '' ? 200 : 304).toBe(again.status)
      }
      expect([404, 405]).toContain((await ask(picturePath, { method: 'POST' })).status)
    })

    it.each([
      ['another name', `/media/beta/${'0'.repeat(32)}.png`],
      ['another workspace', `/media/acme/${pictureHash}.png`],
      ['a closed workspace', `/media/secret/${pictureHash}.png`],
      ['an encoded slash', `/media/beta%2f${pictureHash}.png`],
      ['no encoding', `/media/%E0/${pictureHash}.png`],
      ['the folder', '/media/beta'],
      ['the index below another folder', '/media/beta/..%2f..%2ffunction%2froot.json'],
    ])('is not there by %s', async (_, path) => {
      expect([400, 404]).toContain((await asking().ask(path)).status)
    })
  })
}
