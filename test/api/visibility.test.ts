import { describe, expect, it } from 'vitest'
import { visibilityAt } from '../../src/api/visibility.ts'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { ask } from '../support/ask.ts'
import fc from '../support/fast-check.ts'
import { samplePost, sampleTerm, snapshotOf, workspaceOf } from '../support/sample-workspace.ts'

const noon = Date.UTC(2026, 0, 2, 12)
const scheduled = samplePost('b', { publishedAt: '2026-01-02T12:00:00.000Z' })
const soon = await snapshotOf(workspaceOf([samplePost('a'), scheduled]))

describe('a scheduled post', () => {
  it('is in every response from its very instant, and in none before', async () => {
    for (const target of ['posts', 'posts?query=b', 'posts/b', 'categories/news?include=posts']) {
      const before = await ask(`/v1/acme/${target}`, soon, noon - 1)
      expect(before.text, target).not.toContain('"b"')
      expect((await ask(`/v1/acme/${target}`, soon, noon)).text, target).toContain('"b"')
    }
  })

  it('reveals no term that it alone names, unless a file states the term', async () => {
    const globex = sampleTerm('globex')
    const secret = samplePost('b', { publishedAt: '2026-01-02T12:00:00.000Z', tags: [globex] })
    const workspace = workspaceOf([samplePost('a', { tags: [sampleTerm('news')] }), secret])
    const created = await snapshotOf({ ...workspace, created: new Set(['globex-id', 'news-id']) })
    const stated = await snapshotOf(workspace)
    const without = await snapshotOf(workspaceOf([samplePost('a', { tags: [sampleTerm('news')] })]))
    for (const target of ['/v1/acme/tags', '/v2/tags/globex', '/v2/posts?tags=globex']) {
      expect(await ask(target, created, noon - 1), target).toEqual(
        await ask(target, without, noon - 1),
      )
      expect(await ask(target, created, noon), target).toEqual(await ask(target, stated, noon))
    }
    expect((await ask('/v2/tags/globex', stated, noon - 1)).status).toBe(200)
  })
})

describe('a response', () => {
  const requested = workspaces.chain((workspace) =>
    fc.record({
      workspace: fc.constant(workspace),
      target: requests(workspace).map((request) => targetOf(request)),
      now: moments,
      other: moments,
    }),
  )

  it('stays as it is for as long as the visibility of its workspace lasts', async () => {
    await fc.assert(
      fc.asyncProperty(requested, async ({ workspace, target, now, other }) => {
        const snapshot = await snapshotOf(workspace)
        const { validFrom, validUntil } = visibilityAt(snapshot, now)
        if (other < validFrom || other >= validUntil) return
        expect(await ask(target, snapshot, other)).toEqual(await ask(target, snapshot, now))
      }),
      { numRuns: 1000 },
    )
  })
})
