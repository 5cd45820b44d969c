// Rendered bodies of posts, which are read from the cache, or rendered and added to it. Texts are read on use.
//
// ```
// cache/bodies/HASH     record as JSON │ line break │ html │ markdown │ text
// ```
import { hash } from 'node:crypto'
import { digestBytes, parseJson } from '../api/bytes.ts'
import type { ReadResult } from '../content/raw.ts'
import { readTextFile } from '../content/read-file.ts'
import { normalizeText } from '../content/source.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { replaceInHtml, replaceInMarkdown } from '../markdown/destinations.ts'
import type { MarkdownOptions } from '../markdown/options.ts'
import type { RenderPool } from '../markdown/pool.ts'
import type { MarkdownBody } from '../model/posts.ts'
import { type BodyRecord, type BuildCache, CacheError, type PartSum } from './cache.ts'

/** Parts of a body in the order of its file: HTML and Markdown as JSON string literals, and the visible text. */
const bodyParts = ['html', 'markdown', 'text'] as const

export type BodyPart = (typeof bodyParts)[number]

/** The texts of a body that a snapshot contains. */
export type BodyTexts = Pick<SiteBody, 'size' | 'digest' | 'read'>

/** Returns the body of an item without content: only its text for searches. */
export function dataBody(text: string): BodyTexts {
  const bytes = (part: BodyPart) => Buffer.from(part === 'text' ? text : '""')
  return {
    size: (part) => bytes(part).length,
    digest: (part) => hash('sha256', bytes(part), 'buffer').subarray(0, digestBytes),
    read: bytes,
  }
}

/** A rendered body. */
export class SiteBody {
  readonly record: BodyRecord
  readonly #cache: BuildCache

  constructor(record: BodyRecord, cache: BuildCache) {
    this.record = record
    this.#cache = cache
  }

  size(part: BodyPart): number {
    return this.record[part][0]
  }

  /** The first 16 bytes of the part's SHA-256. */
  digest(part: BodyPart): Uint8Array {
    return Buffer.from(this.record[part][1], 'hex')
  }

  /** @throws CacheError for a body that is damaged or gone */
  read(part: BodyPart): Uint8Array {
    const { key } = this.record
    const bytes = this.#cache.bodies.get(key)
    if (bytes === undefined) throw new CacheError(`${key} is damaged.`)
    let start = bytes.indexOf(10) + 1
    for (const before of bodyParts.slice(0, bodyParts.indexOf(part))) start += this.size(before)
    return bytes.subarray(start, start + this.size(part))
  }
}

/** Options of `Bodies`. */
export interface BodiesOptions {
  /** Changes with everything that rendering depends on, except the options. */
  readonly renderer: string
  readonly markdown: MarkdownOptions
  /** Called with the number of rendered bodies, and the number of bodies to render. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
}

/** The bodies of a build, by their hash. */
export class Bodies {
  /** The number of rendered bodies. */
  rendered = 0
  readonly #root: string
  readonly #cache: BuildCache
  readonly #version: string
  readonly #onProgress: BodiesOptions['onProgress']
  readonly #known = new Map<string, SiteBody>()
  /** Problems of bodies that could not be rendered. `isPlaced` means that their lines are those of the file. */
  readonly #failed = new Map<string, ReadResult<never> & { readonly isPlaced: boolean }>()

  /** @param root absolute path of the content folder */
  constructor(root: string, cache: BuildCache, { renderer, markdown, onProgress }: BodiesOptions) {
    this.#root = root
    this.#cache = cache
    this.#version = JSON.stringify([renderer, Object.entries(markdown).sort()])
    this.#onProgress = onProgress
  }

