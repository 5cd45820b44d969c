import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BundledSearch, BundledSegment } from '../../src/api/bundle.ts'
import type { Ordinals } from '../../src/api/snapshot.ts'
import { makeSegment } from '../../src/emit/segment.ts'
import { nativeSearch } from '../../src/hosts/native-search.ts'
import { addOrdinal, addShifted, emptyBitmap, ordinalsIn } from '../../src/query/bitmaps.ts'
import { fold } from '../../src/query/fold.ts'
import type { SectionTable } from '../../src/query/sections.ts'
import { foldTexts, type PostText, scanSearch } from '../../src/query/text-scan.ts'
import { bundledSearch } from '../../src/runtime/bundled-search.ts'
import type { Storage } from '../../src/runtime/storage.ts'
import fc from '../support/fast-check.ts'

const vocabulary =
  'the of and to in then hereof Straße naïve 日本語 が ガス C++ 한국어 हिन्दी מילה a b'.split(' ')

/** Posts of a few words in an order that only their number decides. */
function somePosts(count: number): readonly PostText[] {
  const word = (number: number) =>
    vocabulary[(Math.imul(number + 1, 0x9e3779b1) >>> 16) % vocabulary.length] ?? ''
  return Array.from({ length: count }, (_, post) => ({
    title: `${word(post)} ${post}`,
    text: Array.from({ length: 5 + (post % 40) }, (_, at) => word(post * 41 + at)).join(
      post % 7 === 0 ? ', ' : ' ',
    ),
  }))
}

/** One segment after the other, latest posts first. */
interface SegmentShape {
  readonly posts: number
  readonly isIndexed?: boolean
}

/**
 * The files of an index, by name, and what is in them.
 *
 * @param shapes what the posts are cut into @default one segment
 */
function build(
  posts: readonly PostText[],
  shapes: readonly SegmentShape[] = [{ posts: posts.length }],
) {
  const files = new Map<string, Uint8Array>()
  const segments: BundledSegment<SectionTable>[] = []
  let start = 0
  for (const { posts: count, isIndexed = true } of shapes) {
    const own = posts.slice(start, start + count)
    const made = makeSegment({
      shards: shardsOf(own),
      isIndexed,
      hasGrams: posts.length > 1000,
    })
    for (const { name, bytes } of made.files) files.set(name, bytes)
    segments.push(made.segment)
    start += count
  }
  const contents: BundledSearch<SectionTable> = { terms: 'any', segments }
  return { files, contents }
}

