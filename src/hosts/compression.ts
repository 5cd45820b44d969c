// Compresses responses by `Accept-Encoding`, and caches compressed bodies so that each is compressed once.
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Header, HttpReply, HttpRequest } from '../runtime/http.ts'
import type { Responder } from '../runtime/responder.ts'
import { RecentValues } from '../snapshot/recent-values.ts'

/** Supported encodings, in order of preference. */
export type Encoding = 'br' | 'gzip'

/** Bodies below this size in bytes are not compressed: they fit into one packet anyway. */
const compressedFrom = 1024

/** Size of the cache of compressed bodies, in bytes. */
const cacheBytes = 16 * 1024 * 1024

/** Wraps a responder: compresses responses as `Accept-Encoding` allows. */
export function compressing(responder: Responder): Responder {
  const cache = new RecentValues<Uint8Array>(cacheBytes)
  return async (request) => {
    const reply = await responder(request)
    if (reply.status !== 200 && reply.status !== 304) return reply
    const varied = { ...reply, headers: varying(reply.headers) }
    const encoding = chooseEncoding(request.header('accept-encoding'))
    if (encoding === null) return varied
    if (reply.status === 304) return confirm(varied, request, encoding)
    if (Number(headerOf(reply, 'content-length')) < compressedFrom) return varied
    const etag = headerOf(reply, 'etag')
    // Equal tags mean equal bodies.
    const key = etag && reply.body instanceof Uint8Array && `${encoding} ${etag}`
    const body = (key && cache.get(key)) || (await compress(reply.body, encoding))
    if (key && body instanceof Uint8Array) cache.set(key, body, body.length)
    const headers = varied.headers.flatMap(([name, value]): Header[] => {
      if (name === 'etag') return [[name, marked(value, encoding)]]
      if (name !== 'content-length') return [[name, value]]
      // The compressed length of a stream, or of a missing body (HEAD), is unknown.
      return body instanceof Uint8Array ? [[name, String(body.length)]] : []
    })
    return { ...reply, headers: [...headers, ['content-encoding', encoding]], body }
  }
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

/** A 304 confirms the client's own tag. Short bodies were never encoded, so their tags have no suffix. */
function confirm(reply: HttpReply, request: HttpRequest, encoding: Encoding): HttpReply {
  const tag = marked(headerOf(reply, 'etag') ?? '', encoding)
  if (!request.header('if-none-match')?.includes(tag)) return reply
  const headers = reply.headers.map(
    ([name, value]): Header => [name, name === 'etag' ? tag : value],
  )
  return { ...reply, headers }
}

/** Another encoding is another representation and needs another strong tag (RFC 9110 §8.8.3.3). */
function marked(etag: string, encoding: Encoding): string {
  return etag.replace(/"$/, `-${encoding}"`)
}

/** About 15 ms of processor time for 1 MB. The next level takes twice as long for 3 to 6 % (2026-11). */
const wholeLevel = 4
/** About 10 ms for 1 MB: long bodies are not cached, and each is charged for its bytes. */
const streamLevel = 2

const brotliOptions = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } })

async function compress(body: HttpReply['body'], encoding: Encoding): Promise<HttpReply['body']> {
  if (body === null) return null
  const isBrotli = encoding === 'br'
  if (body instanceof Uint8Array) {
    return isBrotli
      ? promisify(brotliCompress)(body, brotliOptions(wholeLevel))
      : promisify(gzip)(body, { level: wholeLevel })
  }
  const stream = isBrotli
    ? createBrotliCompress(brotliOptions(streamLevel))
    : createGzip({ level: streamLevel })
  const source = Readable.from(body)
  source.on('error', (error) => stream.destroy(error))
  return source.pipe(stream)
}

function varying(headers: readonly Header[]): readonly Header[] {
  const varies = headers.flatMap(([name, value]) => (name === 'vary' ? [value] : []))
  const others = headers.filter(([name]) => name !== 'vary')
  return [...others, ['vary', [...varies, 'Accept-Encoding'].join(', ')]]
}

function headerOf({ headers }: HttpReply, wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1]
}
