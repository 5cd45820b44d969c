// Hostile requests, and conditions that every response to them meets.

import type { Responder } from '../../src/runtime/responder.ts'
import fc, { type Arbitrary } from './fast-check.ts'
import { askHandler, type ReadReply } from './served-site.ts'

/** A request that a host passes on. */
export interface HostileRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

const oneOf = (words: string, ...more: readonly string[]) =>
  fc.constantFrom(...words.split(' '), ...more)

/** Characters that a target can contain in HTTP. */
const latin1 = fc
  .oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0x21, max: 0x7e }) },
    { weight: 1, arbitrary: fc.integer({ min: 0x80, max: 0xff }) },
  )
  .map((code) => String.fromCharCode(code))
const raw = fc.string({ unit: latin1, maxLength: 20 })

const segments = oneOf(
  'v1 v1 v1 v2 v2 V1 v3 journal journal journal notes vault nowhere posts posts posts categories tags authors status openapi.json index.html post-1 index a.json news alpha ada id-of-3 %E6%97%A5%E6%9C%AC%E8%AA%9E . .. %2e%2e ..%2f ..%5c %00 % %e9 %zz %C0%AF %F4%90%80%80 %ED%A0%80 __proto__ constructor con _page _markdown index.json * \\ \\\\evil.example {workspaceId}',
  ...['', '', 'x'.repeat(300), '%41'.repeat(100), 'x'.repeat(9000)],
)

const names = oneOf(
  'limit limit page page order categories excludeCategories tags excludeTags query query format excludeContent include include featured Limit limit[] limit%5B%5D l%69mit __proto__ constructor % %00 key then',
  '',
)

const values = oneOf(
  '1 2 10 100 101 0 -1 1e308 1e1 0x10 %D9%A3 %EF%BC%91 all asc desc html markdown true false posts posts,posts NaN Infinity null news news,fish alpha,beta ,,, __proto__ % %e9 %00 %F0%9F%91%A9 %E2%80%A8 + %20 %2B %26 %3D a%00b %ED%A0%80 (a%2B)%2B$ %5B%5B %5C %3Cscript%3E $where {"a":1} %EF%AC%81 %C3%9F',
  ...['9'.repeat(30), 's,'.repeat(99), 's,'.repeat(101), 'x'.repeat(257)],
)

const headerValues = [
  ...['', '*', '"', 'W/"', '"a", *', ',', 'gzip', 'br;q=0', '*;q=0.5', 'gzip;q=x', 'bytes=0-1'],
  ...[
    'null',
    'Bearer',
    'Bearer ',
    'Basic eDp5',
    'Bearer a, Bearer b',
    `Bearer ${'q'.repeat(5000)}`,
  ],
]

/** Returns requests made from valid parts and from parts with different faults. */
export function hostileRequests(keys: readonly string[]): Arbitrary<HostileRequest> {
  const mostly = (weight: number, good: Arbitrary<string>, ...others: Arbitrary<string>[]) =>
    fc.oneof({ weight, arbitrary: good }, raw, ...others)
  const path = fc.array(mostly(3, segments), { maxLength: 6 }).map((parts) => `/${parts.join('/')}`)
  const value = mostly(3, values, fc.string({ maxLength: 12 }).map(encodeURIComponentSafely))
  const query = fc
    .array(fc.tuple(mostly(6, names), fc.constantFrom('=', '=', '=', '', '=='), value), {
      maxLength: 6,
    })
    .map((pairs) => pairs.map((parts) => parts.join('')).join('&'))
  return fc.record({
    method: oneOf('GET GET GET GET HEAD OPTIONS POST get TRACE', ''),
    target: fc
      .tuple(path, fc.constantFrom('', '?', '??', '?&'), query)
      .map((parts) => parts.join('')),
    headers: fc.dictionary(
      oneOf('authorization if-none-match accept-encoding range origin'),
      fc.oneof(fc.constantFrom(...keys.map((key) => `Bearer ${key}`), ...headerValues), raw),
      { maxKeys: 3 },
    ),
  })
}

/**
 * Returns the fault of the response to a request; null for none.
 *
 * Rejects only if the handler does.
 */
export async function problemOf(
  handler: Responder,
  request: HostileRequest,
): Promise<string | null> {
  const reply = await askHandler(handler, request.target, request)
  const { status, bytes, header } = reply
  if (![200, 204, 304, 308, 400, 401, 403, 404, 405, 414].includes(status))
    return `its status is ${status}`
  if (header('access-control-allow-origin') !== '*') return 'other origins cannot read it'
  if (header('x-request-id') === null) return 'it has no id'
  if (status === 308) {
    const location = header('location') ?? ''
    return /^\/(?![/\\])/.test(location) ? null : `it leads to ${location}`
  }
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    return bytes.length === 0 ? null : `${status} has a body`
  }
  if (header('content-length') !== String(bytes.length)) return 'its length is not what it says'
  return jsonProblem(reply)
}

function jsonProblem({ status, text, header }: ReadReply): string | null {
  if (header('content-type') !== 'application/json') return 'it does not say that it is JSON'
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null) return 'it is no object'
  if (status < 400) return null
  if (header('cache-control') !== 'no-store') return 'caches would keep an error'
  return 'error' in body && 'message' in body ? null : 'it does not say what is wrong'
}

/** Encodes text. Lone surrogates, which have no encoding, become `%`. */
function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '%'))
}
