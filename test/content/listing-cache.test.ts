// What is remembered of folders between scans, and when it is not believed.
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { type Listing, listEntries } from '../../src/content/entries.ts'
import { ListingCache } from '../../src/content/listing-cache.ts'
import { areReliable, statsOf } from '../../src/content/path-stats.ts'
import { Scanner } from '../../src/content/scan.ts'
import { resolveFolder } from '../../src/content/tree.ts'
import { readToolId } from '../../src/pipeline/tool-id.ts'
import fc from '../support/fast-check.ts'
import { temporarySite } from '../support/temporary-site.ts'
import { makeFolder } from './support.ts'

/** By then the times of every folder that a test has made are clearly older. */
const later = () => Date.now() + 60_000
/** Longer than the step in which a file system counts time. */
const step = () => setTimeout(20)

const files = {
  'acme/workspace.yml': 'name: Acme\n',
  'acme/posts/a.md': 'A',
  'acme/posts/2024/b.md': 'B',
  'acme/tags/t.md': 'T',
  'acme/media/i.png': '',
}

describe('a scan with a memory of folders', () => {
  it('lists none where nobody has touched any', async () => {
    const { root, memory } = await remembered()
    const { entries, diagnostics } = listEntries(root)
    // Something that is not there shows that nothing was listed.
    const more = { path: 'acme/posts/remembered.md', kind: 'file' } as const
    memory.record({ entries: [...entries, more], diagnostics }, later())
    const scan = await new Scanner(root, { listings: memory }).scan()
    expect(scan.files.map(({ path }) => path)).toContain(more.path)
  })

  it('finds what it finds without, and remembers it', async () => {
    const root = await makeFolder(files)
    const memory = new ListingCache(root, '')
    const plain = await new Scanner(root).scan()
    // Folders that were just made are not remembered: another change could have the same time.
    expect(await new Scanner(root, { listings: memory }).scan()).toEqual(plain)
    expect(memory.find()).toBeUndefined()
    await setTimeout(2600)
    expect(await new Scanner(root, { listings: memory }).scan()).toEqual(plain)
    expect(memory.find()).toEqual(listEntries(root))
    writeFileSync(join(root, 'acme/posts/a.md'), 'in its place')
    expect(memory.find()).toEqual(listEntries(root))
    expect((await new Scanner(root, { listings: memory }).scan()).fingerprint).not.toBe(
      plain.fingerprint,
    )
  })
})

describe('a memory of folders', () => {
  it.each<[string, (root: string) => void]>([
    ['a file was added', (root) => writeFileSync(join(root, 'acme/posts/2024/c.md'), '')],
    ['a file was removed', (root) => unlinkSync(join(root, 'acme/tags/t.md'))],
    ['a file was renamed', (root) => move(root, 'acme/posts/a.md', 'acme/posts/A.md')],
    ['a workspace was added', (root) => mkdirSync(join(root, 'other'))],
    ['a folder was removed', (root) => rmSync(join(root, 'acme/media'), { recursive: true })],
    ['a file became a link', (root) => link(root, 'acme/posts/a.md')],
    ['a folder became a link', (root) => link(root, 'acme/posts/2024')],
    ['a folder was replaced by its copy', (root) => replaceByCopy(root, 'acme/posts')],
    ['all was replaced by its copy', (root) => replaceByCopy(root, '.')],
    ['the time of a folder was set', (root) => utimesSync(join(root, 'acme'), 1, 1)],
    ['a folder may be listed by others', (root) => chmodSync(join(root, 'acme/posts'), 0o711)],
    ['all is gone', (root) => rmSync(root, { recursive: true })],
  ])('does not believe itself where %s', async (_, change) => {
    const { root, memory } = await remembered()
    await step()
    change(root)
    expect(memory.find()).toBeUndefined()
  })

  it('has nothing of a listing in which something could not be listed', async () => {
    const { root, memory } = await remembered()
    const [diagnostic] = (await new Scanner(await makeFolder()).scan()).diagnostics
    const diagnostics = diagnostic === undefined ? [] : [diagnostic]
    memory.record({ entries: listEntries(root).entries, diagnostics }, later())
    expect(diagnostics).toHaveLength(1)
    expect(memory.find()).toBeUndefined()
    expect(memory.store(openCache())).toBe(false)
  })

  it('has nothing of a folder that nobody may look at, nor of one whose times are set', async () => {
    const { root, memory, listing } = await remembered()
    // As much as the system refuses for a folder that may not be searched.
    const closed = { path: 'x'.repeat(300), kind: 'folder' } as const
    memory.record({ entries: [...listing.entries, closed], diagnostics: [] }, later())
    expect([memory.find(), statsOf(join(root, closed.path))]).toEqual([undefined, undefined])
    // An image of a disk may have whole seconds, and other files with the same times.
    const { ctimeMs, mtimeMs } = lstatSync(root)
    expect(areReliable({ ctimeMs, mtimeMs }, later())).toBe(true)
    expect(areReliable({ ctimeMs: 1e12, mtimeMs: 1e12 }, later())).toBe(false)
    expect(areReliable({ ctimeMs, mtimeMs: 1e12 }, later())).toBe(true)
  })

  it('has nothing of a folder that was touched just now, whatever its time was set to', async () => {
    const { root, memory, listing } = await remembered()
    utimesSync(root, 1, 1)
    memory.record(listing, Date.now())
    expect(memory.find()).toBeUndefined()
  })

  it('is kept once, for this folder and this version', async () => {
    const { root, memory, listing } = await remembered()
    const cache = openCache()
    expect([memory.store(cache), memory.store(cache)]).toEqual([true, false])
    expect(recalled(root, 'one', cache).find()).toEqual(listing)
    expect(recalled(root, 'one', cache).store(cache)).toBe(false)
    expect(recalled(root, 'two', cache).find()).toBeUndefined()
    expect(recalled(dirname(root), 'one', cache).find()).toBeUndefined()
  })

  it('never says anything else than a listing would, whatever is done to the folder', async () => {
    const names = ['acme', 'acme/posts', 'acme/posts/x', 'acme/tags', 'b', 'b/media', 'b/odd', '.c']
    const place = fc.tuple(fc.constantFrom(...names), fc.constantFrom('a.md', 'b.png', 'n'))
    const change = fc.tuple(fc.constantFrom(write, remove, makeFolderAt, link, swap), place, place)
    let believed = 0
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 8 }), async (changes) => {
        const { root, memory } = await remembered()
        for (const [act, from, to] of changes) {
          await step()
          act(root, from.join('/'), to.join('/'))
          const [found, listing] = [memory.find(), listEntries(root)]
          if (found === undefined) memory.record(listing, later())
          else expect(found).toEqual(listing)
          believed += found === undefined ? 0 : 1
        }
      }),
      { numRuns: 30 },
    )
    expect(believed).toBeGreaterThan(0)
  })
})

