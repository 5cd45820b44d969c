// Bytes of terms files, and texts of one character a byte.

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

  bytes(bytes: Uint8Array): void {
    const length = this.length + bytes.length
    if (length > this.#bytes.length) this.#bytes = grown(this.#bytes, length)
    this.#bytes.set(bytes, this.length)
    this.length = length
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
