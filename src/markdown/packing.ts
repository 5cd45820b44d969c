// Packs the outcomes of a batch into one buffer, which moves between threads without a copy.
import { digestBytes } from '../api/fragment.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { type BodyPart, bodyParts, type Outcome, type RenderedBody } from './job.ts'

/** Packed outcomes, to be posted with `buffer` in the transfer list. */
export interface Packed {
  /** For each body: its parts, then the digest of each. */
  readonly buffer: ArrayBuffer
  readonly entries: readonly PackedOutcome[]
}

interface PackedOutcome {
  readonly key: number
  readonly milliseconds?: number
  /** Lengths in bytes; null without a body. */
  readonly body: (ByPart<number> & Pick<RenderedBody, 'files'>) | null
  readonly diagnostics: readonly Diagnostic[]
}

type ByPart<Value> = Readonly<Record<BodyPart, Value>>

/** Packs outcomes; copies their bytes once. */
export function pack(outcomes: readonly Outcome[]): Packed {
  const chunks = outcomes.flatMap(({ body }) => (body === undefined ? [] : chunksOf(body)))
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const bytes = new Uint8Array(new ArrayBuffer(length))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return { buffer: bytes.buffer, entries: outcomes.map(entryOf) }
}

/** Unpacks outcomes as views of the buffer. */
export function unpack({ buffer, entries }: Packed): readonly Outcome[] {
  const reader = new Reader(buffer)
  return entries.map(({ body, ...rest }) => {
    if (body === null) return rest
    const bytes = byPart((part) => reader.take(body[part]))
    const parts = byPart((part) => ({ bytes: bytes[part], digest: reader.take(digestBytes) }))
    return { ...rest, body: { ...parts, files: body.files } }
  })
}

function chunksOf(body: RenderedBody): readonly Uint8Array[] {
  const chunks = bodyParts.map((part) => body[part])
  return [...chunks.map(({ bytes }) => bytes), ...chunks.map(({ digest }) => digest)]
}

function entryOf({ body, ...rest }: Outcome): PackedOutcome {
  if (body === undefined) return { ...rest, body: null }
  return { ...rest, body: { ...byPart((part) => body[part].bytes.length), files: body.files } }
}

/** In the order of `bodyParts`. */
function byPart<Value>(make: (part: BodyPart) => Value): ByPart<Value> {
  return Object.fromEntries(bodyParts.map((part) => [part, make(part)])) as ByPart<Value>
}

class Reader {
  readonly #buffer: ArrayBuffer
  #offset = 0

  constructor(buffer: ArrayBuffer) {
    this.#buffer = buffer
  }

  take(length: number): Uint8Array {
    const bytes = new Uint8Array(this.#buffer, this.#offset, length)
    this.#offset += length
    return bytes
  }
}
