import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { writeFixture } from '../conformance/fixture.ts'
import { temporarySite } from '../support/temporary-site.ts'
import { expectParity, expectRandomParity } from './parity.ts'

describe('every written file is what the handler says without it', () => {
  it('of the sample content', async () => {
    const site = temporarySite()
    cpSync(join(import.meta.dirname, '../../content'), site.content, { recursive: true })
    await expectParity(site)
  })

  it('of 250 generated posts', async () => {
    const site = temporarySite({ precompute: { pageSizes: [10, 100] }, workers: 2 })
    writeCorpus(site.content, { posts: 250, meanBytes: 300 })
    await expectParity(site)
  })

  it('of slugs that are file names of other things, by slug and by id', async () => {
    const site = temporarySite({
      precompute: {
        ids: true,
        neighbours: true,
        pageSizes: [10, 3],
        lists: ['default', 'asc', 'excludeContent+all'],
      },
    })
    writeFixture(site.content)
    await expectParity(site)
  })
})

describe('random requests', () => {
  it('are answered as by a plain reading of the interface, with written files and without', async () => {
    await expectRandomParity(2000)
  })
})
