// The head of a site says of a workspace what its index says: the interval around an instant in which nothing changes.
import { describe, expect, it } from 'vitest'
import { defaultParameters } from '../../src/api/request.ts'
import { visibilityAt } from '../../src/api/visibility.ts'
import { decodeHead, encodeHead, scheduledMax } from '../../src/runtime/closed-site.ts'
import fc from '../support/fast-check.ts'

const request = {
  version: 'v1',
  workspace: 'acme',
  resource: 'posts',
  identifier: 'a',
  parameters: defaultParameters,
} as const

/** What a deployment writes of posts, at the moment of a build. */
function headOf(publications: readonly number[], builtAt: number) {
  const posts = [...publications].sort((a, b) => b - a)
  const later = posts.filter((time) => time > builtAt).reverse()
  const workspace = {
    id: 'acme',
    isV1Private: false,
    publishedAt: posts.find((time) => time <= builtAt) ?? null,
    scheduled: [...new Set(later)].slice(0, scheduledMax),
  }
  const head = { build: 'b', limitAll: true, keys: [], responses: 1, workspaces: [workspace] }
  const truthAt = decodeHead(Buffer.from(encodeHead(head))).workspaces.get('acme')?.truthAt
  return { posts, later, truthAt: (now: number) => truthAt?.(request, now) }
}

describe('the head of a site', () => {
  const times = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 200 })
  const instant = fc.integer({ min: -2, max: 122 })

  it('gives the interval of the index, from the build on', () => {
    fc.assert(
      fc.property(times, instant, instant, (publications, builtAt, now) => {
        const { posts, later, truthAt } = headOf(publications, builtAt)
        const { validFrom, validUntil } = visibilityAt(
          { postCount: posts.length, publishedAt: (post) => posts[post] ?? Number.NaN },
          now,
        )
        const interval = truthAt(now)
        if (interval !== null) expect(interval).toEqual({ validFrom, validUntil })
        const isNamed = new Set(later).size < scheduledMax
        if (now >= builtAt && isNamed) expect(interval).not.toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  it('gives none for a clock that stands before the latest post of the build', () => {
    const { truthAt } = headOf([10, 20, 30], 25)
    expect([truthAt(19), truthAt(20), truthAt(30)]).toEqual([
      null,
      { validFrom: 20, validUntil: 30 },
      { validFrom: 30, validUntil: Number.POSITIVE_INFINITY },
    ])
  })

  it('gives none beyond the last publication that it names', () => {
    const { truthAt } = headOf(
      Array.from({ length: scheduledMax + 2 }, (_, at) => at),
      0,
    )
    expect(truthAt(scheduledMax - 1)).toEqual({
      validFrom: scheduledMax - 1,
      validUntil: scheduledMax,
    })
    expect(truthAt(scheduledMax)).toBeNull()
    expect(truthAt(scheduledMax + 1)).toBeNull()
  })

  it('is refused when a byte of it is another', () => {
    const file = Buffer.from(
      encodeHead({ build: 'b', limitAll: true, keys: [], responses: 0, workspaces: [] }),
    )
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => decodeHead(changed), String(at)).toThrow()
    }
  })
})
