import { describe, expect, it } from 'vitest'
import { readyUnions } from '../../src/query/ready-unions.ts'
import fc from '../support/fast-check.ts'

const run = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 })

describe('readyUnions', () => {
  it('are of every costly part, and of no other', () => {
    const runs = fc.uniqueArray(
      fc.record({
        run,
        cost: fc.nat({ max: 5 }),
        posts: fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1 }),
      }),
      { selector: ({ run }) => run, maxLength: 12 },
    )
    const costs = fc.integer({ min: 1, max: 25 })
    fc.assert(
      fc.property(runs, costs, (given, costMin) => {
        const found = [
          ...readyUnions(
            {
              postCount: 41,
              text: given.length === 0 ? '\0' : `\0${given.map(({ run }) => run).join('\0')}\0`,
              starts: startsOf(given.map(({ run }) => run)),
              costs: Uint32Array.from(given, ({ cost }) => cost),
              posts: Uint32Array.from(
                given.flatMap(({ posts }) => [...posts].sort((a, b) => a - b)),
              ),
              postStarts: Uint32Array.from([0, ...given.keys()], (_, at) =>
                given.slice(0, at).reduce((sum, { posts }) => sum + posts.length, 0),
              ),
            },
            costMin,
          ),
        ]
        // A run that has a part twice counts twice: a little more may be ready than must.
        const costOf = (part: string) =>
          given.reduce((sum, { run, cost }) => sum + cost * countOf(`\0${run}\0`, part), 0)
        const parts = new Set(given.flatMap(({ run }) => partsOf(`\0${run}\0`)))
        const costly = [...parts].filter((part) => part !== '\0' && costOf(part) >= costMin)
        expect(found.map(({ part }) => part).sort()).toEqual(costly.sort())
        for (const { part, posts } of found) {
          const expected = given
            .filter(({ run, cost }) => cost > 0 && `\0${run}\0`.includes(part))
            .flatMap(({ posts }) => posts)
          expect([...posts]).toEqual([...new Set(expected)].sort((a, b) => a - b))
        }
      }),
    )
  })
})

function startsOf(runs: readonly string[]): Uint32Array {
  const starts = [1]
  for (const run of runs) starts.push((starts.at(-1) ?? 0) + run.length + 1)
  return Uint32Array.from(starts)
}

function partsOf(run: string): readonly string[] {
  return [...run].flatMap((_, start) =>
    Array.from({ length: run.length - start }, (_, at) => run.slice(start, start + at + 1)),
  )
}

function countOf(run: string, part: string): number {
  return [...run].filter((_, at) => run.startsWith(part, at)).length
}
