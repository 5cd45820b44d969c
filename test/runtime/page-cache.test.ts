import { describe, expect, it } from 'vitest'
import { bitmapBytes, emptyBitmap, ordinalsIn } from '../../src/query/bitmaps.ts'
import { checksum } from '../../src/query/checksum.ts'
import { GrowingBytes } from '../../src/query/growing.ts'
import { ListEncoder } from '../../src/query/list-coding.ts'
import { pageBytes, pageNumber } from '../../src/query/stored-lists.ts'
import { pagedReader } from '../../src/runtime/page-cache.ts'
import type { Storage } from '../../src/runtime/storage.ts'
import fc from '../support/fast-check.ts'

/** So many that a bitmap of them lies in several pages. */
const universe = 50_000

/** Every so manieth ordinal: lists of a few bytes, and of more than a page. */
const gaps = Array.from({ length: 1200 }, (_, at) => (at % 100 === 7 ? 1 + (at % 5) : 900 + at))

/** Lists one behind the other, cut into three files. */
function makeRun() {
  const bytes = new GrowingBytes()
  const encoder = new ListEncoder(bitmapBytes(universe), bytes)
  const places = gaps.map((gap) => {
    const offset = bytes.length
    const ordinals = Array.from({ length: universe / gap }, (_, at) => at * gap)
    encoder.add(Uint32Array.from(ordinals), 0, ordinals.length)
    return { offset, length: bytes.length - offset, ordinals: ordinals.join() }
  })
  const cuts = [0, 400, 900].map((list) => places[list]?.offset ?? 0)
  const listStarts = [...cuts, bytes.length]
  const lists = ['a', 'b', 'c']
  const files = new Map(
    lists.map((name, at) => [name, bytes.view().slice(listStarts[at], listStarts[at + 1])]),
  )
  const pageChecks = new Uint32Array(pageNumber(bytes.length, lists.length))
  lists.forEach((name, file) => {
    const all = files.get(name) ?? new Uint8Array(0)
    for (let at = 0; at < all.length; at += pageBytes) {
      const page = all.slice(at, at + pageBytes)
      pageChecks[pageNumber((listStarts[file] ?? 0) + at, file)] = checksum(page)
    }
  })
  return { places, files, cut: { lists, listStarts, pageChecks } }
}

const { places, files, cut } = makeRun()

const atOnce: Storage = {
  read: () => expect.unreachable(),
  readRange: (name, offset, length) =>
    files.get(name)?.slice(offset, offset + length) ?? expect.unreachable(name),
}
const later: Storage = {
  ...atOnce,
  readRange: async (name, offset, length) => atOnce.readRange(name, offset, length),
}
const intoRooms: Storage & Required<Pick<Storage, 'readInto'>> = {
  ...atOnce,
  readInto: (name, offset, room) =>
    room.set(atOnce.readRange(name, offset, room.length) as Uint8Array),
}

/** Adds a list to an empty set. */
async function read(reader: ReturnType<typeof pagedReader>, list: number): Promise<string> {
  const { offset, length } = places[list] ?? expect.unreachable()
  const posts = emptyBitmap(universe)
  await reader(offset, length, posts)
  return ordinalsIn(posts).join()
}

/** A storage that notes which pages are read. */
function noting(noted: string[]): Storage {
  return {
    ...intoRooms,
    readInto: (name, offset, room) => {
      noted.push(`${name} ${offset}`)
      intoRooms.readInto(name, offset, room)
    },
  }
}

const someLists = fc.array(fc.nat({ max: gaps.length - 1 }), { minLength: 1, maxLength: 40 })
const someBytes = fc.constantFrom(0, pageBytes, 3 * pageBytes, 2 ** 40)

describe('pagedReader', () => {
  it.each([
    ['at once', atOnce],
    ['later', later],
    ['into rooms', intoRooms],
  ])(
    'adds each list in any order and at once, from storage that answers %s',
    async (_, storage) => {
      await fc.assert(
        fc.asyncProperty(someLists, someBytes, async (lists, bytesMax) => {
          const reader = pagedReader(storage, cut, bytesMax)
          const expected = lists.map((list) => places[list]?.ordinals)
          expect(await Promise.all(lists.map((list) => read(reader, list)))).toEqual(expected)
          for (const list of lists) expect(await read(reader, list)).toBe(places[list]?.ordinals)
        }),
        { numRuns: 60 },
      )
    },
  )

  it.each([true, false])(
    'adds nothing of what was damaged on its way (later: %s)',
    async (isLater) => {
      const damage = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 })
      await fc.assert(
        fc.asyncProperty(someLists, someBytes, damage, async (lists, bytesMax, damaged) => {
          let reads = 0
          const hurt = (bytes: Uint8Array) => {
            if (damaged[reads++ % damaged.length]) bytes.fill(0xff)
            return bytes
          }
          const readRange: Storage['readRange'] = async (name, offset, length) =>
            hurt(await atOnce.readRange(name, offset, length))
          const readInto = (name: string, offset: number, room: Uint8Array) => {
            intoRooms.readInto(name, offset, room)
            hurt(room)
          }
          const storage = isLater ? { ...later, readRange } : { ...intoRooms, readInto }
          const reader = pagedReader(storage, cut, bytesMax)
          for (const list of [...lists, ...lists]) {
            const found = await read(reader, list).catch((error: Error) => error.message)
            if (!found.includes('changed after it was built')) {
              expect(found).toBe(places[list]?.ordinals)
            }
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  it('reads no page twice for which there is room', async () => {
    const noted: string[] = []
    const reader = pagedReader(noting(noted), cut, 2 ** 40)
    for (const list of [...gaps.keys(), ...gaps.keys()]) await read(reader, list)
    expect(new Set(noted).size).toBe(noted.length)
  })

  it('keeps a page that is used again longer than one that is not', async () => {
    const noted: string[] = []
    const reader = pagedReader(noting(noted), cut, 8 * pageBytes)
    for (const list of gaps.keys()) {
      await read(reader, 0)
      await read(reader, list)
    }
    expect(noted.filter((page) => page === 'a 0')).toHaveLength(1)
    expect(noted.length).toBeGreaterThan(12)
  })
})
