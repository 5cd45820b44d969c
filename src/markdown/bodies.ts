// Rendered bodies by the hash of their Markdown: found again in the cache, and read from it only when bytes are
// needed. Knows nothing of posts; places in files are put in when a body is told of.
import { hash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import type { CacheRecord } from '../cache/cache-record.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { type FileTargets, placeInHtml, placeInMarkdown } from './file-targets.ts'
import type { RenderedBody } from './job.ts'
import type { MarkdownOptions } from './options.ts'

/** Parts of a kept body: HTML and Markdown as JSON string literals, and the visible text. */
export type BodyPart = 'html' | 'markdown' | 'text'

/** A body that was rendered. */
export interface KeptBody {
  size(part: BodyPart): number
  /** The first 16 bytes of the SHA-256 of its bytes. */
  digest(part: BodyPart): Uint8Array
  /** @throws CacheDamageError when they are not those that were written */
  read(part: BodyPart): Uint8Array
  /** The same bytes as any thread can have them. */
  stored(part: BodyPart): StoredBytes
}

/** Bodies that one renderer made. */
export class RenderedBodies {
  readonly #cache: Cache
  readonly #renderer: string
  readonly #tool: string

  /** @param tool names that change with everything that rendering depends on, and with all code */
  constructor(
    cache: Cache,
    { renderer, tool }: { readonly renderer: string; readonly tool: string },
    markdown: MarkdownOptions,
  ) {
    this.#cache = cache
    this.#renderer = `${renderer} ${JSON.stringify(Object.entries(markdown).sort())}`
    this.#tool = tool
  }

  /** @param bodyHash SHA-256 of the Markdown, hexadecimal */
  find(bodyHash: string): (KeptBody & CacheRecord) | undefined {
    return this.#cache.find(this.#keyOf(bodyHash))
  }

  /** @param warnings placed as if the body were a file of its own */
  add(
    bodyHash: string,
    { html, markdown, text, files }: RenderedBody,
    warnings: readonly Diagnostic[],
  ): KeptBody & CacheRecord {
    return this.#cache.add(this.#keyOf(bodyHash), {
      html,
      markdown,
      text,
      ...(files === null ? {} : { files: Buffer.from(JSON.stringify(files)) }),
      ...(warnings.length === 0 ? {} : { warnings: Buffer.from(JSON.stringify(warnings)) }),
    })
  }

  /**
   * A body with addresses in the place of destinations that mean files.
   *
   * @param body one with `filesOf` @param urls one a target; null for what stays as it is written
   *
   * Cost: the body is read and written once for one set of addresses, and found again from then on.
   */
  place(
    body: KeptBody & CacheRecord,
    files: FileTargets,
    urls: readonly (string | null)[],
  ): KeptBody {
    const input = JSON.stringify([Buffer.from(body.digest('markdown')).toString('hex'), urls])
    const key = hash('sha256', `placed ${this.#tool} ${this.#renderer} ${input}`)
    const placed = this.#cache.find(key) ?? this.#cache.add(key, placedParts(body, files, urls))
    const of = (part: BodyPart): KeptBody => (part === 'text' ? body : placed)
    return {
      size: (part) => of(part).size(part),
      digest: (part) => of(part).digest(part),
      read: (part) => of(part).read(part),
      stored: (part) => of(part).stored(part),
    }
  }

  #keyOf(bodyHash: string): string {
    return hash('sha256', `body ${schema} ${this.#renderer} ${bodyHash}`)
  }
}

/** Layout of the parts. */
const schema = 2

function placedParts(body: KeptBody, files: FileTargets, urls: readonly (string | null)[]) {
  const html = Buffer.from(body.read('html')).toString()
  const markdown: string = JSON.parse(Buffer.from(body.read('markdown')).toString())
  return {
    // Addresses hold nothing that JSON would escape.
    html: Buffer.from(placeInHtml(html, files, urls)),
    markdown: Buffer.from(JSON.stringify(placeInMarkdown(markdown, files, urls))),
  }
}

/** Destinations of a body that may mean files; null for none. */
export function filesOf(body: CacheRecord): FileTargets | null {
  return body.has('files') ? JSON.parse(body.text('files')) : null
}

/** What was warned of when a body was rendered, placed as if it were a file of its own. */
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
