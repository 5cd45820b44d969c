// A response as data: a status, and a body of literal text and stored JSON that are joined when it is sent.
import { hex, joinBytes, parseJson, sha256, utf8 } from './bytes.ts'
import type { JsonRef, Snapshot, Sum } from './snapshot.ts'
import { batchBytes } from './work.ts'

/** Literal JSON text, or a reference to stored JSON. */
export type Piece = string | JsonRef

/** The response to a request. */
export interface ApiResponse {
  readonly status: number
  readonly body: readonly Piece[]
  /** @default the media type of JSON, or of the document */
  readonly contentType?: string
  /** For a 308: the current slug of the post with the requested alias. */
  readonly movedTo?: string
}

/** Returns a strong ETag, with quotes: a hash of the literals and of the digests of stored JSON. Reads no JSON. */
export async function etagOf(
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'sums'>,
): Promise<string> {
  const sums = await sumsOf(body, snapshot)
  const bytes = sha256(joinBytes(sums.map(({ digest }) => digest)))
  return `"${hex(bytes.subarray(0, 16))}"`
}

/** Returns the bytes of a body. */
export async function bodyBytes(
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'read'>,
): Promise<Uint8Array> {
  const refs = refsOf(body)
  const read = await snapshot.read(refs)
  const stored = read.map((bytes, at) => (isText(refs[at]) ? utf8(parseJson(bytes)) : bytes))
  return joinBytes(inOrder(body, literalBytes, stored))
}

/** Returns the length of a body in bytes. Reads stored JSON only if the body contains texts. */
export async function bodySize(body: readonly Piece[], snapshot: Snapshot): Promise<number> {
  let total = 0
  if (body.some(isText)) for await (const run of bodyRuns(body, snapshot)) total += run.length
  else for (const { size } of await sumsOf(body, snapshot)) total += size
  return total
}

/** Yields a body in pieces of about 64 KiB, for bodies that are too long for memory. */
export async function* bodyRuns(
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'read' | 'sums'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let [start, total] = [0, 0]
  for (const [at, { size }] of (await sumsOf(body, snapshot)).entries()) {
    total += size
    if (total < batchBytes && at + 1 < body.length) continue
    yield await bodyBytes(body.slice(start, at + 1), snapshot)
    start = at + 1
    total = 0
  }
}

/** Returns the sum of each piece; that of a text is of its JSON. A literal stands for itself in an ETag. */
async function sumsOf(
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'sums'>,
): Promise<readonly Sum[]> {
  const ofLiteral = (text: string) => {
    const digest = literalBytes(text)
    return { size: digest.length, digest }
  }
  return inOrder(body, ofLiteral, await snapshot.sums(refsOf(body)))
}

function refsOf(body: readonly Piece[]): readonly JsonRef[] {
  return body.filter((piece) => typeof piece !== 'string')
}

/** Returns a value for each piece. @param stored the values of references, in order */
function inOrder<T>(
  body: readonly Piece[],
  ofLiteral: (text: string) => T,
  stored: readonly T[],
): readonly T[] {
  let at = 0
  return body.map((piece) => (typeof piece === 'string' ? ofLiteral(piece) : (stored[at++] as T)))
}

function isText(piece?: Piece): boolean {
  return typeof piece === 'object' && piece.of === 'posts' && piece.isText === true
}

/** Literals that most bodies contain, encoded once. */
const sharedLiterals: ReadonlyMap<string, Uint8Array> = new Map(
  [',', '}', ',"content":', '{"posts":[', '{"data":[', '{"post":'].map((text) => [
    text,
    utf8(text),
  ]),
)

function literalBytes(text: string): Uint8Array {
  return sharedLiterals.get(text) ?? utf8(text)
}
