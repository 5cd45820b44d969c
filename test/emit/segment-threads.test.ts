// Threads that make search segments next to the same work here: their files, the values that they make, and how they fail.
// Knows nothing of what the files mean.
import { spawnSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { CacheDamageError, type StoredBytes } from '../../src/cache/stored-bytes.ts'
import {
  type JoinedPost,
  makeSegment,
  type PostInput,
  type SegmentInput,
  type SegmentResult,
} from '../../src/emit/segment.ts'
import { SegmentThreads } from '../../src/emit/segment-threads.ts'
import { emptyFolder } from '../support/empty-folder.ts'

const texts = Array.from(
  { length: 60 },
  (_, post) => `Text ${post}, of words and 日本語 ${post * 7}.`,
)

describe('threads that make segments', () => {
  it('make the files and values that are made here', async () => {
    const { stored } = openCache()
    const input = inputOf((text, post) => {
      const bytes = Buffer.from(text)
      return { title: 'T', text: post % 2 === 0 ? stored(bytes) : bytes }
    })
    const made = await startThreads(1).make(input)
    expect(contents(made)).toEqual(contents(makeSegment(input)))
    expect(made.records.map(({ key }) => key)).toEqual(['latest', 'oldest', 'shard'])
  })

  it('make the same where terms are in blocks of the cache, however posts came and went since', async () => {
    const { stored } = openCache()
    const old = makeSegment(titled('T'))
    const blocks = new Map(old.records.map(({ key, bytes }) => [key, stored(bytes)]))
    const joinedOf = (post: number): JoinedPost => {
      const [key, end] = post < 25 ? ['latest', 24] : ['oldest', 59]
      return { key, block: blocks.get(key) ?? expect.unreachable(), post: end - post }
    }
    // Some in the order of their blocks, some moved, some new, some gone.
    const order = [40, 3, 4, 5, 6, 20, -1, 24, 25, 26, 0, 2, 1, 58, -1, 59]
    const inputs = order.map((post): PostInput => {
      const text = Buffer.from(texts[post] ?? 'new words')
      return { title: 'T', text, joined: post < 0 ? undefined : joinedOf(post) }
    })
    const segmentOf = (posts: readonly PostInput[]): SegmentInput => {
      return { ...kind, shards: [{ key: 'shard', blocks: [{ key: 'block', posts }] }] }
    }
    const made = await startThreads(1).make(segmentOf(inputs))
    const clean = inputs.map(({ joined, ...post }) => post)
    expect(contents(made)).toEqual(contents(makeSegment(segmentOf(clean))))
  })

  it('make the same of shards and blocks from the cache', async () => {
    const { stored } = openCache()
    const records = texts.map((text): PostInput => ({ title: 'T', text: Buffer.from(text) }))
    const [first, second, third] = [
      [0, 1],
      [1, 20, 30],
      [30, 60],
    ].map((ends, at) => ({
      key: `shard ${at}`,
      blocks: ends.slice(1).map((end, block) => ({
        key: `block ${at}.${block}`,
        posts: records.slice(ends[block], end),
      })),
    }))
    const shards = [first, second, third].map((shard) => shard ?? expect.unreachable())
    const whole = makeSegment({ ...kind, shards })
    const cached = new Map(whole.records.map(({ key, bytes }) => [key, stored(bytes)]))
    const from = <Input extends { readonly key: string }>(
      input: Input,
      keys: readonly string[],
    ) => {
      const record = keys.includes(input.key) ? cached.get(input.key) : undefined
      return record === undefined ? input : { key: input.key, record }
    }
    for (const keys of [['shard 0'], ['block 1.0', 'shard 2'], ['block 1.1'], [...cached.keys()]]) {
      const some = shards.map((shard) =>
        from({ ...shard, blocks: shard.blocks.map((block) => from(block, keys)) }, keys),
      )
      const made = await startThreads(1).make({ ...kind, shards: some })
      expect(made.segment).toEqual(whole.segment)
      const names = made.files.map(({ name }) => name)
      const files = whole.files.filter(({ name }) => names.includes(name))
      expect(made.files.map(fileContents)).toEqual(files.map(fileContents))
      expect(names.filter((name) => name.startsWith('search/'))).toEqual(
        whole.files.map(({ name }) => name).filter((name) => name.startsWith('search/')),
      )
      for (const { key, bytes } of made.records) {
        expect(keys).not.toContain(key)
        expect(bytes).toEqual(whole.records.find((record) => record.key === key)?.bytes)
      }
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
    const places = texts.map((text) => stored(Buffer.from(text)))
    const [place] = places
    if (place === undefined || place instanceof Uint8Array) return expect.unreachable()
    const threads = startThreads(1)
    const input = inputOf((_, post) => ({ title: 'T', text: places[post] ?? place }))
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
      const shards = [{ key: 'shard', blocks: [{ key: 'block', posts }] }]
      threads.make({ shards, isIndexed: true, hasGrams: false }).catch(() => {})
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

const kind = { isIndexed: true, hasGrams: true }

function inputOf(postOf: (text: string, post: number) => PostInput): SegmentInput {
  const posts = texts.map(postOf)
  const blocks = [
    { key: 'latest', posts: posts.slice(0, 25) },
    { key: 'oldest', posts: posts.slice(25) },
  ]
  return { ...kind, shards: [{ key: 'shard', blocks }] }
}

function titled(title: string): SegmentInput {
  return inputOf((text) => ({ title, text: Buffer.from(text) }))
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

function contents({ files, segment, records }: SegmentResult): unknown {
  const bytes = records.map(({ key, bytes }) => [key, Buffer.from(bytes)])
  return { files: files.map(fileContents), segment, bytes }
}

function fileContents({ name, etag, bytes }: SegmentResult['files'][number]): readonly string[] {
  return [name, etag, Buffer.from(bytes).toString('hex')]
}
