// The events of a build: stages and counts, never times.
import { cpSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Stage } from '../../src/pipeline/trace.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

describe('the trace of a build', () => {
  it('tells every stage in order', async () => {
    expect(await traced(temporarySite({ cache: 'cache' }).posts(3))).toEqual([
      'scan',
      'render',
      'assemble',
      'responses',
      'index',
      'publish',
    ])
  })

  it('tells how many files no build has seen as they are', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(3)
    const entries = readdirSync(site.content, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).length
    const found: unknown[] = []
    const trace = { onScan: (counts: unknown) => found.push(counts) }
    // Files that were just written are not remembered: another change could have the same time.
    await setTimeout(2600)
    for (let round = 0; round < 2; round++) await site.build({ trace })
    asInAFreshClone(site)
    await site.build({ trace })
    await site.post('post-2', {}, 'Another text.\n').build({ trace })
    expect(found).toEqual([
      { files, newFiles: files },
      { files, newFiles: 0 },
      { files, newFiles: 0 },
      { files, newFiles: 1 },
    ])
  })

  it('leaves out the stages that were not needed', async () => {
    const site = temporarySite({ cache: 'cache' }).posts(3)
    await site.build()
    expect(await traced(site)).toEqual(['scan', 'publish'])
  })
})

/** Other files of the same content. */
function asInAFreshClone(site: TemporarySite): void {
  cpSync(site.content, join(site.folder, 'clone'), { recursive: true })
  renameSync(site.content, join(site.folder, 'old'))
  renameSync(join(site.folder, 'clone'), site.content)
}

async function traced(site: TemporarySite) {
  const stages: Stage[] = []
  await site.build({ trace: { onStage: (stage) => stages.push(stage) } })
  return stages
}
