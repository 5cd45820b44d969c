// Responses to random requests against the oracle, which reads the contract plainly, and pages of a list.
import { expect, it } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import { pageOf } from '../../src/api/respond.ts'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { ask } from '../support/ask.ts'
import fc from '../support/fast-check.ts'
import { expectedResponse } from '../support/oracle.ts'
import { samplePost, snapshotOf, workspaceOf } from '../support/sample-workspace.ts'

/** Random workspaces; QUARRY_ORACLE_RUNS=200000 sends some 500,000 requests. */
const runs = Number(process.env['QUARRY_ORACLE_RUNS'] ?? 2000)
const now = Date.UTC(2026, 5, 1)

it('responds to every request as the oracle does', async () => {
  const asked = workspaces.chain((workspace) =>
    fc.record({
      workspace: fc.constant(workspace),
      isPaused: fc.boolean(),
      now: moments,
      written: fc.array(fc.tuple(requests(workspace), fc.nat({ max: 2 })), {
        ...{ minLength: 1, maxLength: 4 },
      }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(asked, async ({ workspace, isPaused, now, written }) => {
      const snapshot = await snapshotOf(workspace, isPaused)
      for (const [request, style] of written) {
        const target = targetOf(request, style)
        const { status, text } = await ask(target, snapshot, now, workspace.indexed)
        const found = { status, text: status === 200 ? text : withoutMessages(text) }
        expect({ target, ...found }).toEqual({
          target,
          ...expectedResponse(request, workspace, now),
        })
      }
    }),
    { numRuns: runs },
  )
})

it.each([
  ['query=GRUSSE', []],
  ['query=GRU%E1%BA%9EE', ['first']],
  ['query=%20SECOND%20', ['second']],
  ['query=*more*', ['third']],
  ['query=once,+++*', ['third']],
  ['query=oncemore', []],
  ['query=twin&order=asc', ['twin-a', 'twin-b']],
  ['query=twin', ['twin-b', 'twin-a']],
])('finds the posts of %j', async (query, slugs) => {
  const at = (day: number) => ({ publishedAt: new Date(Date.UTC(2026, 0, day)).toISOString() })
  const blog = await snapshotOf(
    workspaceOf([
      samplePost('first', at(1), 'Grüße'),
      samplePost('second', at(2)),
      samplePost('third', at(3), 'Once, *more*'),
      ...['twin-a', 'twin-b'].map((slug) => samplePost(slug, at(4))),
    ]),
  )
  const { posts } = JSON.parse((await ask(`/v1/acme/posts?${query}`, blog, now)).text)
  expect(posts.map(({ slug }: { slug: string }) => slug)).toEqual(slugs)
})

it.each([
  [0, 10, 1, [0, 0], [10, 1, null, null, 0, 0]],
  [10, 10, 1, [0, 10], [10, 1, null, null, 1, 10]],
  [25, 10, 2, [10, 20], [10, 2, 3, 1, 3, 25]],
  [25, 'all', 7, [0, 25], [25, 1, null, null, 1, 25]],
  [0, 'all', 1, [0, 0], [0, 1, null, null, 0, 0]],
] as const)('describes %j items, %j a page, on page %j', (total, limit, page, range, expected) => {
  const { start, end, pagination } = pageOf(total, limit, page)
  expect([start, end]).toEqual(range)
  expect(Object.values(pagination)).toEqual(expected)
})

it('has pages that together are the list, linked both ways, and none beyond the last', () => {
  fc.assert(
    fc.property(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 100 }), (total, limit) => {
      let [page, end] = [pageOf(total, limit, 1), 0]
      for (;;) {
        const { currentPage, nextPage, previousPage } = page.pagination
        expect([page.start, previousPage]).toEqual([
          end,
          currentPage === 1 ? null : currentPage - 1,
        ])
        end = page.end
        if (nextPage === null) break
        expect([nextPage, end - page.start]).toEqual([currentPage + 1, limit])
        page = pageOf(total, limit, nextPage)
      }
      expect(end).toBe(total)
      expect(() => pageOf(total, limit, page.pagination.currentPage + 1)).toThrow(ApiError)
    }),
  )
})

/** An error's body with `…` for every message, and its details in the order of their fields. */
function withoutMessages(text: string): string {
  const body = JSON.parse(text)
  expect(JSON.stringify(body)).toBe(text)
  if (Array.isArray(body.details))
    body.details.sort((a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1))
  return JSON.stringify(body, (key, value) => (key === 'message' ? '…' : value))
}
