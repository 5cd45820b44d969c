// Precomputed responses of a function: a canonical request needs one file, and no index.
import { hex, joinBytes, parseJson, utf8 } from '../api/bytes.ts'
import { filePath, isServedFile } from '../api/paths.ts'
import type { ApiRequest } from '../api/request.ts'
import { sha256 } from '../api/sha256.ts'
import { changed, type Storage, sha256In } from '../snapshot/storage.ts'
import type { ServedRows } from './site.ts'

/** The folder of these files, next to the function's own. */
export const responsesFolder = 'responses'

/** A response, except for its body. */
export interface ResponseHead {
  /** With its quotes. */
  readonly etag: string
  /** The number of requests that the response counts as. */
  readonly cost: number
}

/** A precomputed response, and the time in which it is valid. */
export interface StoredResponse extends ResponseHead {
  readonly body: Uint8Array
  /** Milliseconds since 1970. */
  readonly validFrom: number
  /** Milliseconds since 1970; `Infinity` until the next build. */
  readonly validUntil: number
}

/**
 * The key of a canonical request. Both versions share a key: their bodies are equal.
 *
 * @returns null for a request that has no file in any build
 */
export function responseKey(request: ApiRequest): string | null {
  return filePath({ ...request, version: 'v1' })
}

/** The file of a key, relative to the function's folder. A hash: no client input is part of a path. */
export function responseFile(key: string): string {
  return `${responsesFolder}/${hex(sha256(utf8(key)).subarray(0, 16))}.json`
}

/** Encodes a response: the SHA-256 of the rest, a line of JSON, the body. */
export function encodeResponse(
  key: string,
  { etag, cost }: ResponseHead,
  body: Uint8Array,
  sha256: (bytes: Uint8Array) => Uint8Array,
): Uint8Array {
  const rest = joinBytes([utf8(`${JSON.stringify({ key, etag, cost })}\n`), body])
  return joinBytes([utf8(`${hex(sha256(rest))}\n`), rest])
}

/**
 * Reads the precomputed response to a request.
 *
 * @returns null when the index is needed
 * @throws Error when the file is damaged
 */
export async function findStored(
  storage: Storage,
  request: ApiRequest,
  { scheduled, expiring, instants }: ServedRows,
  now: number,
): Promise<StoredResponse | null> {
  const key = responseKey(request)
  const next = instants.findIndex((instant) => instant > now)
  // Before the last publication, as by a clock that was set back, other posts are visible.
  const files = { scheduled, expiring, createsTerms: false }
  const isValid = next !== 0 && isServedFile(request, files)
  if (key === null || !isValid) return null
  const name = responseFile(key)
  let file: Uint8Array
  try {
    file = await storage.read(name)
  } catch {
    return null
  }
  const start = file.indexOf(10) + 1
  const rest = file.subarray(start)
  const sum = hex(await sha256In(storage, rest))
  const end = rest.indexOf(10)
  if (new TextDecoder().decode(file.subarray(0, start)) !== `${sum}\n`) throw changed(name)
  const head = parseJson<ResponseHead & { readonly key: string }>(rest.subarray(0, end))
  if (head.key !== key) throw changed(name)
  return {
    etag: head.etag,
    cost: head.cost,
    body: rest.subarray(end + 1),
    validFrom: instants.at(next === -1 ? -1 : next - 1) ?? Number.NEGATIVE_INFINITY,
    validUntil: instants[next] ?? Number.POSITIVE_INFINITY,
  }
}
