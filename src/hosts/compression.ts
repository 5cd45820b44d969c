// Compresses responses by `Accept-Encoding`, and caches compressed bodies so that each is compressed once.
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from 'node:zlib'
import { type Awaitable, whenReady } from '../api/snapshot.ts'
import type { Header, HttpReply } from '../runtime/http.ts'
import type { Responder } from '../runtime/responder.ts'
import { RecentValues } from '../snapshot/recent-values.ts'

/** Supported encodings, in order of preference. */
export type Encoding = 'br' | 'gzip'

/** Bodies below this size in bytes are not compressed: they fit into one packet anyway. */
export const compressedFrom: number = 1024

/**
 * Concurrently compressed streams; further long bodies are sent uncompressed. Each stream holds up to 6 MB, and uses
 * as much of a core as its reader demands.
 */
export const compressedStreamsMax: number = 8

/** Size of the cache of compressed bodies, in bytes. */
export const compressedBytesMax: number = 16 * 1024 * 1024

/** Wraps a responder: compresses responses as `Accept-Encoding` allows. */
export function compressing(responder: Responder): Responder {
  const kept = new CompressedBodies()
  return (request) =>
    whenReady(responder(request), (reply) => {
      if (reply.status !== 200 && reply.status !== 304) return reply
      const varied = withVary(reply)
      const encoding = chooseEncoding(request.header('accept-encoding'))
      if (encoding === null) return varied
      if (reply.status === 304) {
        return confirm(varied, encoding, request.header('if-none-match') ?? '')
      }
      return lengthOf(reply) < compressedFrom ? varied : encode(varied, encoding, kept)
    })
}

/**
 * Chooses the encoding for a client (RFC 9110 §12.5.3).
 *
 * @returns null when the client lists none, or refuses it with `q=0`
 */
export function chooseEncoding(acceptEncoding: string | null): Encoding | null {
  if (acceptEncoding === null) return null
  const weights = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    weights.set(name, Number(weight))
  }
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  if (weightOf('br') > 0 && weightOf('br') >= weightOf('gzip')) return 'br'
  return weightOf('gzip') > 0 ? 'gzip' : null
}

/** Caches compressed bodies by encoding and ETag, and counts open streams. */
class CompressedBodies {
  readonly recent: RecentValues<Uint8Array> = new RecentValues(compressedBytesMax)
  #streams = 0

  /** @returns null when too many streams are open */
  compressParts(
    body: AsyncIterable<Uint8Array>,
    encoding: Encoding,
  ): AsyncIterable<Uint8Array> | null {
    return this.#streams < compressedStreamsMax ? this.#counted(body, encoding) : null
  }

  /** Counts a stream from its first fragment, so that a response without a reader does not count. */
  async *#counted(
    body: AsyncIterable<Uint8Array>,
    encoding: Encoding,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    this.#streams += 1
    try {
      yield* compressedParts(body, encoding)
    } finally {
      this.#streams -= 1
    }
  }
}

function encode(
  reply: HttpReply,
  encoding: Encoding,
  kept: CompressedBodies,
): Awaitable<HttpReply> {
  const { body } = reply
  const headers = [...marked(reply.headers, encoding), encodingHeader(encoding)]
  if (body instanceof Uint8Array) {
    return whenReady(compressOnce(body, headerOf(reply, 'etag'), encoding, kept), (bytes) => ({
      ...reply,
      headers: withLength(headers, bytes.length),
      body: bytes,
    }))
  }
  // The compressed length of a stream, or of a missing body (HEAD), is unknown.
  const open = headers.filter(([name]) => name !== 'content-length')
  if (body === null) return { ...reply, headers: open }
  const parts = kept.compressParts(body, encoding)
  return parts === null ? reply : { ...reply, headers: open, body: parts }
}

/** Equal tags mean equal bodies; bodies without a tag are compressed each time. */
function compressOnce(
  body: Uint8Array,
  etag: string | undefined,
  encoding: Encoding,
  kept: CompressedBodies,
): Awaitable<Uint8Array> {
  if (etag === undefined) return compress(body, encoding)
  const key = `${encoding} ${etag}`
  return (
    kept.recent.get(key) ??
    compress(body, encoding).then((compressed) => {
      kept.recent.set(key, compressed, compressed.length)
      return compressed
    })
  )
}

/** A 304 confirms the client's own tag. Short bodies were never encoded, so their tags have no suffix. */
function confirm(reply: HttpReply, encoding: Encoding, ifNoneMatch: string): HttpReply {
  const headers = marked(reply.headers, encoding)
  const tag = headers.find(([name]) => name === 'etag')?.[1]
  return tag !== undefined && ifNoneMatch.includes(tag) ? { ...reply, headers } : reply
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
/** About 15 ms of processor time for 1 MB. The next level takes twice as long for 3 to 6 % (2026-11). */
const wholeLevel = 4
/** About 10 ms for 1 MB: long bodies are not cached, and each is charged for its bytes. */
const streamLevel = 2

function brotliOptions(level: number): BrotliOptions {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: level } }
}

async function compress(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return encoding === 'br'
    ? toBrotli(body, brotliOptions(wholeLevel))
    : toGzip(body, { level: wholeLevel })
}

function compressedParts(
  body: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncIterable<Uint8Array> {
  const stream =
    encoding === 'br'
      ? createBrotliCompress(brotliOptions(streamLevel))
      : createGzip({ level: streamLevel })
  const source = Readable.from(body)
  source.on('error', (error) => stream.destroy(error))
  return source.pipe(stream)
}

/** Another encoding is another representation and needs another strong tag (RFC 9110 §8.8.3.3). */
function marked(headers: readonly Header[], encoding: Encoding): readonly Header[] {
  return headers.map(
    ([name, value]): Header =>
      name === 'etag' ? [name, value.replace(/"$/, `-${encoding}"`)] : [name, value],
  )
}

function withVary(reply: HttpReply): HttpReply {
  const headers: Header[] = []
  let varies = 'Accept-Encoding'
  for (const header of reply.headers) {
    if (header[0] === 'vary') varies = `${header[1]}, ${varies}`
    else headers.push(header)
  }
  headers.push(['vary', varies])
  return { ...reply, headers }
}

function withLength(headers: readonly Header[], length: number): readonly Header[] {
  return headers.map(
    ([name, value]): Header => (name === 'content-length' ? [name, String(length)] : [name, value]),
  )
}

function encodingHeader(encoding: Encoding): Header {
  return ['content-encoding', encoding]
}

function lengthOf(reply: HttpReply): number {
  return Number(headerOf(reply, 'content-length') ?? 0)
}

function headerOf(reply: HttpReply, wanted: string): string | undefined {
  return reply.headers.find(([name]) => name === wanted)?.[1]
}
