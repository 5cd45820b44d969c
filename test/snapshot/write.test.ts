import { describe, expect, it } from 'vitest'
import { cutSearch } from '../../src/snapshot/partition.ts'
import { writeSnapshot } from '../../src/snapshot/write.ts'
import {
  inputOf,
  type SamplePost,
  samplePost,
  sampleTerm,
  sha256,
  workspaceOf,
} from '../support/sample-workspace.ts'

/** 150 posts of 14 kB. */
const posts = Array.from({ length: 150 }, (_, number) => {
  const publishedAt = new Date(Date.UTC(2026, 0, 1) + number * 3_600_000).toISOString()
  const text = `word${number} ${'lorem ipsum dolor '.repeat(800)}`
  return samplePost(`post-${number}`, { publishedAt, tags: [sampleTerm('css')] }, text)
})

async function filesOf(given: readonly SamplePost[], scheduled = 0, cache = new Map()) {
  const input = { ...inputOf(workspaceOf(given)), unindexed: scheduled }
  const { files } = await writeSnapshot(input, { sha256, cache })
  const made = new Map<string, string>()
  for (const { name, make } of files) made.set(name, Buffer.from(await make()).toString('base64'))
  return made
}

function kindsOf(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) {
    const kind = /data\/(\w+)-/.exec(name)?.[1] ?? name
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

describe('the files of a snapshot', () => {
  it('are the same with terms from the cache and without, in any order of the library, with names of their bytes', async () => {
    const cache = new Map<string, Uint8Array>()
    const first = await filesOf(posts, 0, cache)
    expect(cache.size).toBeGreaterThan(4)
    expect(await filesOf(posts.toReversed(), 0, cache)).toEqual(first)
    const fewer = await filesOf(posts.slice(0, 100))
    for (const [name, bytes] of fewer) expect(first.get(name) ?? bytes).toBe(bytes)
  })

  it('change in a part or two for a new, an edited, a renamed and a removed post', async () => {
    const late = { publishedAt: '2027-01-01T00:00:00.000Z', tags: [sampleTerm('css')] }
    const changeAt = (at: number, change: (post: SamplePost) => SamplePost) =>
      posts.map((post, number) => (number === at ? change(post) : post))
    const before = await filesOf(posts)
    expect(kindsOf(before.keys())['part']).toBeGreaterThan(4)
    for (const after of [
      [...posts, samplePost('new', late, 'New.')],
      changeAt(60, (post) => ({ ...post, html: '<p>Edited</p>', text: 'Edited' })),
      changeAt(7, (post) => ({ ...post, post: { ...post.post, title: 'T' } })),
      posts.toSpliced(100, 1),
    ]) {
      const names = [...(await filesOf(after)).keys()]
      const {
        part = 0,
        text = 0,
        lists = 0,
        ...others
      } = kindsOf(names.filter((name) => !before.has(name)))
      expect(part).toBeGreaterThan(0)
      expect(Math.max(part, text, lists + 1)).toBeLessThan(3)
      expect(others).toEqual({ terms: 1, index: 1 })
    }
  })

  it('hold scheduled posts in parts of their own, without terms', async () => {
    const published = await filesOf(posts.slice(0, 140))
    const withScheduled = await filesOf(posts, 10)
    const isData = (name: string) => !name.includes('index')
    for (const name of [...published.keys()].filter(isData))
      expect(withScheduled.has(name)).toBe(true)
    const added = [...withScheduled.keys()].filter((name) => isData(name) && !published.has(name))
    expect(kindsOf(added)).toEqual({ part: 1, text: 1 })
  })
})

it('the search index has few groups, and a new part changes the last of them', () => {
  const ids = Array.from({ length: 2000 }, (_, part) => `id-${part}`)
  for (const count of [1, 48, 192, 193, 700, 1430, 2000]) {
    const cuts = cutSearch(ids.slice(0, count))
    expect(cuts.reduce((sum, parts) => sum + parts, 0)).toBe(count)
    expect(cuts.length, String(count)).toBeLessThanOrEqual(6)
    const less = cutSearch(ids.slice(0, count - 1))
    if (count !== 193) expect(cuts.slice(0, less.length - 1)).toEqual(less.slice(0, -1))
  }
})
