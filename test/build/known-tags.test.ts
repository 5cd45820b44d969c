// What a build knows of its answers by the ones before it: which it need not make, and that it is right.
// Knows nothing of how it is kept.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Chunk, etagOf } from '../../src/api/answer.ts'
import { respond } from '../../src/api/respond.ts'
import { AnswerTags } from '../../src/emit/answer-tags.ts'
import { type Precompute, planWorkspace } from '../../src/emit/plan.ts'
import { recallTags } from '../../src/pipeline/known-tags.ts'
import { scheduledCount } from '../../src/pipeline/moments.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const precompute: Precompute = {
  versions: ['v1', 'v2'],
  formats: ['html', 'markdown'],
  pageSizes: [2, 3],
  ids: false,
}

describe('the plan of a workspace', () => {
  it('names the bodies that each answer holds', async () => {
    const site = taggedSite()
    const answers = await planned(site)
    for (const { path, body, bodies } of answers) {
      const held = body.filter(isBody).map(({ ordinal }) => ordinal)
      const { start, end } = bodies
      expect([path, held]).toEqual([
        path,
        [...new Array(end - start).keys()].map((at) => start + at),
      ])
    }
    // Post-7, the first, is not published yet.
    const ranges = new Set(answers.map(({ bodies: { start, end } }) => `${start}-${end}`))
    expect([...ranges].sort()).toEqual([
      '0-0',
      '1-2',
      '1-3',
      '1-4',
      '2-3',
      '3-4',
      '3-5',
      '4-5',
      '4-7',
      '5-6',
      '5-7',
      '6-7',
    ])
  })
})

describe('the answers that are not one post', () => {
  it('are all known where nothing has changed', async () => {
    const site = taggedSite()
    expect(await unknown(site)).toEqual(await everyPath(site))
    await site.build()
    expect(await unknown(site)).toEqual([])
  })

  it('are known where bodies alone have changed, but for those that hold one of them', async () => {
    const site = taggedSite()
    await site.build()
    site.post('post-3', { publishedAt: '2026-01-03T00:00:00.000Z' }, 'Another text.\n')
    const changed = ['post-3', '_limit/2/_page/2', '_limit/3/_page/2'].flatMap((name) => [
      `posts/${name}`,
      `posts/_markdown/${name}`,
    ])
    expect(await unknown(site)).toEqual(changed.sort())
    await site.build()
    expect(await unknown(site)).toEqual([])
  })

  it.each<[string, (site: TemporarySite) => unknown, Partial<Asked>]>([
    ['a title changed', (site) => site.post('post-3', { title: 'Another title' }), {}],
    ['a post was added', (site) => site.post('another'), {}],
    [
      'a term changed',
      (site) => site.write('content/acme/categories/news.md', '---\nname: The news\n---\n'),
      {},
    ],
    ['a post is published by now', () => {}, { now: someNoon + 400 * 86_400_000 }],
    ['other pages are asked for', () => {}, { precompute: { ...precompute, pageSizes: [3, 2] } }],
  ])('are not known where %s', async (_, change, asked) => {
    const site = taggedSite()
    await site.build()
    change(site)
    const isOther = (path: string) => !/^posts\/(?:_markdown\/)?[a-z]/.test(path)
    const others = (await everyPath(site, asked)).filter(isOther)
    expect((await unknown(site, asked)).filter(isOther)).toEqual(others)
  })
})

/** What is asked for, and when. */
interface Asked {
  readonly now: number
  readonly precompute: Precompute
}

function taggedSite(): TemporarySite {
  const site = temporarySite({
    cache: 'cache',
    precompute,
  })
  return site.posts(6).post('post-7', { publishedAt: '2027-01-01' })
}

async function everyPath(
  site: TemporarySite,
  asked: Partial<Asked> = {},
): Promise<readonly string[]> {
  return (await planned(site, asked)).map(({ path }) => path).sort()
}

/** Paths of the answers that a build would not know; what it knows is what it would make. */
async function unknown(
  site: TemporarySite,
  asked: Partial<Asked> = {},
): Promise<readonly string[]> {
  const answers = await planned(site, asked)
  for (const { path, known, tag } of answers) expect([path, known ?? tag]).toEqual([path, tag])
  return answers.flatMap(({ path, known }) => (known === undefined ? [path] : [])).sort()
}

/** Every answer that a build would write, below its workspace, with the tag that it would know. */
async function planned(
  site: TemporarySite,
  { now = someNoon, precompute: asked = precompute }: Partial<Asked> = {},
) {
  const { workspaces, derive, library } = await site.load({}, join(site.folder, 'cache'))
  const [only] = workspaces
  if (only === undefined) return expect.unreachable('no workspace')
  const { workspace, snapshot } = only
  const scheduled = scheduledCount(only, now)
  const answers = { workspace: workspace.id, library, precompute: asked, scheduled }
  const tags = new AnswerTags(snapshot, recallTags(derive, answers))
  const found = []
  for (const one of planWorkspace(workspace, snapshot, asked, now)) {
    const known = tags.next(one)
    const { body } = await respond(one.request, snapshot, now)
    const tag = etagOf(body, snapshot, (bytes) => hash('sha256', bytes, 'buffer'))
    if (known === undefined) tags.note(one, tag)
    const [, path = ''] = /^\w+\/v\d\/acme\/(.+?)(?:\/index)?\.json$/.exec(one.paths[0] ?? '') ?? []
    found.push({ path, known, tag, body, bodies: one.bodies })
  }
  return found
}

function isBody(chunk: Chunk): chunk is Exclude<Chunk, string> {
  return typeof chunk !== 'string' && (chunk.part === 'html' || chunk.part === 'markdown')
}
