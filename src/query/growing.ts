// Typed arrays that grow as they are added to, for what a build collects before it knows how much it will be.

/** 32-bit numbers. `array` is longer than what was added, and another one once it had to grow. */
export class GrowingNumbers {
  array: Uint32Array<ArrayBuffer> = new Uint32Array(256)
  length = 0

  /** Makes room for so many numbers more, which are not yet part of it. */
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

  /** The values so far: a view, valid until it grows. */
  view(): Uint32Array {
    return this.array.subarray(0, this.length)
  }
}

/** Bytes. `array` is longer than what was added, and another one once it had to grow. */
export class GrowingBytes {
  array: Uint8Array<ArrayBuffer> = new Uint8Array(1024)
  length = 0

  /** Makes room for so many bytes more, which are not yet part of it. */
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

  /** Bytes of others, from a place to another: for few of them sooner than by a view. */
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

  /** A number of at most 32 bits: seven bits a byte, the lowest ones first. */
  addVarint(number: number): void {
    this.reserve(5)
    let rest = number
    while (rest > 127) {
      this.array[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.array[this.length++] = rest
  }

  /** How many bytes follow, and these. */
  addSized(bytes: Uint8Array): void {
    this.addVarint(bytes.length)
    this.add(bytes)
  }

  /** A number of 32 bits, the lowest byte first. */
  addU32(number: number): void {
    this.reserve(4)
    for (let shift = 0; shift < 32; shift += 8) this.array[this.length++] = number >>> shift
  }

  /** The values so far: a view, valid until it grows. */
  view(): Uint8Array {
    return this.array.subarray(0, this.length)
  }
}
