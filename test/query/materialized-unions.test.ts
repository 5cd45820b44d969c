import { describe, expect, it } from 'vitest'
import { materializedUnions } from '../../src/query/materialized-unions.ts'
import fc from '../support/fast-check.ts'

const token = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 })

describe('materializedUnions', () => {
  it('are of every costly part, and of no other', () => {
    const tokens = fc.uniqueArray(
      fc.record({
        token,
        cost: fc.nat({ max: 5 }),
        posts: fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1 }),
      }),
      { selector: ({ token }) => token, maxLength: 12 },
    )
    const costs = fc.integer({ min: 1, max: 25 })
    fc.assert(
      fc.property(tokens, costs, (given, costMin) => {
        const found = [
          ...materializedUnions(
            {
              postCount: 41,
              text: given.length === 0 ? '\0' : `\0${given.map(({ token }) => token).join('\0')}\0`,
              costs: Uint32Array.from(given, ({ cost }) => cost),
              postings: {
                posts: Uint32Array.from(
                  given.flatMap(({ posts }) => [...posts].sort((a, b) => a - b)),
                ),
                starts: Uint32Array.from([0, ...given.keys()], (_, at) =>
                  given.slice(0, at).reduce((sum, { posts }) => sum + posts.length, 0),
                ),
              },
            },
            costMin,
          ),
        ]
        // A token that has a part twice counts twice: a little more may be materialized than must.
        const costOf = (part: string) =>
          given.reduce((sum, { token, cost }) => sum + cost * countOf(`\0${token}\0`, part), 0)
        const parts = new Set(given.flatMap(({ token }) => partsOf(`\0${token}\0`)))
        const costly = [...parts].filter((part) => part !== '\0' && costOf(part) >= costMin)
        expect(found.map(({ part }) => part).sort()).toEqual(costly.sort())
        for (const { part, posts } of found) {
          const expected = given
            .filter(({ token, cost }) => cost > 0 && `\0${token}\0`.includes(part))
            .flatMap(({ posts }) => posts)
          expect([...posts]).toEqual([...new Set(expected)].sort((a, b) => a - b))
        }
      }),
    )
  })
})

function partsOf(token: string): readonly string[] {
  return [...token].flatMap((_, start) =>
    Array.from({ length: token.length - start }, (_, at) => token.slice(start, start + at + 1)),
  )
}

function countOf(token: string, part: string): number {
  return [...token].filter((_, at) => token.startsWith(part, at)).length
}
