import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { published } from '../../src/api/visibility.ts'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { ask } from '../support/ask.ts'
import { samplePost, snapshotOf, workspaceOf } from '../support/sample-workspace.ts'

/** Publication times, latest first, and a list of some of their ordinals. */
const times = fc
  .array(fc.nat({ max: 20 }), { maxLength: 40, size: 'max' })
  .map((all) => all.toSorted((a, b) => b - a))
const timesAndList = times.chain((all) =>
  fc.record({
    all: fc.constant(all),
    list: fc.subarray([...all.keys()]),
    now: fc.nat({ max: 21 }),
  }),
)

describe('published', () => {
  it('keeps what is published by then, and tells when the next one is', () => {
    fc.assert(
      fc.property(timesAndList, ({ all, list, now }) => {
        const publishedAt = (post: number) => all[post] ?? Number.NaN
        const found = published(Uint32Array.from(list), { publishedAt }, now)
        const coming = list.map(publishedAt).filter((time) => time > now)
        expect([...found.posts]).toEqual(list.filter((post) => publishedAt(post) <= now))
        expect(found.validUntil).toBe(coming.length === 0 ? null : Math.min(...coming))
      }),
      { numRuns: 500 },
    )
  })
})

const noon = Date.UTC(2026, 0, 2, 12)
const scheduled = samplePost('b', { publishedAt: '2026-01-02T12:00:00.000Z' })
const soon = snapshotOf(workspaceOf([samplePost('a'), scheduled]))

describe('a scheduled post', () => {
  it.each([
    '/v1/acme/posts',
    '/v1/acme/posts?query=b',
    '/v1/acme/posts?categories=news&order=asc&limit=all',
    '/v2/categories',
    '/v2/categories/news',
    '/v2/categories/news?include=posts',
  ])('changes %s at its very instant, and not before', async (target) => {
    const before = await ask(target, soon, noon - 1)
    expect(before.validUntil).toBe(noon)
    expect(before.text).not.toContain('"b"')
    const after = await ask(target, soon, noon)
    expect(after.validUntil).toBeNull()
    expect(after.text).not.toBe(before.text)
  })

  it('is not found before its instant, by slug nor by id', async () => {
    for (const target of ['/v1/acme/posts/b', '/v2/posts/b-id']) {
      expect((await ask(target, soon, noon - 1)).status).toBe(404)
      expect((await ask(target, soon, noon)).status).toBe(200)
    }
  })

  it.each(['/v1/acme/posts/a', '/v1/acme/posts?query=a', '/v1/acme/posts?categories=none'])(
    'leaves %s true for ever',
    async (target) => {
      expect((await ask(target, soon, noon - 1)).validUntil).toBeNull()
    },
  )
})

describe('an answer', () => {
  const asked = workspaces.chain((workspace) =>
    fc.record({
      snapshot: fc.constant(snapshotOf(workspace)),
      target: requests(workspace).map((request) => targetOf(request)),
      now: moments,
      later: moments,
    }),
  )

  it('stays as it is until it is no longer valid, and changes there', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ snapshot, target, now, later }) => {
        const answer = await ask(target, snapshot, now)
        if (answer.status !== 200) return
        const end = answer.validUntil
        if (end !== null) {
          expect(end).toBeGreaterThan(now)
          expect((await ask(target, snapshot, end - 1)).text).toBe(answer.text)
          expect((await ask(target, snapshot, end)).text).not.toBe(answer.text)
        }
        if (later >= now && (end === null || later < end))
          expect(await ask(target, snapshot, later)).toEqual(answer)
      }),
      { numRuns: 1000 },
    )
  })
})
