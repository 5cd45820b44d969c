import { describe, expect, it } from 'vitest'
import { cutParts } from '../../src/snapshot/partition.ts'
import { type SnapshotFile, writeSnapshot } from '../../src/snapshot/write.ts'
import fc from '../support/fast-check.ts'
import {
  inputOf,
  type SamplePost,
  samplePost,
  sampleTerm,
  sha256,
  workspaceOf,
} from '../support/sample-workspace.ts'

/** 300 posts of 7 kB. */
const posts = Array.from({ length: 300 }, (_, number) => {
  const publishedAt = new Date(Date.UTC(2026, 0, 1) + number * 3_600_000).toISOString()
  const text = `word${number} ${'lorem ipsum dolor '.repeat(400)}`
  return samplePost(`post-${number}`, { publishedAt, tags: [sampleTerm('css')] }, text)
})

const unknown = samplePost('unknown')

function edited(
  given: readonly SamplePost[],
  at: number,
  change: Partial<SamplePost>,
): readonly SamplePost[] {
  return given.flatMap((post, number) => (number === at ? { ...post, ...change } : post))
}

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
  it('are the same with terms from the cache and without, and in any order of the library', async () => {
    const cache = new Map<string, Uint8Array>()
    const first = await filesOf(posts, 0, cache)
    expect(cache.size).toBeGreaterThan(4)
    expect(await filesOf(posts.toReversed(), 0, cache)).toEqual(first)
  })

  it('have names that follow from their bytes alone', async () => {
    const files = await filesOf(posts.slice(0, 100))
    const again = await filesOf(posts)
    for (const [name, bytes] of again) expect(files.get(name) ?? bytes).toBe(bytes)
  })

  it.each<readonly [string, (given: readonly SamplePost[]) => readonly SamplePost[]]>([
    [
      'a new post',
      (given) => [
        ...given,
        samplePost(
          'new',
          { publishedAt: '2027-01-01T00:00:00.000Z', tags: [sampleTerm('css')] },
          'New.',
        ),
      ],
    ],
    ['an edited post', (given) => edited(given, 120, { html: '<p>Edited</p>', text: 'Edited' })],
    [
      'another title',
      (given) => edited(given, 7, { post: { ...(given[7] ?? unknown).post, title: 'T' } }),
    ],
    ['a removed post', (given) => given.toSpliced(200, 1)],
  ])('change in a part or two for %s', async (_, change) => {
    const before = await filesOf(posts)
    const after = await filesOf(change(posts))
    const written = kindsOf([...after.keys()].filter((name) => !before.has(name)))
    const { part = 0, text = 0, ...others } = written
    expect(kindsOf(before.keys())['part']).toBeGreaterThan(4)
    expect(part).toBeGreaterThan(0)
    expect(part).toBeLessThan(3)
    expect(text).toBeLessThan(3)
    expect(others).toEqual({ terms: 1, index: 1 })
  })

  it('hold scheduled posts in parts of their own, without terms', async () => {
    const published = await filesOf(posts.slice(0, 290))
    const withScheduled = await filesOf(posts, 10)
    const isData = (name: string) => !name.includes('index')
    for (const name of [...published.keys()].filter(isData))
      expect(withScheduled.has(name)).toBe(true)
    const added = [...withScheduled.keys()].filter((name) => isData(name) && !published.has(name))
    expect(kindsOf(added)).toEqual({ part: 1, text: 1 })
  })

  it('read no body for names', async () => {
    const unread = { ...inputOf(workspaceOf(posts)) }
    const cache = new Map<string, Uint8Array>()
    await writeSnapshot(unread, { sha256, cache })
    const posing = unread.posts.map((post) => ({
      ...post,
      html: { ...post.html, read: () => expect.unreachable() },
      markdown: { ...post.markdown, read: () => expect.unreachable() },
      text: { ...post.text, read: () => expect.unreachable() },
    }))
    const { files } = await writeSnapshot({ ...unread, posts: posing }, { sha256, cache })
    expect(files.map(({ name }: SnapshotFile) => name)).toHaveLength((await filesOf(posts)).size)
  })
})

describe('cutParts', () => {
  it('cuts every post into one part, none beyond its bounds but a single post', () => {
    const weighed = fc.array(
      fc.record({ id: fc.string(), weight: fc.integer({ min: 0, max: 1_500_000 }) }),
    )
    fc.assert(
      fc.property(weighed, (given) => {
        let start = 0
        for (const count of cutParts(given)) {
          const part = given.slice(start, start + count)
          const total = part.reduce((sum, { weight }) => sum + weight, 0)
          expect(count).toBeGreaterThan(0)
          if (count > 1) expect(total).toBeLessThanOrEqual(1024 * 1024)
          start += count
        }
        expect(start).toBe(given.length)
      }),
    )
  })
})
