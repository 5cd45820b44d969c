// A cache is found again as it was left, whatever happened to its files; what cannot be trusted is not there.
// Knows nothing of what builds keep in it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { CacheDamageError } from '../../src/cache/stored-bytes.ts'
import fc from '../support/fast-check.ts'

const all = { isComplete: true }
const some = { isComplete: false }

describe('a cache', () => {
  it('finds again what was saved, part by part', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.dictionary(fc.constantFrom('a', 'html'), fc.uint8Array())),
        (records) => {
          const folder = makeFolder()
          const entries = Object.entries(records)
          using(folder, (cache) => {
            for (const [name, parts] of entries) cache.add(keyOf(name), parts)
            expect(cache.save(some)).toBe(true)
          })
          using(folder, (cache) => {
            for (const [name, parts] of entries) {
              const record = cache.find(keyOf(name))
              expect(record).toBeDefined()
              for (const part of ['a', 'html']) {
                expect(record?.has(part)).toBe(part in parts)
                expect(record?.size(part)).toBe(parts[part]?.length ?? 0)
                expect(plain(record?.read(part))).toEqual(plain(parts[part]))
              }
            }
          })
        },
      ),
      { numRuns: 30 },
    )
  })

  it('reads back what was just added, before and after it has left memory', () => {
    using(makeFolder(), (cache) => {
      const large = Buffer.alloc(700_000, 'x')
      const records = ['a', 'b', 'c', 'd'].map((name) =>
        cache.add(keyOf(name), { text: Buffer.from(name), large }),
      )
      cache.save(some)
      expect(records.map((record) => String(record.read('text')))).toEqual(['a', 'b', 'c', 'd'])
      expect(records.every((record) => large.equals(record.read('large')))).toBe(true)
    })
  })

  it('reads back large parts as they were given, between small ones, whatever became of the bytes', () => {
    const folder = makeFolder()
    using(folder, (cache) => {
      const huge = Buffer.alloc(3_000_000, 'x')
      const added = cache.add(keyOf('a'), { first: text(1), huge, last: text(2) })
      huge.fill('y')
      expect(Buffer.alloc(3_000_000, 'x').equals(added.read('huge'))).toBe(true)
      cache.save(some)
    })
    using(folder, (cache) => {
      const found = cache.find(keyOf('a'))
      expect(plain(found?.read('first'))).toEqual(plain(text(1)))
      expect(Buffer.alloc(3_000_000, 'x').equals(found?.read('huge') ?? text(0))).toBe(true)
      expect(plain(found?.read('last'))).toEqual(plain(text(2)))
    })
  })

  it('gives digests that are the first half of a SHA-256', () => {
    using(makeFolder(), (cache) => {
      const { digest } = cache.add(keyOf('a'), { text: Buffer.from('abc') })
      expect(digest).toBeDefined()
      const found = cache.find(keyOf('a'))?.digest('text') ?? []
      expect(Buffer.from(found).toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223')
    })
  })

  it('gives what was saved last for a key', () => {
    const folder = makeFolder()
    for (const text of ['old', 'new']) {
      using(folder, (cache) => {
        cache.add(keyOf('a'), { text: Buffer.from(text) })
        cache.save(some)
      })
    }
    using(folder, (cache) => expect(String(cache.find(keyOf('a'))?.read('text'))).toBe('new'))
  })

  it('keeps nothing without a folder, but can be read until it is closed', () => {
    const cache = Cache.open(null)
    const record = cache.add(keyOf('a'), { text: Buffer.alloc(2_000_000, 'x') })
    expect(cache.save(all)).toBe(true)
    expect(record.read('text').length).toBe(2_000_000)
    cache.close()
  })
})