/** Shards of a few hundred posts, in blocks. */
function shardsOf(posts: readonly PostText[]) {
  const records = posts.map(({ title, text }) => ({ title, text: Buffer.from(text) }))
  return chunksOf(chunksOf(records, 75), 4).map((blocks) => ({
    key: '',
    blocks: blocks.map((posts) => ({ key: '', posts })),
  }))
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** The only segment of an index. */
function onlySegment({ segments }: BundledSearch<SectionTable>): BundledSegment<SectionTable> {
  expect(segments).toHaveLength(1)
  return segments[0] ?? expect.unreachable()
}

function storageOf(files: ReadonlyMap<string, Uint8Array>): Storage {
  const read = (name: string) => files.get(name) ?? expect.unreachable(`${name} is not there`)
  return {
    read,
    readRange: (name, offset, length) => {
      const bytes = read(name)
      expect(offset + length).toBeLessThanOrEqual(bytes.length)
      return bytes.subarray(offset, offset + length)
    },
  }
}

/** The same as a disk is read: into rooms that are looked through natively. */
function intoRooms(storage: Storage): Storage & Required<Pick<Storage, 'readInto'>> {
  return {
    ...storage,
    makeSearchable: nativeSearch(),
    readInto: (name, offset, room) =>
      room.set(storage.readRange(name, offset, room.length) as Uint8Array),
  }
}

/** The same, but later. */
function slow(storage: Storage): Storage {
  return {
    read: async (name) => storage.read(name),
    readRange: async (name, offset, length) => storage.readRange(name, offset, length),
  }
}

function listOf(found: Ordinals): Uint32Array {
  return found.slice(0, found.length)
}

const queries = [
  'the',
  'of the',
  'e',
  'C++',
  '日',
  '本語',
  'not there',
  'straße',
  'f t',
  'the, of',
  '12',
  'ガス a',
  'the of and',
]

describe('a bundled search', () => {
  const posts = somePosts(3000)
  const { files, contents } = build(posts)
  const scanned = scanSearch(() => foldTexts(posts))

  it.each([
    ['at once', storageOf(files), undefined],
    ['later', slow(storageOf(files)), undefined],
    ['at once with room for one page', storageOf(files), 0],
    ['later with room for one page', slow(storageOf(files)), 0],
    ['into rooms', intoRooms(storageOf(files)), undefined],
  ])('finds what a scan finds, with files that come %s', async (_, storage, cacheBytes) => {
    const search = bundledSearch(contents, storage, cacheBytes)
    for (const query of [...queries, ...queries]) {
      expect([query, listOf(await search.search(fold(query)))]).toEqual([
        query,
        scanned.search(fold(query)),
      ])
    }
    const found = await Promise.all(queries.map((query) => search.search(fold(query))))
    expect(found.map(listOf)).toEqual(queries.map((query) => scanned.search(fold(query))))
  })

  it('reads nothing before the first search, and its vocabulary once', async () => {
    const storage = storageOf(files)
    const read: string[] = []
    const search = bundledSearch(contents, {
      ...storage,
      read: (name) => {
        read.push(name)
        return storage.read(name)
      },
    })
    expect(read).toEqual([])
    for (const query of queries) await search.search(fold(query))
    const { vocabulary, tables } = onlySegment(contents)
    expect(read.sort()).toEqual([...vocabulary.files, ...tables.files].sort())
  })

  it('reads all texts in stretches of a quarter of a megabyte into one room', async () => {
    const many = Array.from({ length: 1000 }, (_, number) => ({
      title: `${number}`,
      text: `${'between '.repeat(200)}${number}end begin${number}`,
    }))
    const { files, contents } = build(many)
    const { texts } = onlySegment(contents)
    const storage = intoRooms(storageOf(files))
    const stretches: Uint8Array[] = []
    const search = bundledSearch(contents, {
      ...storage,
      readInto: (name, offset, room) => {
        if (texts.includes(name)) stretches.push(room)
        storage.readInto(name, offset, room)
      },
    })
    expect(await search.search('d b')).toHaveLength(1000)
    const bytes = texts.reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0)
    expect(bytes).toBeGreaterThan(1_500_000)
    expect(stretches.reduce((sum, { length }) => sum + length, 0)).toBe(bytes)
    expect(stretches.length).toBeLessThanOrEqual(bytes / 200_000 + texts.length)
    expect(new Set(stretches.map(({ buffer }) => buffer)).size).toBe(1)
  })

  it('reads the texts of concurrent searches through the gate of the storage', async () => {
    const { texts } = onlySegment(contents)
    const storage = slow(storageOf(files))
    let bytesRead = 0
    let bytesAdmitted = 0
    let largest = 0
    const search = bundledSearch(contents, {
      ...storage,
      batchBytes: 4096,
      readRange: (name, offset, length) => {
        if (texts.includes(name)) bytesRead += length
        return storage.readRange(name, offset, length)
      },
      gate: async (bytes, read) => {
        largest = Math.max(largest, bytes)
        await Promise.resolve()
        bytesAdmitted += bytes
        return read()
      },
    })
    const found = await Promise.all(queries.map((query) => search.search(fold(query))))
    expect(found.map(listOf)).toEqual(queries.map((query) => scanned.search(fold(query))))
    expect(bytesRead).toBeGreaterThan(20_000)
    expect(bytesAdmitted).toBe(bytesRead)
    expect(largest).toBeLessThanOrEqual(4096)
  })

  it.each([true, false])('reads again what failed (later: %s)', async (isLater) => {
    const storage = isLater ? slow(storageOf(files)) : storageOf(files)
    let failures = 0
    const fail = <T>(value: T): T => {
      failures += 1
      // Not for ever: a search over many blocks of texts reads all of them each time.
      if (failures < 30 && failures % 3 === 1) throw new Error('the network is gone')
      return value
    }
    const search = bundledSearch(contents, {
      read: (name) =>
        isLater ? Promise.resolve().then(() => fail(storage.read(name))) : fail(storage.read(name)),
      readRange: (name, offset, length) => {
        const read = () => fail(storage.readRange(name, offset, length))
        return isLater ? Promise.resolve().then(read) : read()
      },
    })
    let tries = 0
    const insist = async (pattern: string): Promise<Uint32Array> => {
      tries += 1
      try {
        return listOf(await search.search(pattern))
      } catch (error) {
        expect(error).toEqual(new Error('the network is gone'))
        return insist(pattern)
      }
    }
    for (const query of ['the', 'C++', 'straße']) {
      expect(await insist(fold(query))).toEqual(scanned.search(fold(query)))
    }
    expect(tries).toBeGreaterThan(3)
  })

  it('has the same files for the same posts, each named by its bytes', () => {
    const again = build(somePosts(3000))
    expect(again.contents).toEqual(contents)
    expect([...again.files.keys()]).toEqual([...files.keys()])
    for (const [name, bytes] of files) {
      expect(name).toContain(createHash('sha256').update(bytes).digest('hex').slice(0, 32))
    }
  })

  it('has one other block of texts when one post changed', () => {
    const changed = posts.map((post, number) =>
      number === 1234 ? { ...post, text: `${post.text} another ending` } : post,
    )
    const other = onlySegment(build(changed).contents).texts
    const { texts } = onlySegment(contents)
    expect(other).toHaveLength(texts.length)
    expect(other.filter((name) => !texts.includes(name))).toHaveLength(1)
  })

  it.each([
    ['vocabulary', onlySegment(contents).vocabulary.files, 'the'],
    ['tables', onlySegment(contents).tables.files, 'the'],
    ['lists', onlySegment(contents).lists, 'the'],
    ['texts', onlySegment(contents).texts, posts[5]?.text.slice(0, 40) ?? ''],
  ])('answers from no %s that were changed, at once or later', async (_, names, query) => {
    const damaged = new Map(files)
    for (const name of names) {
      const bytes = files.get(name)?.slice() ?? expect.unreachable(`${name} is not there`)
      for (let at = 7; at < bytes.length; at += 64) bytes[at] = (bytes[at] ?? 0) ^ 4
      damaged.set(name, bytes)
    }
    const storage = storageOf(damaged)
    for (const each of [storage, slow(storage), intoRooms(storage)]) {
      const search = bundledSearch(contents, each, 0)
      await expect(async () => search.search(fold(query))).rejects.toThrow(
        'changed after it was built',
      )
    }
  })

  it('finds the same where bytes are read into a room that is used again', async () => {
    const storage = storageOf(files)
    const readInto = (name: string, offset: number, room: Uint8Array) =>
      room.set(storage.readRange(name, offset, room.length) as Uint8Array)
    const search = bundledSearch(contents, { ...storage, readInto }, 0)
    for (const query of queries) {
      const found = await search.search(fold(query))
      expect([query, listOf(found)]).toEqual([query, scanned.search(fold(query))])
    }
  })

  it('finds what a scan finds in any posts', async () => {
    const text = fc
      .array(fc.constantFrom(...vocabulary, ',', '\0'), { maxLength: 6 })
      .map((all) => all.join(' '))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ title: text, text }), { maxLength: 12 }),
        text,
        async (posts, query) => {
          const pattern = fold(query)
          fc.pre(pattern !== '')
          const { files, contents } = build(posts)
          const found = await bundledSearch(contents, slow(storageOf(files)), 0).search(pattern)
          expect(listOf(found)).toEqual(scanSearch(() => foldTexts(posts)).search(pattern))
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a bundled search over segments', () => {
  const posts = somePosts(2500)
  const scanned = scanSearch(() => foldTexts(posts))
  const shapes = [
    { posts: 70, isIndexed: false },
    { posts: 1 },
    { posts: 31 },
    { posts: 1500 },
    { posts: 898 },
  ]
  const { files, contents } = build(posts, shapes)

  it.each([
    ['at once', storageOf(files)],
    ['later', slow(storageOf(files))],
    ['into rooms', intoRooms(storageOf(files))],
  ])('finds what a scan finds from any post on, with files that come %s', async (_, storage) => {
    const search = bundledSearch(contents, storage, 0)
    for (const first of [0, 1, 69, 70, 71, 72, 101, 102, 1602, 2499, 2500]) {
      for (const query of queries) {
        const found = await search.search(fold(query), first)
        expect([first, query, listOf(found)]).toEqual([
          first,
          query,
          scanned.search(fold(query), first),
        ])
      }
    }
    const found = await Promise.all(queries.map((query) => search.search(fold(query), 33)))
    expect(found.map(listOf)).toEqual(queries.map((query) => scanned.search(fold(query), 33)))
  })

  it('reads nothing of scheduled posts, whatever is searched for', async () => {
    const [scheduled] = contents.segments
    if (scheduled === undefined) return expect.unreachable()
    const { vocabulary, tables, lists, texts } = scheduled
    const others = new Set(
      contents.segments
        .slice(1)
        .flatMap((it) => [...it.vocabulary.files, ...it.tables.files, ...it.lists, ...it.texts]),
    )
    const own = [...vocabulary.files, ...tables.files, ...lists, ...texts].filter(
      (name) => !others.has(name),
    )
    expect(own.length).toBeGreaterThan(1)
    const storage = storageOf(files)
    const read = new Set<string>()
    const search = bundledSearch(contents, {
      read: (name) => {
        read.add(name)
        return storage.read(name)
      },
      readRange: (name, offset, length) => {
        read.add(name)
        return storage.readRange(name, offset, length)
      },
    })
    const words = [
      ...new Set(foldTexts(posts.slice(0, 70)).flatMap((text) => text.split(/[\0 ]/u))),
    ]
    for (const query of [...queries.map(fold), ...words.filter((word) => word !== '')]) {
      await search.search(query, 70)
    }
    expect(own.filter((name) => read.has(name))).toEqual([])
    await search.search('the', 69)
    expect(own.filter((name) => read.has(name))).not.toEqual([])
  })
})

describe('addShifted', () => {
  it('adds each ordinal, counted from a place on', () => {
    const sets = fc.array(fc.nat({ max: 300 }))
    fc.assert(
      fc.property(sets, sets, fc.nat({ max: 200 }), (one, other, place) => {
        const bits = emptyBitmap(600)
        for (const ordinal of one) addOrdinal(bits, ordinal)
        const added = emptyBitmap(301)
        for (const ordinal of other) addOrdinal(added, ordinal)
        addShifted(bits, added, place)
        const expected = new Set([...one, ...other.map((ordinal) => ordinal + place)])
        expect([...ordinalsIn(bits)]).toEqual([...expected].sort((a, b) => a - b))
      }),
    )
  })
})
