// Rendered bodies by the hash of their Markdown: found again in the cache, and read from it only when bytes are
// needed.
import { hex } from '../api/bytes.ts'
import { digestBytes } from '../api/fragment.ts'
import type { Cache } from '../cache/cache.ts'
import type { CacheRecord } from '../cache/cache-record.ts'
import { digestOf } from '../cache/digested.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { Memo, type StoredRule } from '../memo/memo.ts'
import { type FileTargets, placeInHtml, placeInMarkdown } from './file-targets.ts'
import type { BodyPart, RenderedBody } from './job.ts'
import type { MarkdownOptions } from './options.ts'

/** A body that was rendered. */
export interface StoredBody {
  size(part: BodyPart): number
  /** The first 16 bytes of the SHA-256 of its bytes. */
  digest(part: BodyPart): Uint8Array
  /** @throws CacheDamageError when they are not those that were written */
  read(part: BodyPart): Uint8Array
  /** The same bytes as any thread can have them. */
  stored(part: BodyPart): StoredBytes
}

/** A body by all that it is rendered from. */
interface BodyInput {
  /** See `bodyHashOf`. */
  readonly bodyHash: string
  /** The site's options, as JSON. */
  readonly options: string
}

/** Rendered in threads, and added. */
const renderedBody: StoredRule<BodyInput, StoredBody & CacheRecord> = {
  name: 'body',
  keyOf: ({ bodyHash, options }) => `${options} ${bodyHash}`,
  valueOf: (record) => record,
}

/** Size and digest of each part of a body with the URLs of its destinations: the bytes are made again when they are read. */
const placedBody: StoredRule<readonly [body: StoredBody, DestinationUrls], SumsWithUrls> = {
  name: 'placed body',
  // The same text is rendered otherwise as MDX.
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

/** The digest, and then the size: 4 bytes, little-endian. */
function sumBytes(bytes: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes.length)
  return Buffer.concat([digestOf(bytes), size])
}

function sumOf(bytes: Uint8Array) {
  const size = Buffer.from(bytes).readUInt32LE(digestBytes)
  return { digest: bytes.subarray(0, digestBytes), size }
}

/** One a target; null for what stays as it is written. */
type DestinationUrls = readonly (string | null)[]

/** Bodies that one renderer made. */
export class RenderedBodies {
  /** Bodies outlive a version of quarry that renders alike. */
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

  /** @param warnings placed as if the body were a file of its own */
  add(
    bodyHash: string,
    { files, ...parts }: RenderedBody,
    warnings: readonly Diagnostic[],
  ): StoredBody & CacheRecord {
    const input = { bodyHash, options: this.#options }
    return this.#rendered.add(renderedBody, input, {
      ...parts,
      ...(files === null ? {} : { files: Buffer.from(JSON.stringify(files)) }),
      ...(warnings.length === 0 ? {} : { warnings: Buffer.from(JSON.stringify(warnings)) }),
    })
  }

  /**
   * A body with URLs in the place of destinations that mean files.
   *
   * @param body one with `filesOf`
   *
   * Cost: a part is read and its URLs are put in once for one set of URLs, and again each time that it is read.
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
  const text = Buffer.from(body.read(part)).toString()
  // URLs hold nothing that JSON would escape.
  if (part === 'html') return Buffer.from(placeInHtml(text, files, urls))
  return Buffer.from(JSON.stringify(placeInMarkdown(JSON.parse(text), files, urls)))
}

/** Destinations of a body that may mean files; null for none. */
export function filesOf(body: CacheRecord): FileTargets | null {
  return body.has('files') ? JSON.parse(body.text('files')) : null
}

/** The warnings of a body's rendering, placed as if it were a separate file. */
export function warningsOf(body: CacheRecord): readonly Diagnostic[] {
  if (!body.has('warnings')) return []
  // Its digest holds and its schema is ours: it is what `add` wrote.
  return JSON.parse(body.text('warnings'))
}

/** Diagnostics of a body in the file in which it stands. @param bodyLine the line on which it begins, from 1 */
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
