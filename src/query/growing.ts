// Growable typed arrays, for data of unknown size.

/** A growable array of 32-bit numbers. `array` is longer than `length`, and is replaced when it grows. */
export class GrowingNumbers {
  array: Uint32Array<ArrayBuffer> = new Uint32Array(256)
  length = 0

  /** Reserves capacity for `count` more numbers. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.array.length) return
    const larger = new Uint32Array(Math.max(needed, this.array.length * 2))
    larger.set(this.array.subarray(0, this.length))
    this.array = larger
  }

  push(number: number): void {
    if (this.length === this.array.length) this.reserve(1)
    this.array[this.length++] = number
  }

  /** A view of the values; valid until the array grows. */
  view(): Uint32Array {
    return this.array.subarray(0, this.length)
  }
}

/** A growable array of bytes. `array` is longer than `length`, and is replaced when it grows. */
export class GrowingBytes {
  array: Uint8Array<ArrayBuffer> = new Uint8Array(1024)
  length = 0

  /** Reserves capacity for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.array.length) return
    const larger = new Uint8Array(Math.max(needed, this.array.length * 2))
    larger.set(this.array.subarray(0, this.length))
    this.array = larger
  }

  add(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.array.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Appends a range of bytes; faster than a view for short ranges. */
  addPart(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > 64) {
      this.add(bytes.subarray(from, to))
      return
    }
    this.reserve(to - from)
    for (let at = from; at < to; at++) this.array[this.length++] = bytes[at] ?? 0
  }

  addByte(byte: number): void {
    this.reserve(1)
    this.array[this.length++] = byte
  }

  /** Appends a number of up to 32 bits as a varint: seven bits per byte, lowest first. */
  addVarint(number: number): void {
    this.reserve(5)
    let rest = number
    while (rest > 127) {
      this.array[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.array[this.length++] = rest
  }

  /** Appends the length of `bytes` as a varint, then the bytes. */
  addSized(bytes: Uint8Array): void {
    this.addVarint(bytes.length)
    this.add(bytes)
  }

  /** Appends a 32-bit number, little-endian. */
  addU32(number: number): void {
    this.reserve(4)
    for (let shift = 0; shift < 32; shift += 8) this.array[this.length++] = number >>> shift
  }

  /** A view of the values; valid until the array grows. */
  view(): Uint8Array {
    return this.array.subarray(0, this.length)
  }
}
