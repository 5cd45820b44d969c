// As handler-parity.test.ts, with a larger site and more requests: a third of a minute of processor time.
import { describe, it } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { temporarySite } from '../support/temporary-site.ts'
import { expectParity, expectRandomParity } from './parity.ts'

describe('every written file is what the handler says without it', () => {
  it('of 2,000 generated posts', async () => {
    const site = temporarySite({ precompute: { pageSizes: [10, 100] }, workers: 2 })
    writeCorpus(site.content, { posts: 2000, meanBytes: 300 })
    await expectParity(site)
  })
})

describe('random requests', () => {
  it('are answered as by a plain reading of the interface, with written files and without', async () => {
    await expectRandomParity(10_000)
  })
})
