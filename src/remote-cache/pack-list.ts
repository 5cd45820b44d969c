// The list of a remote cache's packs. It contains only hashes and sizes, as anyone may have written it.
import { isRecord, parseJson } from '../emit/manifest-lines.ts'

/** A pack of a remote cache. */
export interface ListedPack {
  /** SHA-256 of the whole file, hexadecimal. */
  readonly sha256: string
  /** Size of the file. */
  readonly bytes: number
}

/** Maximum size of a list, in bytes; longer lists are refused. */
export const listBytesMax: number = 16 * 1024

const packsMax = 64
/** 100,000 posts of 8 kB take about 1.2 GB. */
const packBytesMax = 2 * 1024 ** 3
const totalBytesMax = 4 * 1024 ** 3

export function encodeList(packs: readonly ListedPack[]): Buffer {
  return Buffer.from(`${JSON.stringify({ quarry: 1, packs })}\n`)
}

/**
 * Decodes a list.
 *
 * @returns null for anything that no build writes, and for more than 64 packs or 4 GiB
 */
export function decodeList(file: Uint8Array): readonly ListedPack[] | null {
  const value = parseJson(Buffer.from(file).toString('utf8'))
  const packs = isRecord(value) && value['quarry'] === 1 ? value['packs'] : null
  if (!Array.isArray(packs)) return null
  const listed = packs.map(listedPack)
  const known = listed.filter((pack) => pack !== null)
  return known.length === listed.length && fits(known) ? known : null
}

/** Reports whether packs are few and small enough for a list. */
export function fits(packs: readonly ListedPack[]): boolean {
  return (
    packs.length <= packsMax && packs.reduce((sum, { bytes }) => sum + bytes, 0) <= totalBytesMax
  )
}

function listedPack(value: unknown): ListedPack | null {
  if (!isRecord(value)) return null
  const { sha256, bytes } = value
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return null
  const isSize = Number.isSafeInteger(bytes) && Number(bytes) > 0 && Number(bytes) <= packBytesMax
  return isSize ? { sha256, bytes: Number(bytes) } : null
}
