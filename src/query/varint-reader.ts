// Reads the varints that `GrowingBytes` writes.

/** Reads varints: seven bits per byte, lowest first. */
export class VarintReader {
  at: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  next(): number {
    let number = 0
    let shift = 0
    let byte = 128
    while (byte > 127) {
      byte = this.#bytes[this.at++] ?? 0
      number |= (byte & 127) << shift
      shift += 7
    }
    return number
  }
}
