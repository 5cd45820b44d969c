// Threads that make search segments next to the same work here: their files, the terms that they make, and how they fail.
// Knows nothing of what the files mean.
import { spawnSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { CacheDamageError, type StoredBytes } from '../../src/cache/stored-bytes.ts'
import {
  makeSegment,
  type SegmentInput,
  type SegmentPost,
  type SegmentResult,
} from '../../src/emit/segment.ts'
import { SegmentThreads } from '../../src/emit/segment-threads.ts'
import { postTerms } from '../../src/query/post-terms.ts'
import { emptyFolder } from '../support/empty-folder.ts'

const texts = Array.from(
  { length: 60 },
  (_, post) => `Text ${post}, of words and 日本語 ${post * 7}.`,
)

describe('threads that make segments', () => {
  it('make the files that are made here, and the same terms', async () => {
    const { stored } = openCache()
    const input = inputOf(
      (text, post) =>
        // Some from the cache, some in memory, some still to be made.
        [
          { terms: stored(postTerms('T', text)) },
          { terms: postTerms('T', text) },
          { title: 'T', text: stored(Buffer.from(text)) },
        ][post % 3],
    )
    const made = await startThreads(1).make(input)
    expect(contents(made)).toEqual(contents(makeSegment(input)))
    expect(made.newShards.flatMap(({ terms }) => terms.map(([post]) => post))).toEqual(
      [...texts.keys()].filter((post) => post % 3 === 2),
    )
  })

  it('make the same of shards from the cache', async () => {
    const { stored } = openCache()
    const posts = texts.map((text): SegmentPost => ({ terms: postTerms('T', text) }))
    const shards = [posts.slice(0, 1), posts.slice(1, 30), posts.slice(30)].map((own, at) => ({
      ids: own.map((_, post) => `${at}-${post}`),
      posts: own,
    }))
    const whole = makeSegment({ ...kind, shards })
    const cached = whole.newShards.map(({ record }) => ({ record: stored(record) }))
    for (const kept of [[0], [1], [0, 2], [0, 1, 2]]) {
      const some = shards.map((shard, at) => (kept.includes(at) ? (cached[at] ?? shard) : shard))
      const made = await startThreads(1).make({ ...kind, shards: some })
      expect(made.segment).toEqual(whole.segment)
      expect(made.newShards.map(({ shard }) => shard)).toEqual(
        [0, 1, 2].filter((at) => !kept.includes(at)),
      )
      const names = made.files.map(({ name }) => name)
      const files = whole.files.filter(({ name }) => names.includes(name))
      expect(made.files.map(fileContents)).toEqual(files.map(fileContents))
      expect(names.filter((name) => name.startsWith('search/'))).toEqual(
        whole.files.map(({ name }) => name).filter((name) => name.startsWith('search/')),
      )
    }
  })

  it.each([1, 2, 3])('make many segments, %i at a time', async (threadsMax) => {
    const threads = startThreads(threadsMax)
    const inputs = Array.from({ length: 7 }, (_, at) => titled(`Title ${at}`))
    const made = await Promise.all(inputs.map((input) => threads.make(input)))
    expect(made.map(contents)).toEqual(inputs.map((input) => contents(makeSegment(input))))
    const [again = expect.unreachable()] = inputs
    expect(contents(await threads.make(again))).toEqual(contents(makeSegment(again)))
  })

  it('say which file of the cache is damaged, and go on', async () => {
    const { stored } = openCache()
    const places = texts.map((text) => stored(postTerms('T', text)))
    const [place] = places
    if (place === undefined || place instanceof Uint8Array) return expect.unreachable()
    const threads = startThreads(1)
    const input = inputOf((_, post) => ({ terms: places[post] ?? place }))
    await threads.make(input)
    truncateSync(place.named.path, 100)
    const failure = await threads.make(input).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CacheDamageError)
    expect(failure).toMatchObject({ path: place.named.path })
    await expect(threads.make(titled('T'))).resolves.toBeDefined()
  })

  it('fail what is under way, what waits and what comes once they are closed', async () => {
    const threads = new SegmentThreads(1)
    const made = [titled('A'), titled('B')].map((input) => threads.make(input))
    const failures = Promise.allSettled(made)
    await threads.close()
    expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(threads.make(titled('T'))).rejects.toThrow('closed')
  })

  it('end also where they are done and nobody has heard of it yet', () => {
    const module = new URL('../../.lib/emit/segment-threads.js', import.meta.url)
    const script = `
      import { SegmentThreads } from ${JSON.stringify(module.href)}
      const threads = new SegmentThreads(1)
      const posts = [{ title: 'T', text: Buffer.from('x') }]
      threads.make({ shards: [{ ids: ['a'], posts }], isIndexed: true, hasPairs: false }).catch(() => {})
      await new Promise((resolve) => setImmediate(resolve))
      for (const until = Date.now() + 800; Date.now() < until; );
      await threads.close()`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

const kind = { isIndexed: true, hasPairs: true }

function inputOf(postOf: (text: string, post: number) => SegmentPost | undefined): SegmentInput {
  const ids = texts.map((_, post) => `post-${texts.length - post}`)
  const posts = texts.map((text, post) => postOf(text, post) ?? expect.unreachable())
  return { ...kind, shards: [{ ids, posts }] }
}

function titled(title: string): SegmentInput {
  return inputOf((text) => ({ terms: postTerms(title, text) }))
}

function startThreads(threadsMax: number): SegmentThreads {
  const threads = new SegmentThreads(threadsMax)
  onTestFinished(() => threads.close())
  return threads
}

/** A cache in a folder, and a function that stores bytes in it. */
function openCache() {
  const cache = Cache.open(emptyFolder())
  onTestFinished(() => cache.close())
  let count = 0
  const stored = (bytes: Uint8Array): StoredBytes =>
    cache.add((count++).toString(16).padStart(64, '0'), { bytes }).stored('bytes')
  return { stored }
}

function contents({ files, segment, newShards }: SegmentResult): unknown {
  const shards = newShards.map(({ shard, record, terms }) => ({
    shard,
    record: Buffer.from(record),
    terms: terms.map(([post, own]) => [post, Buffer.from(own)]),
  }))
  return { files: files.map(fileContents), segment, shards }
}

function fileContents({ name, etag, bytes }: SegmentResult['files'][number]): readonly string[] {
  return [name, etag, Buffer.from(bytes).toString('hex')]
}
