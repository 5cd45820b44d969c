// Packs with right digests whose index says anything: they are damage, and never a hang, a raw error or memory that
// the file does not have.

import { execFileSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { PackRows } from '../../src/cache/pack-rows.ts'
import { CacheDamageError } from '../../src/cache/stored-bytes.ts'
import { indexOf, packsIn, withIndex } from '../support/crafted-pack.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

const keys = Array.from({ length: 40 }, (_, number) => hash('sha256', `${number}`))
const name = '00000001-abcdef.pack'
const numRuns = process.env['QUARRY_FAULTS'] === 'all' ? 200_000 : 600

describe('a crafted pack', () => {
  it('is right bytes, none, or damage, whatever its index says', () => {
    const pack = makePack()
    const { index } = indexOf(pack)
    const folder = makeFolder()
    const allocated = [vi.spyOn(Buffer, 'allocUnsafeSlow'), vi.spyOn(Buffer, 'allocUnsafe')]
    fc.assert(
      fc.property(fc.array(editsOf(index), { minLength: 1, maxLength: 4 }), (edits) => {
        const crafted = withIndex(pack, (old) => edits.reduce((now, edit) => edit(now), old))
        writeFileSync(join(folder, name), crafted)
        for (const spy of allocated) spy.mockClear()
        expect(['read', 'damaged']).toContain(outcomeOf(folder))
        const sizes = allocated.flatMap((spy) => spy.mock.calls.map(([size]) => size))
        expect(Math.max(...sizes)).toBeLessThanOrEqual(Math.max(crafted.length, 64 * 1024))
        for (const path of packsIn(folder)) rmSync(path)
      }),
      { numRuns, seed: 20_261_123 },
    )
  })

  it('without a free slot is damage after 256 probes', () => {
    const full = withIndex(makePack(), (index) => {
      const slots = index.readUInt32LE(index.length - 4)
      const start = index.length - 8 - 4 * slots
      for (let slot = 0; slot < slots; slot++) index.writeUInt32LE(1, start + 4 * slot)
      return index
    })
    const folder = makeFolder({ [name]: full })
    const cache = Cache.open(folder)
    const compared = vi.spyOn(Buffer.prototype, 'compare')
    expect(() => cache.find(hash('sha256', 'unknown'))).toThrow(CacheDamageError)
    expect(compared.mock.calls.length).toBe(256)
    cache.close()
  })

  it('with more slots than bytes takes no memory for them', () => {
    for (const slots of [2 ** 24, 2 ** 31, 2 ** 32 - 1, 3, 0]) {
      const stored = Buffer.alloc(400)
      stored.writeUInt32LE(slots, 396)
      const before = process.memoryUsage().arrayBuffers
      expect(() => new PackRows(stored)).toThrow(RangeError)
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20)
    }
  })

  it('is discarded with one warning for all of a kind', () => {
    const broken = withIndex(makePack(), () => Buffer.alloc(3))
    const folder = makeFolder({ [name]: broken, '00000002-ab.pack': broken })
    const warnings: string[] = []
    Cache.open(folder, { onWarning: (sentence) => warnings.push(sentence) }).close()
    expect(warnings).toEqual([
      '2 files of the cache are damaged and discarded. The build makes again what they held.',
    ])
    expect(packsIn(folder)).toEqual([])
  })

  it('of another layout is discarded without a warning', () => {
    const old = Buffer.concat([Buffer.alloc(400), Buffer.from('QUARRY pack 3\n\0\0', 'latin1')])
    const folder = makeFolder({ [name]: old })
    const onWarning = vi.fn()
    Cache.open(folder, { onWarning }).close()
    expect(onWarning).not.toHaveBeenCalled()
    expect(packsIn(folder)).toEqual([])
  })

  it('is taken out of use while another is saved', () => {
    const pack = makePack()
    const { index } = indexOf(pack)
    // The second row says that it has 255 parts: only to walk over it shows that.
    const crafted = withIndex(pack, (rows) => {
      rows.writeUInt8(255, secondRow(index) + 48)
      return rows
    })
    const folder = makeFolder({ [name]: crafted })
    const onWarning = vi.fn()
    const cache = Cache.open(folder, { onWarning })
    cache.add(hash('sha256', 'new'), { text: randomBytes(20_000) })
    expect(cache.save({ isComplete: false })).toBe(true)
    cache.close()
    expect(onWarning).toHaveBeenCalledOnce()
    expect(packsIn(folder)).toHaveLength(1)
  })

  it.skipIf(process.platform === 'win32')('that is no file holds nothing up', () => {
    const folder = makeFolder()
    execFileSync('mkfifo', [join(folder, name)])
    mkdirSync(join(folder, '00000002-ab.pack'))
    mkdirSync(join(folder, '999999999-ab.tmp'))
    symlinkSync('1-ab.tmp', join(folder, '1-ab.tmp'))
    symlinkSync('/dev/zero', join(folder, '99999999-ab.pack'))
    const cache = Cache.open(folder)
    cache.add(keys[0] ?? '', { text: Buffer.from('text') })
    expect(cache.save({ isComplete: true })).toBe(true)
    expect(String(cache.find(keys[0] ?? '')?.read('text'))).toBe('text')
    cache.close()
  })
})

