// Rendered bodies by the hash of their Markdown: looked up in the cache, and read from it on demand.
import { hex } from '../api/bytes.ts'
import { digestBytes } from '../api/fragment.ts'
import type { Cache } from '../cache/cache.ts'
import type { CacheRecord } from '../cache/cache-record.ts'
import { digestOf, fragmentOf } from '../cache/digested.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { Memo, type StoredRule } from '../memo/memo.ts'
import { type FileTargets, placeInHtml, placeInMarkdown } from './destinations.ts'
import type { MarkdownOptions } from './options.ts'
import type { RenderedBody } from './pool.ts'

/**
 * A part of a rendered body, in UTF-8: HTML and Markdown as JSON string literals including quotes, and the visible text.
 */
export type BodyPart = 'html' | 'markdown' | 'text'

/** A rendered body. */
export interface StoredBody {
  size(part: BodyPart): number
  /** The first 16 bytes of the part's SHA-256. */
  digest(part: BodyPart): Uint8Array
  /** @throws CacheDamageError when the bytes differ from those that were written */
  read(part: BodyPart): Uint8Array
  /** The same bytes, in a form that can be passed to any thread. */
  stored(part: BodyPart): StoredBytes
}

/** Everything that the rendering of a body depends on. */
interface BodyInput {
  /** See `bodyHashOf`. */
  readonly bodyHash: string
  /** The site's options, as JSON. */
  readonly options: string
}

/** Rendered in threads, then added. */
const renderedBody: StoredRule<BodyInput, StoredBody & CacheRecord> = {
  name: 'body',
  keyOf: ({ bodyHash, options }) => `${options} ${bodyHash}`,
  valueOf: (record) => record,
}

/** Size and digest of each part of a body with resolved URLs; the bytes are computed again when they are read. */
const placedBody: StoredRule<readonly [body: StoredBody, DestinationUrls], SumsWithUrls> = {
  name: 'placed body',
  // The same text renders differently as MDX.
  keyOf: ([body, urls]) =>
    JSON.stringify([hex(body.digest('html')), hex(body.digest('markdown')), urls]),
  valueOf: (record) => ({
    html: sumOf(record.read('html')),
    markdown: sumOf(record.read('markdown')),
  }),
}

type PartWithUrls = 'html' | 'markdown'
type SumsWithUrls = Readonly<
  Record<PartWithUrls, { readonly size: number; readonly digest: Uint8Array }>
>

/** The digest, then the size: 4 bytes, little-endian. */
function sumBytes(bytes: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes.length)
  return Buffer.concat([digestOf(bytes), size])
}

function sumOf(bytes: Uint8Array) {
  const size = Buffer.from(bytes).readUInt32LE(digestBytes)
  return { digest: bytes.subarray(0, digestBytes), size }
}

/** One per target; null keeps the written URL. */
type DestinationUrls = readonly (string | null)[]

/** The rendered bodies of a build. */
export class RenderedBodies {
  /** Bodies remain valid across versions of quarry that render alike. */
  readonly #rendered: Memo
  readonly #placed: Memo
  readonly #options: string

  /** @param tool names that change with everything that rendering depends on, and with all code */
  constructor(
    cache: Cache,
    { renderer, tool }: { readonly renderer: string; readonly tool: string },
    markdown: MarkdownOptions,
  ) {
    this.#options = JSON.stringify(Object.entries(markdown).sort())
    this.#rendered = new Memo(cache, { version: renderer })
    this.#placed = new Memo(cache, { version: `${tool} ${renderer} ${this.#options}` })
  }

  find(bodyHash: string): (StoredBody & CacheRecord) | undefined {
    return this.#rendered.find(renderedBody, { bodyHash, options: this.#options })
  }

  /** @param warnings located as if the body were a separate file */
  add(
    bodyHash: string,
    { html, markdown, text, excerpt, files }: RenderedBody,
    warnings: readonly Diagnostic[],
  ): StoredBody & CacheRecord {
    const input = { bodyHash, options: this.#options }
    return this.#rendered.add(renderedBody, input, {
      html: fragmentOf(JSON.stringify(html)),
      markdown: fragmentOf(JSON.stringify(markdown)),
      text: fragmentOf(text),
      ...(excerpt === null ? {} : { excerpt: Buffer.from(excerpt) }),
      ...(files === null ? {} : { files: Buffer.from(JSON.stringify(files)) }),
      ...(warnings.length === 0 ? {} : { warnings: Buffer.from(JSON.stringify(warnings)) }),
    })
  }

  /**
   * Returns a body whose file destinations are replaced by URLs.
   *
   * @param body one with `filesOf`
   *
   * Cost: reads and rewrites a part once per set of URLs, and again on each read.
   */
  place(body: StoredBody & CacheRecord, files: FileTargets, urls: DestinationUrls): StoredBody {
    const read = (part: PartWithUrls) => placedPart(part, body, files, urls)
    const sums = this.#placed.getMade(placedBody, [body, urls], () => ({
      html: sumBytes(read('html')),
      markdown: sumBytes(read('markdown')),
    }))
    return {
      size: (part) => (hasUrls(part) ? sums[part].size : body.size(part)),
      digest: (part) => (hasUrls(part) ? sums[part].digest : body.digest(part)),
      read: (part) => (hasUrls(part) ? read(part) : body.read(part)),
      stored: (part) => (hasUrls(part) ? read(part) : body.stored(part)),
    }
  }
}

function hasUrls(part: BodyPart): part is PartWithUrls {
  return part === 'html' || part === 'markdown'
}

function placedPart(
  part: PartWithUrls,
  body: StoredBody,
  files: FileTargets,
  urls: DestinationUrls,
): Uint8Array {
  const place = part === 'html' ? placeInHtml : placeInMarkdown
  const text: string = JSON.parse(Buffer.from(body.read(part)).toString())
  return Buffer.from(JSON.stringify(place(text, files, urls)))
}

/** Destinations of a body that may refer to files; null for none. */
export function filesOf(body: CacheRecord): FileTargets | null {
  return body.has('files') ? JSON.parse(body.text('files')) : null
}

/** The text before the mark that ends the excerpt; null without it. */
export function excerptOfBody(body: CacheRecord): string | null {
  return body.has('excerpt') ? body.text('excerpt') : null
}

/** The warnings of a body's rendering, located as if it were a separate file. */
export function warningsOf(body: CacheRecord): readonly Diagnostic[] {
  if (!body.has('warnings')) return []
  // The digest and the schema are verified: `add` wrote this.
  return JSON.parse(body.text('warnings'))
}

/** Relocates diagnostics of a body to its file. @param bodyLine the first line of the body in the file, from 1 */
export function placeIn(
  file: string,
  bodyLine: number,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    file,
    line: diagnostic.line + bodyLine - 1,
  }))
}
