// Bytes of terms files: numbers, and sorted terms that share prefixes.
import { termBytesMax } from './cut.ts'

/**
 * Text as UTF-8, one character a byte. Such strings sort by code points, and one is a part of another exactly if the
 * same holds for their texts. V8 keeps and searches them as bytes.
 *
 * @param text well formed
 */
export function byteString(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return String.fromCharCode(...new TextEncoder().encode(text))
}

/** Bytes that grow. */
export class ByteWriter {
  #bytes = new Uint8Array(4096)
  #length = 0
  #term = ''

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  /** Writes a whole number, seven bits a byte, the lowest first. */
  varint(value: number): void {
    let rest = value
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128)
    this.byte(rest)
  }

  /**
   * Writes a term without the bytes that it shares with the term before it: two half bytes for the length of both parts,
   * or 15 and a number for what is longer.
   */
  term(term: string): void {
    const most = Math.min(term.length, this.#term.length)
    let shared = 0
    while (shared < most && term.charCodeAt(shared) === this.#term.charCodeAt(shared)) shared += 1
    const own = term.length - shared
    this.byte((Math.min(shared, 15) << 4) | Math.min(own, 15))
    if (shared >= 15) this.varint(shared - 15)
    if (own >= 15) this.varint(own - 15)
    for (let at = shared; at < term.length; at++) this.byte(term.charCodeAt(at))
    this.#term = term
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Returns all bytes written, and begins again. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    this.#term = ''
    return taken
  }

  #grow(more: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/** Reads what `ByteWriter` wrote. Throws a RangeError at the end, or if the bytes cannot be from a writer. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    const value = this.#bytes[this.#at++]
    if (value === undefined) throw damaged()
    return value
  }

  /** @param max throws if the number is larger. @default 2 ** 31 - 1 */
  varint(max = 0x7fffffff): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) break
      if (shift === 28) throw damaged()
    }
    if (value > max) throw damaged()
    return value
  }

  bytes(length: number): Uint8Array {
    if (length > this.left) throw damaged()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /**
   * Reads sorted terms, each into `terms` and then a line break; no term contains one.
   *
   * @param after called after each term
   */
  terms(count: number, terms: TermBytes, after?: (term: number) => void): void {
    let [previous, previousLength] = [0, 0]
    for (let term = 0; term < count; term++) {
      const lengths = this.byte()
      const shared = (lengths >> 4) + (lengths >> 4 === 15 ? this.varint() : 0)
      const own = (lengths & 15) + ((lengths & 15) === 15 ? this.varint() : 0)
      if (shared > previousLength || own === 0 || shared + own > termBytesMax) throw damaged()
      const start = terms.length
      const added = this.bytes(own)
      terms.add(previous, shared, added)
      // Ascending: so a binary search finds each term, and none is there twice.
      if (shared < previousLength && (added[0] ?? 0) <= (terms.bytes[previous + shared] ?? 0))
        throw damaged()
      previous = start
      previousLength = shared + own
      after?.(term)
    }
  }
}

/** Terms of UTF-8, each followed by a line break. */
export class TermBytes {
  bytes: Uint8Array
  length = 0

  /** @param size expected, in bytes */
  constructor(size: number) {
    this.bytes = new Uint8Array(size)
  }

  /** Adds a term of bytes that lie at `from`, and of more. */
  add(from: number, shared: number, own: Uint8Array): void {
    const end = this.length + shared + own.length + 1
    if (end > this.bytes.length) {
      const grown = new Uint8Array(end * 2)
      grown.set(this.bytes)
      this.bytes = grown
    }
    const bytes = this.bytes
    let to = this.length
    for (let at = from; at < from + shared; at++) bytes[to++] = bytes[at] ?? 0
    for (let at = 0; at < own.length; at++) bytes[to++] = own[at] ?? 0
    bytes[to] = lineBreak
    this.length = end
  }
}

/** A string of one character a byte. */
export function textOf(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += 4096) {
    const piece = bytes.subarray(at, at + 4096)
    // A sixth of the time for ASCII.
    if (piece.every((byte) => byte < 128)) pieces.push(decoder.decode(piece))
    else pieces.push(String.fromCharCode.apply(null, piece as unknown as number[]))
  }
  return pieces.join('')
}

const decoder = new TextDecoder()
/** Ends a term: no folded text has one. */
export const lineBreak = 10

export function damaged(): RangeError {
  return new RangeError('The search index is damaged.')
}