it('is what a build begins with, unless everything is to be made again', async () => {
  const site = temporarySite({ cache: 'cache' }).posts(2)
  await site.build()
  await setTimeout(2600)
  // Nothing has changed, and yet there is something to remember.
  await site.build()
  const root = await resolveFolder(site.content)
  const cache = Cache.open(join(site.folder, 'cache'))
  const memory = recalled(root, readToolId().tool, cache)
  const { entries, diagnostics } = memory.find() ?? expect.unreachable('nothing was kept')
  expect({ entries, diagnostics }).toEqual(listEntries(root))
  const more = { path: 'acme/posts/remembered.md', kind: 'file' } as const
  // In its place: a record in another order is no listing.
  const at = entries.findIndex(({ path }) => path > more.path)
  memory.record({ entries: entries.toSpliced(at, 0, more), diagnostics }, later())
  memory.store(cache)
  cache.save({ isComplete: false })
  cache.close()
  expect(await site.problems()).toEqual([expect.stringContaining(more.path)])
  await site.build({ listFolder: (folder) => readdirSync(folder, { withFileTypes: true }) })
  await site.build({ isForced: true })
  expect(await site.problems()).toEqual([])
})

/** A folder, and a memory of what is in it. */
async function remembered() {
  const root = await makeFolder(files)
  const memory = new ListingCache(root, 'one')
  const listing: Listing = listEntries(root)
  await step()
  memory.record(listing, later())
  expect(memory.find()).toEqual(listing)
  return { root, memory, listing }
}

function recalled(root: string, version: string, cache: Cache): ListingCache {
  const memory = new ListingCache(root, version)
  memory.load(cache)
  return memory
}

function write(root: string, path: string): void {
  attempt(() => writeFileSync(join(root, path), path))
}

function remove(root: string, path: string): void {
  rmSync(join(root, path), { recursive: true, force: true })
}

function makeFolderAt(root: string, path: string): void {
  attempt(() => mkdirSync(join(root, path), { recursive: true }))
}

function link(root: string, path: string): void {
  remove(root, path)
  attempt(() => symlinkSync('.', join(root, path)))
}

/** Folders too, into one another where that can be. */
function swap(root: string, one: string, other: string): void {
  attempt(() => move(root, dirname(one), `${dirname(other)}/moved`))
  attempt(() => move(root, one, other))
}

function move(root: string, from: string, to: string): void {
  renameSync(join(root, from), join(root, to))
}

function replaceByCopy(root: string, path: string): void {
  const folder = join(root, path)
  cpSync(folder, `${folder}-copy`, { recursive: true, preserveTimestamps: true })
  rmSync(folder, { recursive: true })
  renameSync(`${folder}-copy`, folder)
}

/** What cannot be done is not done. */
function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // A folder in its place, or none on the way to it.
  }
}

function openCache(): Cache {
  const cache = Cache.open(null)
  onTestFinished(() => cache.close())
  return cache
}
