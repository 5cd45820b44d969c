// The outcomes of a batch as one buffer that changes threads without a copy.
// Knows nothing of what the bytes mean.
import { digestBytes } from '../api/piece.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { FileTargets } from './file-targets.ts'
import type { Outcome, RenderedBody } from './job.ts'

/** Outcomes that can be posted, with `buffer` in the transfer list. */
export interface Packed {
  /** For each body: HTML, Markdown, text, and the digest of each. */
  readonly buffer: ArrayBuffer
  readonly entries: readonly PackedOutcome[]
}

interface PackedOutcome {
  readonly key: number
  readonly milliseconds?: number
  /** Lengths in bytes; null when there is no body. */
  readonly body: {
    readonly html: number
    readonly markdown: number
    readonly text: number
    readonly files: FileTargets | null
  } | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Packs outcomes; their bytes are copied once. */
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

/** The outcomes that were packed, as views on the buffer. */
export function unpack({ buffer, entries }: Packed): readonly Outcome[] {
  const reader = new Reader(buffer)
  return entries.map(({ body, ...rest }) => {
    if (body === null) return rest
    const html = reader.take(body.html)
    const markdown = reader.take(body.markdown)
    const text = reader.take(body.text)
    return {
      ...rest,
      body: {
        html: { bytes: html, digest: reader.take(digestBytes) },
        markdown: { bytes: markdown, digest: reader.take(digestBytes) },
        text: { bytes: text, digest: reader.take(digestBytes) },
        files: body.files,
      },
    }
  })
}

function chunksOf({ html, markdown, text }: RenderedBody): readonly Uint8Array[] {
  const pieces = [html, markdown, text]
  return [...pieces.map(({ bytes }) => bytes), ...pieces.map(({ digest }) => digest)]
}

function entryOf({ body, ...rest }: Outcome): PackedOutcome {
  if (body === undefined) return { ...rest, body: null }
  const [html, markdown] = [body.html.bytes.length, body.markdown.bytes.length]
  return { ...rest, body: { html, markdown, text: body.text.bytes.length, files: body.files } }
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
