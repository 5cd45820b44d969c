// What is remembered of files between scans, and when it is not believed.
import { lstatSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { HashCache } from '../../src/content/hash-cache.ts'
import { Scanner } from '../../src/content/scan.ts'
import { makeFolder } from './support.ts'

const path = 'acme/posts/a.md'
const remembered = 'f'.repeat(64)
/** By then the times of every file that a test has written are clearly older. */
const later = () => Date.now() + 60_000

describe('a scan with a memory', () => {
  it('reads no file that was not touched since it was remembered', async () => {
    const { root, memory } = await rememberedFile()
    expect(await scannedHash(root, memory)).toBe(remembered)
  })

  it('reads every file where nothing is remembered', async () => {
    const { root } = await rememberedFile()
    expect(await scannedHash(root, new HashCache(root))).toBe(await scannedHash(root, undefined))
  })

  it.each([
    ['was written with other bytes of the same length, its time put back', writeSameLength],
    ['was replaced by another file of the same length and time', replace],
    ['was touched', (file: string) => utimesSync(file, 1, 1)],
    ['grew', (file: string) => writeFileSync(file, 'more', { flag: 'a' })],
  ])('reads a file that %s', async (_, change) => {
    const { root, memory } = await rememberedFile()
    change(join(root, path))
    expect(await scannedHash(root, memory)).toBe(await scannedHash(root, undefined))
  })

  it('does not remember a file that may have changed again while its times stay as they are', async () => {
    const { root, memory } = await rememberedFile(Date.now())
    expect(await scannedHash(root, memory)).not.toBe(remembered)
    expect(await scannedHash(root, memory)).not.toBe(remembered)
  })
})

describe('a memory', () => {
  it('is kept with the files that are still there', async () => {
    const { root, memory, mark } = await rememberedFile()
    memory.record('acme/posts/gone.md', mark, remembered, later())
    const cache = openCache()
    expect(memory.store(cache, [path])).toBe(true)
    const recalled = new HashCache(root)
    recalled.load(cache)
    expect(recalled.find(path, mark)).toBe(remembered)
    expect(recalled.find('acme/posts/gone.md', mark)).toBeUndefined()
  })

  it('is that of one folder alone', async () => {
    const { memory, mark } = await rememberedFile()
    const cache = openCache()
    memory.store(cache, [path])
    const other = new HashCache('/elsewhere')
    other.load(cache)
    expect(other.find(path, mark)).toBeUndefined()
  })

  it('is that of one version alone', async () => {
    const { root, mark } = await rememberedFile()
    const cache = openCache()
    const [old, same, other] = ['1', '1', '2'].map((version) => new HashCache(root, version))
    old?.record(path, mark, remembered, later())
    old?.store(cache, [path])
    for (const memory of [same, other]) memory?.load(cache)
    expect(same?.find(path, mark)).toBe(remembered)
    expect(other?.find(path, mark)).toBeUndefined()
  })

  it('tells how many files are new to it, or have other bytes', async () => {
    const { root, memory } = await rememberedFile()
    const cache = openCache()
    memory.store(cache, [path])
    const newFiles = async () => {
      const recalled = new HashCache(root)
      recalled.load(cache)
      await scannedHash(root, recalled)
      recalled.store(cache, [path])
      return recalled.newFiles
    }
    expect(await newFiles()).toBe(0)
    // Its bytes are not those that are remembered.
    utimesSync(join(root, path), 1, 1)
    expect(await newFiles()).toBe(1)
    const { content } = (await new Scanner(root).scan()).files[0] ?? {}
    memory.record(path, lstatSync(join(root, path)), String(content), later())
    memory.store(cache, [path])
    utimesSync(join(root, path), 2, 2)
    expect(await newFiles()).toBe(0)
  })

  it('is kept again only when it has learned much', async () => {
    const { memory, mark } = await rememberedFile()
    const cache = openCache()
    for (let file = 0; file < 200; file++) memory.record(`${file}`, mark, remembered, later())
    expect(memory.store(cache, [path])).toBe(true)
    memory.record('one', mark, remembered, later())
    expect(memory.store(cache, [path])).toBe(false)
    for (let file = 0; file < 5; file++) memory.record(`${file}`, mark, remembered, later())
    expect(memory.store(cache, [path])).toBe(true)
  })

  it('has few files of a large site read again and again', async () => {
    const { memory, mark } = await rememberedFile()
    const cache = openCache()
    for (let file = 0; file < 1000; file++) memory.record(`${file}`, mark, remembered, later())
    memory.store(cache, [path])
    for (let file = 0; file < 4; file++) memory.record(`${file}`, mark, remembered, later())
    expect(memory.store(cache, [path])).toBe(false)
    memory.record('4', mark, remembered, later())
    expect(memory.store(cache, [path])).toBe(true)
  })
})

/** A folder with one file, and a memory of that file with a hash that it does not have. */
async function rememberedFile(hashedAt = later()) {
  const root = await makeFolder({ [path]: '---\ntitle: a\n---\nText.\n' })
  const memory = new HashCache(root)
  const mark = lstatSync(join(root, path))
  memory.record(path, mark, remembered, hashedAt)
  return { root, memory, mark }
}

async function scannedHash(root: string, memory: HashCache | undefined): Promise<unknown> {
  const { files } = await new Scanner(root, { hashes: memory }).scan()
  return files.find((file) => file.path === path)?.content
}

function writeSameLength(file: string): void {
  const { atimeMs, mtimeMs, size } = lstatSync(file)
  writeFileSync(file, 'x'.repeat(size))
  utimesSync(file, atimeMs / 1000, mtimeMs / 1000)
}

function replace(file: string): void {
  const { atimeMs, mtimeMs, size } = lstatSync(file)
  writeFileSync(`${file}.new`, 'y'.repeat(size))
  utimesSync(`${file}.new`, atimeMs / 1000, mtimeMs / 1000)
  renameSync(`${file}.new`, file)
}

function openCache(): Cache {
  const cache = Cache.open(null)
  onTestFinished(() => cache.close())
  return cache
}
