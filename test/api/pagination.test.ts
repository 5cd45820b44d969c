import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import { pageOf } from '../../src/api/respond.ts'
import fc from '../support/fast-check.ts'

const totals = fc.nat({ max: 300 })
const limits = fc.integer({ min: 1, max: 100 })

describe('pageOf', () => {
  it.each([
    [0, 10, 1, [0, 0], [10, 1, null, null, 0, 0]],
    [1, 10, 1, [0, 1], [10, 1, null, null, 1, 1]],
    [10, 10, 1, [0, 10], [10, 1, null, null, 1, 10]],
    [11, 10, 1, [0, 10], [10, 1, 2, null, 2, 11]],
    [11, 10, 2, [10, 11], [10, 2, null, 1, 2, 11]],
    [25, 10, 2, [10, 20], [10, 2, 3, 1, 3, 25]],
    [3, 1, 2, [1, 2], [1, 2, 3, 1, 3, 3]],
    [25, 'all', 1, [0, 25], [25, 1, null, null, 1, 25]],
    [0, 'all', 1, [0, 0], [0, 1, null, null, 0, 0]],
    [25, 'all', 7, [0, 25], [25, 1, null, null, 1, 25]],
  ] as const)(
    'describes %j items, %j a page, on page %j',
    (total, limit, page, range, expected) => {
      const { start, end, pagination } = pageOf(total, limit, page)
      expect([start, end]).toEqual(range)
      expect(Object.values(pagination)).toEqual(expected)
    },
  )

  it('names its fields in the documented order', () => {
    const fields =
      '{"limit":5,"currentPage":1,"nextPage":2,"previousPage":null,"totalPages":2,"totalItems":6}'
    expect(JSON.stringify(pageOf(6, 5, 1).pagination)).toBe(fields)
    expect(Object.keys(pageOf(6, 'all', 1).pagination)).toEqual(Object.keys(JSON.parse(fields)))
  })

  it.each([
    [0, 10, 2, 0],
    [10, 10, 2, 1],
    [11, 10, 3, 2],
    [11, 10, 1_000_000, 2],
  ])(
    'refuses beyond the last page: %j items, %j a page, page %j',
    (total, limit, page, totalPages) => {
      const { status, message, details } = refusal(() => pageOf(total, limit, page))
      expect(status).toBe(400)
      expect(JSON.stringify(details)).toBe(
        JSON.stringify({ message, totalPages, requestedPage: page }),
      )
    },
  )

  it('has pages that together are the list, each item once and in order', () => {
    fc.assert(
      fc.property(totals, limits, (total, limit) => {
        const seen = pagesOf(total, limit).flatMap(({ start, end }) => ordinals(start, end))
        expect(seen).toEqual(ordinals(0, total))
      }),
    )
  })

  it('fills every page but the last', () => {
    fc.assert(
      fc.property(totals, limits, (total, limit) => {
        const sizes = pagesOf(total, limit).map(({ start, end }) => end - start)
        expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true)
        if (total > 0) expect(sizes.at(-1)).toBeGreaterThan(0)
      }),
    )
  })

  it('chains its pages forth and back, and ends where there are no more', () => {
    fc.assert(
      fc.property(totals, limits, (total, limit) => {
        const pages = pagesOf(total, limit).map(({ pagination }) => pagination)
        pages.forEach((page, index) => {
          expect(page.previousPage).toBe(pages[index - 1]?.currentPage ?? null)
          expect(page.nextPage).toBe(pages[index + 1]?.currentPage ?? null)
        })
        expect(pages.length).toBe(Math.max(1, pages[0]?.totalPages ?? 0))
        expect(() => pageOf(total, limit, pages.length + 1)).toThrow(ApiError)
      }),
    )
  })
})

/** From page 1 along `nextPage`. */
function pagesOf(total: number, limit: number) {
  const pages = [pageOf(total, limit, 1)]
  for (let next = pages[0]?.pagination.nextPage; next; next = pages.at(-1)?.pagination.nextPage) {
    pages.push(pageOf(total, limit, next))
  }
  return pages
}

function ordinals(start: number, end: number): readonly number[] {
  return Array.from({ length: end - start }, (_, index) => start + index)
}

function refusal(act: () => unknown): ApiError {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing is refused')
}
