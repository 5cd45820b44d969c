// A cache stays small: records are compressed, packs are merged, and what complete builds do not use leaves.
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'

it('stores the parts of a record compressed together', () => {
  const folder = makeFolder()
  const text = randomBytes(4000).toString('hex')
  save(folder, { used: [], added: { one: { html: `<p>${text}</p>`, markdown: text, text } } })
  // Two characters a byte, and the other parts are the first one again.
  expect(sum(sizesIn(folder))).toBeLessThan(5500)
})

it('stores a record as it is where that is not longer', () => {
  const folder = makeFolder()
  const parts = { bytes: randomBytes(100_000), more: randomBytes(10) }
  save(folder, { used: [], added: { random: parts, none: {} } })
  const cache = Cache.open(folder)
  const found = cache.find(keyOf('random'))
  expect(parts.bytes.equals(found?.read('bytes') ?? Buffer.alloc(0))).toBe(true)
  expect(parts.more.equals(found?.read('more') ?? Buffer.alloc(0))).toBe(true)
  expect(cache.find(keyOf('none'))?.has('bytes')).toBe(false)
  cache.close()
})

it('is at most four files after each of a hundred builds, which merge those that are not much larger', () => {
  const folder = makeFolder()
  for (let build = 0; build < 100; build++) {
    save(folder, { used: [], added: { [build]: { bytes: randomBytes(1000) } }, isComplete: false })
    expect(sizesIn(folder).length).toBeLessThanOrEqual(4)
  }
  expect(sum(sizesIn(folder))).toBeLessThan(120_000)
})

it('copies a record a few times in a hundred builds', () => {
  const folder = makeFolder()
  let written = 0
  for (let build = 0; build < 100; build++) {
    const before = new Set(readdirSync(folder))
    save(folder, { used: [], added: { [build]: { bytes: randomBytes(1000) } }, isComplete: false })
    for (const name of readdirSync(folder)) {
      if (!before.has(name)) written += statSync(join(folder, name)).size
    }
  }
  // Merging all of them each time would write fifty times as much.
  expect(written / sum(sizesIn(folder))).toBeLessThan(16)
})

it('has at most half as much again as complete builds use, however many edits there were', () => {
  const folder = makeFolder()
  const names = Array.from({ length: 40 }, (_, number) => `post ${number}`)
  save(folder, { used: [], added: records(names) })
  const fresh = sum(sizesIn(folder))
  for (let edit = 0; edit < 100; edit++) {
    const [, ...used] = names
    const name = `edit ${edit}`
    save(folder, { used, added: records([name]) })
    names.splice(0, names.length, ...used, name)
    expect(sum(sizesIn(folder))).toBeLessThan(1.5 * fresh)
  }
  const cache = Cache.open(folder)
  expect(names.filter((name) => cache.find(keyOf(name)) === undefined)).toEqual([])
  cache.close()
})

it('leaves out what a complete build does not use, from a sixth on', () => {
  const folder = makeFolder()
  const names = Array.from({ length: 40 }, (_, number) => `post ${number}`)
  save(folder, { used: [], added: records(names) })
  const fresh = sum(sizesIn(folder))
  save(folder, { used: names.slice(5), added: records(['new']) })
  expect(sum(sizesIn(folder))).toBeGreaterThan(fresh)
  save(folder, { used: [...names.slice(8), 'new'], added: records(['newer']) })
  expect(sum(sizesIn(folder))).toBeLessThan(0.9 * fresh)
})

it('is not written again for the size of its index', () => {
  const folder = makeFolder()
  const names = Array.from({ length: 40 }, (_, number) => `post ${number}`)
  const added = Object.fromEntries(names.map((name) => [name, { bytes: 'short' }]))
  save(folder, { used: [], added })
  const [first = ''] = readdirSync(folder)
  save(folder, { used: names, added: { new: { bytes: 'short' } } })
  expect(readdirSync(folder)).toContain(first)
})

interface Saved {
  /** Names of records that are found. */
  readonly used: readonly string[]
  readonly added: Readonly<Record<string, Readonly<Record<string, Buffer | string>>>>
  readonly isComplete?: boolean
}

function save(folder: string, { used, added, isComplete = true }: Saved): void {
  const cache = Cache.open(folder)
  for (const name of used) cache.find(keyOf(name))
  for (const [name, parts] of Object.entries(added)) {
    const bytes = Object.entries(parts).map(([part, value]) => [part, Buffer.from(value as string)])
    cache.add(keyOf(name), Object.fromEntries(bytes))
  }
  expect(cache.save({ isComplete })).toBe(true)
  cache.close()
}

function records(names: readonly string[]): Saved['added'] {
  return Object.fromEntries(names.map((name) => [name, { bytes: randomBytes(1000) }]))
}

function sizesIn(folder: string): readonly number[] {
  const packs = readdirSync(folder).filter((name) => name.endsWith('.pack'))
  return packs.map((name) => statSync(join(folder, name)).size)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function keyOf(name: string): string {
  return hash('sha256', name)
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