  /**
   * Renders the bodies that the cache does not have.
   *
   * @param threads not called if there is nothing to render
   */
  async render(bodies: readonly MarkdownBody[], threads: () => Promise<RenderPool>): Promise<void> {
    const missing = new Map<string, MarkdownBody>()
    for (const body of bodies) if (!this.#isCached(body)) missing.set(body.bodyHash, body)
    if (missing.size === 0) return
    const pool = await threads()
    const all = [...missing.values()]
    for await (const { key, body, diagnostics } of pool.render(this.#jobs(all))) {
      const { bodyHash } = all[key] as MarkdownBody
      this.rendered += 1
      if (body === undefined) this.#failed.set(bodyHash, { diagnostics, isPlaced: false })
      else {
        const texts = [JSON.stringify(body.html), JSON.stringify(body.markdown), body.text]
        const { files, excerpt } = body
        const rest = { files, excerpt, warnings: diagnostics }
        this.#known.set(bodyHash, this.#add(this.#keyOf(bodyHash), texts, rest))
      }
      this.#onProgress?.(this.rendered, missing.size)
    }
    for (const body of bodies) this.#remember(body)
  }

  /** @returns undefined for a body that was not rendered, or has an error */
  find({ bodyHash }: MarkdownBody): SiteBody | undefined {
    return this.#known.get(bodyHash)
  }

  /** The problems of a body, located in its file. */
  diagnosticsOf({ bodyHash, file, bodyLine }: MarkdownBody): readonly Diagnostic[] {
    const failed = this.#failed.get(bodyHash)
    if (failed?.isPlaced === true) return failed.diagnostics
    const found = failed?.diagnostics ?? this.#known.get(bodyHash)?.record.warnings ?? []
    return found.map((one) => ({ ...one, file, line: one.line + bodyLine - 1 }))
  }

  /**
   * Returns a body in which URLs replace file destinations. It is cached as a separate body.
   *
   * @param urls a URL for each target; null keeps the written URL
   * @throws RangeError for a body that was not rendered, or has an error
   */
  place(body: MarkdownBody, urls: readonly (string | null)[]): SiteBody {
    const plain = this.find(body)
    if (plain === undefined) throw new RangeError(`no rendered body for ${body.file}`)
    const { files } = plain.record
    if (files === null) return plain
    const key = hash('sha256', JSON.stringify([plain.record.key, urls]))
    const record = this.#cache.files.get(body.file)
    if (record?.placed?.key === key && this.#cache.bodies.has(key)) {
      return new SiteBody(record.placed, this.#cache)
    }
    const html = replaceInHtml(parseJson(plain.read('html')), files, urls)
    const markdown = replaceInMarkdown(parseJson(plain.read('markdown')), files, urls)
    const text = Buffer.from(plain.read('text')).toString()
    const texts = [JSON.stringify(html), JSON.stringify(markdown), text]
    const placed = this.#add(key, texts, { ...plain.record, warnings: [] })
    if (record !== undefined) record.placed = placed.record
    return placed
  }

  *#jobs(bodies: readonly MarkdownBody[]) {
    for (const [key, body] of bodies.entries()) {
      const { value, diagnostics } = this.#read(body)
      if (value === undefined) this.#failed.set(body.bodyHash, { diagnostics, isPlaced: true })
      else yield { key, file: '', body: value, bodyLine: 1, isMdx: body.file.endsWith('.mdx') }
    }
  }

  /** Reads the body of a post again. @returns a problem when the file has changed since it was read */
  #read({ file, bodyLine }: MarkdownBody): ReadResult<string> {
    const text = readTextFile(this.#root, file, this.#cache.files.get(file)?.sha256 ?? '')
    if (text.value === undefined) return text
    const lines = normalizeText(text.value).split('\n')
    return { value: lines.slice(bodyLine - 1).join('\n'), diagnostics: [] }
  }

  #isCached(body: MarkdownBody): boolean {
    const { bodyHash, file } = body
    if (this.#known.has(bodyHash) || this.#failed.has(bodyHash)) return true
    const key = this.#keyOf(bodyHash)
    if (!this.#cache.bodies.has(key)) return false
    const known = this.#cache.files.get(file)?.body
    const record = known?.key === key ? known : this.#decode(key)
    if (record === undefined) return false
    this.#known.set(bodyHash, new SiteBody(record, this.#cache))
    this.#remember(body)
    return true
  }

  #keyOf(bodyHash: string): string {
    return hash('sha256', `${this.#version} ${bodyHash}`)
  }

  /** Stores the record of a body in the list of files, from which the next build reads it. */
  #remember({ file, bodyHash }: MarkdownBody): void {
    const record = this.#cache.files.get(file)
    const body = this.#known.get(bodyHash)
    if (record !== undefined && body !== undefined) record.body = body.record
  }

  #add(
    key: string,
    texts: readonly string[],
    rest: Pick<BodyRecord, 'excerpt' | 'files' | 'warnings'>,
  ): SiteBody {
    const parts = texts.map((text) => Buffer.from(text))
    const [html, markdown, text] = parts.map(sumOf) as [PartSum, PartSum, PartSum]
    const record: BodyRecord = { ...rest, key, html, markdown, text }
    const head = Buffer.from(`${JSON.stringify(record)}\n`)
    this.#cache.bodies.set(key, Buffer.concat([head, ...parts]))
    return new SiteBody(record, this.#cache)
  }

  /** Reads a body whose record is not in the list of files. @returns undefined if it is damaged */
  #decode(key: string): BodyRecord | undefined {
    const bytes = this.#cache.bodies.get(key)
    return bytes && parseJson(bytes.subarray(0, bytes.indexOf(10)))
  }
}

function sumOf(bytes: Uint8Array): PartSum {
  return [bytes.length, hash('sha256', bytes).slice(0, 2 * digestBytes)]
}
