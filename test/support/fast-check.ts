// fast-check with one seed for all properties, so that a test run gives the same result on every machine.
// `QUARRY_SEED=random npx vitest run …` looks for new counterexamples; a number repeats a run.
import fc from 'fast-check'

const DEFAULT_SEED = 20_250_601

fc.configureGlobal({ seed: chooseSeed(process.env['QUARRY_SEED']) })

export type { Arbitrary } from 'fast-check'
export default fc

function chooseSeed(wanted: string | undefined): number {
  if (wanted === undefined || wanted === '') return DEFAULT_SEED
  if (wanted === 'random') return Date.now() % 2 ** 31
  const seed = Number(wanted)
  if (!Number.isInteger(seed))
    throw new Error(`QUARRY_SEED is "random" or an integer, not ${wanted}.`)
  return seed
}
