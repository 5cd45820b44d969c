// Compression of records in packs, where it saves space.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/**
 * Compresses a record. Returns the same bytes if the record is short or does not shrink. Brotli at quality 1 takes half
 * the time of deflate at level 1, and leaves 16 % fewer bytes of rendered bodies (2026-11).
 */
export function compressRecord(record: Uint8Array): Uint8Array {
  if (record.length < recordBytesMin) return record
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_SIZE_HINT]: record.length,
  }
  const compressed = brotliCompressSync(record, { params })
  const isUsable = compressed.length < record.length && isPossibleSize(compressed, record.length)
  return isUsable ? compressed : record
}

/**
 * Decompresses the output of `compressRecord`.
 *
 * @param bytes decompressed size
 * @returns undefined for invalid input
 */
export function decompressRecord(stored: Uint8Array, bytes: number): Buffer | undefined {
  if (!isPossibleSize(stored, bytes)) return undefined
  try {
    return brotliDecompressSync(stored, { maxOutputLength: bytes, chunkSize })
  } catch {
    return undefined
  }
}

/** Each call takes about 20 µs. */
const recordBytesMin = 512

/** Bounds the memory for a damaged or crafted pack to this multiple of its size. */
const ratioMax = 1024

function isPossibleSize(stored: Uint8Array, bytes: number): boolean {
  return bytes <= ratioMax * stored.length
}

const chunkSize = 64 * 1024
