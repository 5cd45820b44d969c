// The index of a pack in memory: the parts of each record and their locations, by the record's key.
import type { PartPlace } from './part-place.ts'

/** Locations of the parts of one record, by name; names are ASCII, at most 255 characters. */
export type RecordPlace = ReadonlyMap<string, PartPlace>

/**
 * Rows, one per record, identified by their offset:
 *
 * ```
 * key   offset   stored   bytes   parts   name's length, name, length, digest; again for each part, back to back
 * 32    f64      u32      u32     u8      u8             …     u32     16
 * ```
 * `bytes` is the size of all parts. `stored` is the size in the pack, which is smaller if the record is compressed.
 * Numbers are little-endian. A hash table of row offsets (open addressing, at most half full) finds rows. It takes a
 * tenth of the time and memory of a `Map` by key. It is stored after the rows, so that an unchanged build creates
 * neither.
 *
 * ```
 * rows   slots                               rows   slots
 * …      u32 each: 1 + a row's offset, 0     u32    u32    ◄ how many of each
 * ```
 */
export class PackRows {
  #rows: Buffer
  #bytes: number
  #slots: Uint32Array
  #count: number
  readonly #probesMax: number

  /**
   * @param given `stored` of another instance, which must not change any more. Its bytes may be anything: methods then
   *   throw a RangeError, and never read beyond them, allocate more than their size or search without end. @default no
   *   rows
   */
  constructor(given: Uint8Array = noRows) {
    const stored = Buffer.from(given.buffer, given.byteOffset, given.length)
    this.#probesMax = given === noRows ? Number.POSITIVE_INFINITY : storedProbesMax
    const tail = stored.length - tailBytes
    const slots = stored.readUInt32LE(tail + 4)
    if (!isPowerOfTwo(slots) || 4 * slots > tail) throw new RangeError('no table of slots')
    this.#count = stored.readUInt32LE(tail)
    this.#slots = new Uint32Array(slots)
    this.#bytes = tail - this.#slots.byteLength
    this.#rows = stored.subarray(0, this.#bytes)
    // Copied, as the source may not be aligned for numbers.
    stored.copy(new Uint8Array(this.#slots.buffer), 0, this.#bytes, tail)
  }

  /** Number of rows. */
  get count(): number {
    return this.#count
  }

  /** The complete index, input of another instance. */
  get stored(): Uint8Array {
    return storeRows(this.#rows.subarray(0, this.#bytes), this.#slots, this.#count)
  }

  /**
   * Returns the row of a key, hexadecimal; the latest one if it was added twice.
   *
   * @throws RangeError if the slots are damaged
   */
  find(key: string): number | undefined {
    wantedKey.write(key, 'hex')
    const found = this.#slots[this.#slotOf(wantedKey)] ?? 0
    return found === 0 ? undefined : found - 1
  }

  /** Adds a row. @param parts back to back @returns the row */
  add(key: string, parts: RecordPlace): number {
    const row = this.#bytes
    const bytes = encodeRow(key, parts)
    if (row + bytes.length > this.#rows.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(64 * 1024, 2 * row + bytes.length))
      this.#rows.copy(grown, 0, 0, row)
      this.#rows = grown
    }
    this.#rows.set(bytes, row)
    this.#bytes += bytes.length
    this.#enter(row)
    return row
  }

  /** Hexadecimal and unique, in the order of their records. */
  *keys(): Generator<string, void, undefined> {
    for (let row = 0; row < this.#bytes; row = this.#endOf(row)) {
      const key = this.#rows.toString('hex', row, row + keyBytes)
      if (this.find(key) === row) yield key
    }
  }

  partsOf(row: number): RecordPlace {
    const parts = new Map<string, PartPlace>()
    for (const name of this.#names(row)) {
      const place = this.partOf(row, name)
      if (place !== undefined) parts.set(name, place)
    }
    return parts
  }

  /** Returns the stored size of a row's record. */
  storedBytesOf(row: number): number {
    return this.#rows.readUInt32LE(row + 40)
  }

  /** Returns one part of a row, without parsing the others. */
  partOf(row: number, name: string): PartPlace | undefined {
    let start = 0
    let at = row + headBytes
    for (let left = this.#rows.readUInt8(row + 48); left > 0; left--) {
      const end = at + 1 + this.#rows.readUInt8(at)
      const length = this.#rows.readUInt32LE(end)
      if (this.#isNamed(name, at + 1, end)) {
        return {
          offset: this.#rows.readDoubleLE(row + 32),
          storedBytes: this.#rows.readUInt32LE(row + 40),
          recordBytes: this.#rows.readUInt32LE(row + 44),
          start,
          length,
          digest: this.#rows.subarray(end + 4, end + 20),
        }
      }
      start += length
      at = end + 20
    }
    return undefined
  }

  /**
   * Compares byte by byte: a build does this about ten times per post, and creating a string for each name takes
   * longer.
   */
  #isNamed(name: string, start: number, end: number): boolean {
    if (end - start !== name.length) return false
    for (let at = start; at < end; at++) {
      if (this.#rows[at] !== name.charCodeAt(at - start)) return false
    }
    return true
  }

  *#names(row: number): Generator<string, void, undefined> {
    let at = row + headBytes
    for (let left = this.#rows.readUInt8(row + 48); left > 0; left--) {
      const end = at + 1 + this.#rows.readUInt8(at)
      yield this.#rows.toString('latin1', at + 1, end)
      at = end + 20
    }
  }

  #endOf(row: number): number {
    let at = row + headBytes
    for (let left = this.#rows.readUInt8(row + 48); left > 0; left--) {
      at += 21 + this.#rows.readUInt8(at)
    }
    return at
  }

  #enter(row: number): void {
    if (2 * this.#count >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(this.#rows.subarray(row, row + keyBytes))
    if (this.#slots[slot] === 0) this.#count += 1
    this.#slots[slot] = row + 1
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(2 * old.length)
    for (const found of old) {
      if (found === 0) continue
      this.#slots[this.#slotOf(this.#rows.subarray(found - 1, found + 31))] = found
    }
  }

  /** Returns the slot of a key, or the slot where it would be inserted. */
  #slotOf(key: Buffer): number {
    const mask = this.#slots.length - 1
    // Keys are hashes, so any four bytes are uniform.
    const first = key.readUInt32LE(0)
    for (let probe = 0; probe < this.#probesMax; probe++) {
      const slot = (first + probe) & mask
      const found = this.#slots[slot] ?? 0
      if (found === 0 || this.#rows.compare(key, 0, keyBytes, found - 1, found + 31) === 0) {
        return slot
      }
    }
    throw new RangeError('no free slot')
  }
}

const keyBytes = 32
const headBytes = 49
const tailBytes = 8

/**
 * Maximum number of slots probed per key. In a half-full table of hashes, a run of n has a probability of about 0.82 **
 * n, so 256 occur only by intent.
 */
const storedProbesMax = 256

function isPowerOfTwo(number: number): boolean {
  return number > 0 && Number.isInteger(Math.log2(number))
}

function storeRows(rows: Uint8Array, slots: Uint32Array, count: number): Buffer {
  const tail = Buffer.alloc(tailBytes)
  tail.writeUInt32LE(count, 0)
  tail.writeUInt32LE(slots.length, 4)
  return Buffer.concat([rows, new Uint8Array(slots.buffer), tail])
}

const noRows = storeRows(new Uint8Array(0), new Uint32Array(64), 0)

/** Buffer for the wanted key. */
const wantedKey = Buffer.alloc(keyBytes)

function encodeRow(key: string, parts: RecordPlace): Uint8Array {
  const names = [...parts.keys()]
  const row = Buffer.alloc(headBytes + names.reduce((sum, name) => sum + 21 + name.length, 0))
  const [first] = parts.values()
  row.write(key, 'hex')
  row.writeDoubleLE(first?.offset ?? 0, 32)
  row.writeUInt32LE(first?.storedBytes ?? 0, 40)
  row.writeUInt32LE(first?.recordBytes ?? 0, 44)
  row.writeUInt8(parts.size, 48)
  let at = headBytes
  for (const [name, { length, digest }] of parts) {
    at = row.writeUInt8(name.length, at)
    at += row.write(name, at, 'latin1')
    at = row.writeUInt32LE(length, at)
    row.set(digest, at)
    at += 16
  }
  return row
}
