// Bytes of terms files: numbers, and sorted terms that share prefixes.

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
  length = 0

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#bytes = grown(this.#bytes, 0)
    this.#bytes[this.length++] = value
  }

  /** Writes a whole number, seven bits a byte, the lowest first. */
  varint(value: number): void {
    let rest = value
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128)
    this.byte(rest)
  }

  /**
   * Writes a term without the bytes that it shares with the previous one: two half bytes for the length of both parts,
   * or 15 and a number for what is longer.
   */
  term(term: string, previous: string): void {
    const most = Math.min(term.length, previous.length)
    let shared = 0
    while (shared < most && term.charCodeAt(shared) === previous.charCodeAt(shared)) shared += 1
    const own = term.length - shared
    this.byte((Math.min(shared, 15) << 4) | Math.min(own, 15))
    if (shared >= 15) this.varint(shared - 15)
    if (own >= 15) this.varint(own - 15)
    for (let at = shared; at < term.length; at++) this.byte(term.charCodeAt(at))
  }

  bytes(bytes: Uint8Array): void {
    const length = this.length + bytes.length
    if (length > this.#bytes.length) this.#bytes = grown(this.#bytes, length)
    this.#bytes.set(bytes, this.length)
    this.length = length
  }

  /** Writes the first bytes of a buffer and a line break. */
  line(buffer: Uint8Array, length: number): void {
    const end = this.length + length
    if (end >= this.#bytes.length) this.#bytes = grown(this.#bytes, end + 1)
    const bytes = this.#bytes
    for (let [at, to] = [0, this.length]; at < length; at++) bytes[to++] = buffer[at] ?? 0
    bytes[end] = lineBreak
    this.length = end + 1
  }

  /** All bytes written: a view. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(bytes.length * 2, length))
  copy.set(bytes)
  return copy
}

/** Reads what `ByteWriter` wrote. Throws a RangeError if no writer can have written the bytes. */
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
   * Reads sorted terms.
   *
   * @param use called after each term, with its length and a buffer that begins with it; reads what follows the term
   */
  terms(count: number, use: (term: Uint8Array, length: number) => void): void {
    let term = new Uint8Array(512)
    for (let [number, length] = [0, 0]; number < count; number++) {
      const lengths = this.byte()
      const shared = this.#length(lengths >> 4)
      const own = this.#length(lengths & 15)
      if (shared > length || own === 0 || own > this.left) throw damaged()
      if (shared + own > term.length) term = grown(term, shared + own)
      const first = this.byte()
      // Ascending: so a binary search finds each term, and none is there twice.
      if (shared < length && first <= (term[shared] ?? 0)) throw damaged()
      term[shared] = first
      for (length = shared + 1; length < shared + own; length++) term[length] = this.byte()
      use(term, length)
    }
  }

  #length(halfByte: number): number {
    return halfByte === 15 ? 15 + this.varint() : halfByte
  }
}

/** A string of one character a byte. */
export function textOf(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += 4096) {
    const piece = bytes.subarray(at, at + 4096)
    let bits = 0
    for (let index = 0; index < piece.length; index++) bits |= piece[index] ?? 0
    // A sixth of the time for ASCII.
    if (bits < 128) pieces.push(decoder.decode(piece))
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
