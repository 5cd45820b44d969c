// fast-check with one seed for all properties, so that a test run gives the same result on every machine.
// `QUARRY_SEED=random npx vitest run …` looks for new counterexamples; a number repeats a run.
import fastCheck from 'fast-check'

/** True if tests try every case, which they do in the projects `long` and `cases`. */
export const hasAllCases: boolean = process.env['QUARRY_CASES'] === 'all'

/**
 * Returns the number of cases to try.
 *
 * @param all number in the projects `long` and `cases`
 * @param few number in the short project. @default a tenth, at least 100, at most all
 */
export function caseCount(all: number, few: number = Math.max(100, Math.ceil(all / 10))): number {
  return hasAllCases ? all : Math.min(few, all)
}

const DEFAULT_SEED = 20_250_601

fastCheck.configureGlobal({ seed: chooseSeed(process.env['QUARRY_SEED']) })

export type { Arbitrary } from 'fast-check'

/** fast-check. The long project tries `numRuns` cases of a property, the short project fewer. */
const fc: typeof fastCheck = {
  ...fastCheck,
  assert: (<Case>(
    property: fastCheck.IRawProperty<Case>,
    parameters: fastCheck.Parameters<Case> = {},
  ): void | Promise<void> => {
    const numRuns = caseCount(parameters.numRuns ?? 100)
    return fastCheck.assert(property, { ...parameters, numRuns })
  }) as typeof fastCheck.assert,
}
export default fc

function chooseSeed(wanted: string | undefined): number {
  if (wanted === undefined || wanted === '') return DEFAULT_SEED
  if (wanted === 'random') return Date.now() % 2 ** 31
  const seed = Number(wanted)
  if (!Number.isInteger(seed))
    throw new Error(`QUARRY_SEED is "random" or an integer, not ${wanted}.`)
  return seed
}