type Edit = (index: Buffer) => Buffer

/** Changes of an index: extreme numbers anywhere, other lengths, what is in one place put into another. */
function editsOf(index: Buffer): Arbitrary<Edit> {
  const at = fc.nat(index.length - 1)
  const ends = fc.oneof(
    at,
    fc.nat(8).map((back) => index.length - 1 - back),
  )
  const u32 = fc.oneof(fc.constantFrom(0, 1, 64, 127, 128, 2 ** 31, 2 ** 32 - 1), fc.nat())
  const f64 = fc.oneof(fc.constantFrom(Number.NaN, -1, 0.5, 2 ** 53, 1e308, Infinity), fc.double())
  return fc.oneof(
    fc.tuple(ends, fc.nat(255)).map(
      ([to, byte]): Edit =>
        (bytes) =>
          written(bytes, to, [byte]),
    ),
    fc.tuple(ends, u32).map(
      ([to, value]): Edit =>
        (bytes) =>
          written(bytes, to, u32Bytes(value)),
    ),
    fc.tuple(at, f64).map(
      ([to, value]): Edit =>
        (bytes) =>
          written(bytes, to, f64Bytes(value)),
    ),
    fc.nat(39).chain((row) =>
      f64.map(
        (value): Edit =>
          (bytes) =>
            written(bytes, row * rowBytes + 32, f64Bytes(value)),
      ),
    ),
    fc.tuple(fc.nat(39), fc.constantFrom(40, 44), u32).map(
      ([row, field, value]): Edit =>
        (bytes) =>
          written(bytes, row * rowBytes + field, u32Bytes(value)),
    ),
    fc.tuple(at, at, fc.nat(200)).map(
      ([to, from, length]): Edit =>
        (bytes) =>
          written(bytes, to, bytes.subarray(from, from + length)),
    ),
    fc.nat(index.length).map(
      (length): Edit =>
        (bytes) =>
          bytes.subarray(0, length),
    ),
    fc.uint8Array({ maxLength: 600 }).map(
      (more): Edit =>
        (bytes) =>
          Buffer.concat([bytes, more]),
    ),
    u32.map(
      (row): Edit =>
        (bytes) =>
          filled(bytes, row),
    ),
  )
}

function written(bytes: Buffer, at: number, values: Iterable<number>): Buffer {
  const changed = Buffer.from(bytes)
  let to = at
  for (const value of values) if (to < changed.length) changed[to++] = value
  return changed
}

/** With every slot taken. */
function filled(index: Buffer, row: number): Buffer {
  const changed = Buffer.from(index)
  for (let at = changed.length - 12; at > changed.length / 2; at -= 4)
    changed.writeUInt32LE(row, at)
  return changed
}

function u32Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function f64Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

/** A row has a key, an offset, a count, and two parts with names of one and four letters. */
const rowBytes = 49 + 22 + 25

function secondRow(index: Buffer): number {
  expect(index.readUInt8(48)).toBe(2)
  return rowBytes
}

function makePack(): Buffer {
  const folder = makeFolder()
  const cache = Cache.open(folder)
  for (const key of keys)
    cache.add(key, {
      a: Buffer.from(key),
      html: Buffer.from(`<p>${key}</p>`.repeat(key < '8' ? 1 : 60)),
    })
  cache.save({ isComplete: true })
  cache.close()
  return readFileSync(packsIn(folder)[0] ?? '')
}

/** Reads all that there is in every way, adds to it and saves. */
function outcomeOf(folder: string): 'read' | 'damaged' | string {
  const cache = Cache.open(folder)
  try {
    return readAll(cache)
  } catch (error) {
    return error instanceof CacheDamageError ? 'damaged' : String(error)
  } finally {
    const key = hash('sha256', 'added')
    cache.add(key, { text: Buffer.from('added') })
    expect(cache.save({ isComplete: false })).toBe(true)
    expect(String(cache.find(key)?.read('text'))).toBe('added')
    cache.close()
  }
}

function readAll(cache: Cache): 'read' {
  for (const key of [...keys, hash('sha256', 'unknown')]) {
    const record = cache.find(key)
    for (const part of ['a', 'html', 'none']) {
      if (record?.has(part) !== true) continue
      record.digest(part)
      record.stored(part)
      expect(record.read(part).length).toBe(record.size(part))
    }
  }
  return 'read'
}

function makeFolder(files: Readonly<Record<string, Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes)
  return folder
}
