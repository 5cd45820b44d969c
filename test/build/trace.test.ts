// What a build tells of itself: its stages, and where every body came from. Counts and names, never times.
// Knows nothing of what is made of it.
import { cpSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { BodyEvent, Stage } from '../../src/pipeline/trace.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

describe('the trace of a build', () => {
  it('tells every stage in order, and every body that was rendered', async () => {
    const { stages, bodies } = await traced(temporarySite({ cache: 'cache' }).posts(3))
    expect(stages).toEqual(['scan', 'render', 'assemble', 'responses', 'index', 'publish'])
    expect(bodies.map(({ kind }) => kind)).toEqual(['rendered'])
    expect(bodies[0]).toMatchObject({
      file: expect.stringMatching(/^acme\/posts\/post-\d\.md$/),
      milliseconds: expect.any(Number),
      markdownBytes: JSON.stringify('Text.\n').length,
    })
  })

  it('measures each body for itself', async () => {
    const site = temporarySite({ cache: 'cache' })
    site.post('small').post('large', {}, `${'A **long** text. '.repeat(2000)}\n`)
    const { bodies } = await traced(site)
    const cost = (name: string) => bodies.find(({ file }) => file.endsWith(`${name}.md`))
    const [small, large] = [cost('small'), cost('large')]
    if (small?.kind !== 'rendered' || large?.kind !== 'rendered') throw new Error('not rendered')
    expect(small.milliseconds).toBeGreaterThan(0)
    expect(large.milliseconds).not.toBe(small.milliseconds)
    expect(large.htmlBytes).toBeGreaterThan(small.htmlBytes)
  })

  it('tells bodies of the cache from those that were rendered', async () => {
    const site = temporarySite({ cache: 'cache' })
    for (const name of ['one', 'two', 'three']) site.post(name, {}, `Text of ${name}.\n`)
    await site.build()
    const { bodies } = await traced(site.post('two', {}, 'Another text.\n'))
    expect(bodies.map(({ kind, file }) => `${kind} ${file}`).sort()).toEqual([
      'cached acme/posts/one.md',
      'cached acme/posts/three.md',
      'rendered acme/posts/two.md',
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
    expect(await traced(site)).toEqual({ stages: ['scan', 'publish'], bodies: [] })
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
  const bodies: BodyEvent[] = []
  await site.build({
    trace: { onStage: (stage) => stages.push(stage), onBody: (event) => bodies.push(event) },
  })
  return { stages, bodies }
}
