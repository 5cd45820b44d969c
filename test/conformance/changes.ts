// Changes since a build: the first build has none, so that `since` decides between an empty list and an error.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineChanges(asking: () => Asking): void {
  describe('changes', () => {
    it('are those since the build that is named', async () => {
      const { ask, v1, v2 } = asking()
      const { build } = (await ask('/status')).body
      const plain = await v1('/changes')
      expect([plain.status, plain.body]).toEqual([200, { build, changes: [] }])
      for (const query of [`since=${build}`, 'since=', 'page=2', 'limit=3'])
        expect((await v1(`/changes?${query}`)).text, query).toBe(plain.text)
      expect((await v2('/changes')).text).toBe(plain.text)
      expect((await v2(`/changes?since=${build}`)).text).toBe(plain.text)
    })

    it('are a 410 since a build that is not kept, and a 400 since what is no build', async () => {
      const { v1, v2 } = asking()
      for (const send of [v1, v2]) {
        const gone = await send('/changes?since=0123456789abcdef')
        expect([gone.status, gone.body.error]).toEqual([410, 'Gone'])
        const wrong = await send('/changes?since=0123456789abcdef&since=1')
        expect(wrong.body.details).toMatchObject([{ field: 'since' }])
      }
    })

    it('of a closed workspace are for its key alone', async () => {
      const { ask, v2 } = asking()
      expect((await ask('/v1/secret/changes')).status).toBe(404)
      expect((await v2('/changes', 'secret')).body.changes).toEqual([])
      expect((await ask('/v2/changes')).status).toBe(401)
    })
  })
}