describe('what is kept', () => {
  it('loses what a complete build did not use, once that is the greater part', () => {
    const folder = makeFolder()
    save(folder, ['a', 'b', 'c', 'd'], 10_000)
    using(folder, (cache) => {
      cache.find(keyOf('a'))
      cache.add(keyOf('new'), { text: Buffer.from('new') })
      cache.save(all)
    })
    expect(known(folder, ['a', 'b', 'c', 'd', 'new'])).toEqual(['a', 'new'])
  })

  it('loses nothing to a build that was not complete', () => {
    const folder = makeFolder()
    save(folder, ['a', 'b'], 10_000)
    save(folder, ['c'], 10_000)
    expect(known(folder, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
  })

  it('is a handful of files after a hundred builds', () => {
    const folder = makeFolder()
    const names = Array.from({ length: 100 }, (_, number) => `record-${number}`)
    save(folder, ['first'], 100_000)
    for (const name of names) save(folder, [name], 200)
    expect(packsIn(folder).length).toBeLessThan(8)
    expect(known(folder, names)).toEqual(names)
  })

  it('is not rewritten when nothing was added', () => {
    const folder = makeFolder()
    save(folder, ['a'], 10)
    const before = packsIn(folder)
    using(folder, (cache) => cache.save(all))
    expect(packsIn(folder)).toEqual(before)
  })
})

describe('a damaged cache', () => {
  it.each([20, 5000])(
    'gives right bytes, none, or an error of its own, whichever byte was changed: records of %i',
    (size) => {
      const original = makeFolder()
      save(original, ['a', 'b'], size)
      const [name = ''] = packsIn(original)
      const bytes = readFileSync(join(original, name))
      // Compressed, where that is worth it.
      expect(bytes.length).toBeLessThan(1500)
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 0x10
        const folder = makeFolder({ [name]: changed })
        expect(['right', 'none', 'error']).toContain(outcomeOf(folder, size))
      }
    },
  )

  it('is none, however it was cut', () => {
    const original = makeFolder()
    save(original, ['a', 'b'], 20)
    const [name = ''] = packsIn(original)
    const bytes = readFileSync(join(original, name))
    for (let length = 0; length < bytes.length; length++) {
      expect(outcomeOf(makeFolder({ [name]: bytes.subarray(0, length) }), 20)).toBe('none')
    }
  })

  it('is none when it is something else, and is replaced', () => {
    const folder = makeFolder({
      '00000001-abcdef.pack': Buffer.from('not a pack of ours'.repeat(9)),
    })
    expect(outcomeOf(folder, 20)).toBe('none')
    save(folder, ['a'], 20)
    expect(outcomeOf(folder, 20)).toBe('right')
  })
})

describe('caches of processes that run side by side', () => {
  it('keep what each of them added', () => {
    const folder = makeFolder()
    const [first, second] = [Cache.open(folder), Cache.open(folder)]
    first.add(keyOf('a'), { text: text(20) })
    second.add(keyOf('b'), { text: text(20) })
    first.save(all)
    second.save(all)
    first.close()
    second.close()
    expect(known(folder, ['a', 'b'])).toEqual(['a', 'b'])
  })

  it('read on in packs that another one put together', () => {
    const folder = makeFolder()
    save(folder, ['a'], 20)
    const reading = Cache.open(folder)
    save(folder, ['b'], 20)
    expect(plain(reading.find(keyOf('a'))?.read('text'))).toEqual(plain(text(20)))
    reading.close()
  })

  it('leave nothing that counts when they are killed, and the next one cleans up', () => {
    const folder = makeFolder()
    const main = new URL('../../.lib/cache/cache.js', import.meta.url)
    const script = `
      import { Cache } from ${JSON.stringify(main.href)}
      Cache.open(process.argv[1]).add('${keyOf('a')}', { text: Buffer.alloc(3e6) })
      process.kill(process.pid, 'SIGKILL')`
    const run = () =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script, folder], {
        stdio: 'pipe',
      })
    expect(run).toThrow()
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toHaveLength(1)
    expect(known(folder, ['a'])).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  it('leave the file of a process of which nothing is known, for a day', () => {
    const name = `${process.ppid}-abcdef.tmp`
    const folder = makeFolder({ [name]: Buffer.from('x') })
    Cache.open(folder).close()
    expect(readdirSync(folder)).toEqual([name])
    utimesSync(join(folder, name), 1, 1)
    Cache.open(folder).close()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a folder that cannot be written', () => {
  it('costs the cache, not the build', () => {
    const folder = join(makeFolder({ file: Buffer.from('x') }), 'file', 'cache')
    using(folder, (cache) => {
      const huge = Buffer.alloc(3_000_000, 'x')
      const record = cache.add(keyOf('a'), { text: huge, b: text(5) })
      huge.fill('y')
      const later = cache.add(keyOf('b'), { text: text(7) })
      expect(cache.save(all)).toBe(false)
      expect(Buffer.alloc(3_000_000, 'x').equals(record.read('text'))).toBe(true)
      expect(plain(record.read('b'))).toEqual(plain(text(5)))
      expect(plain(later.read('text'))).toEqual(plain(text(7)))
    })
  })
})

function makeFolder(files: Readonly<Record<string, Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  return folder
}

function using(folder: string, act: (cache: Cache) => void): void {
  const cache = Cache.open(folder)
  try {
    act(cache)
  } finally {
    cache.close()
  }
}

function save(folder: string, names: readonly string[], bytes: number): void {
  using(folder, (cache) => {
    for (const name of names) cache.add(keyOf(name), { text: text(bytes) })
    expect(cache.save(some)).toBe(true)
  })
}

function known(folder: string, names: readonly string[]): readonly string[] {
  const found: string[] = []
  using(folder, (cache) => found.push(...names.filter((name) => cache.find(keyOf(name)))))
  return found
}

function outcomeOf(folder: string, bytes: number): 'right' | 'none' | 'error' | 'wrong' {
  const cache = Cache.open(folder)
  try {
    const records = ['a', 'b'].flatMap((name) => cache.find(keyOf(name)) ?? [])
    if (records.length === 0) return 'none'
    const isRight = records.every((record) => text(bytes).equals(record.read('text')))
    return isRight ? 'right' : 'wrong'
  } catch (error) {
    return error instanceof CacheDamageError ? 'error' : 'wrong'
  } finally {
    cache.close()
  }
}

function packsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.pack'))
}

function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

function text(bytes: number): Buffer {
  return Buffer.alloc(bytes, 'some text ')
}

function plain(bytes: Uint8Array = new Uint8Array()): readonly number[] {
  return [...bytes]
}
