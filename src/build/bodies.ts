// Rendered bodies of posts: taken from the cache, or rendered and added to it. Their texts are read when they are used.
//
// ```
// cache/bodies/HASH     digest of the head │ head as JSON │ line break │ html │ markdown │ text
// ```
import { hash } from 'node:crypto'
import { digestBytes, parseJson } from '../api/bytes.ts'
import type { Read } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { type FileTargets, placeInHtml, placeInMarkdown } from '../markdown/destinations.ts'
import type { MarkdownOptions } from '../markdown/options.ts'
import type { RenderedBody, RenderPool } from '../markdown/pool.ts'
import type { MarkdownBody } from '../model/posts.ts'
import type { BodyRecord, BuildCache, PartSum } from './cache.ts'

/** Parts of a body in the order of its file: HTML and Markdown as JSON string literals, and the visible text. */
const bodyParts = ['html', 'markdown', 'text'] as const

export type BodyPart = (typeof bodyParts)[number]

/** A rendered body, as served. */
export interface SiteBody {
  size(part: BodyPart): number
  /** The first 16 bytes of the part's SHA-256. */
  digest(part: BodyPart): Uint8Array
  /** @throws CacheError when the cache is damaged */
  read(part: BodyPart): Uint8Array
}

/** Options of `Bodies`. */
export interface BodiesOptions {
  /** Changes with everything that rendering depends on, except the options. */
  readonly renderer: string
  readonly markdown: MarkdownOptions
  /** Called with the number of rendered bodies, and of all that are to be rendered. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
}

/** The bodies of a build, by their hash. */
export class Bodies {
  /** The number of rendered bodies. */
  rendered = 0
  readonly #cache: BuildCache
  readonly #version: string
  readonly #onProgress: BodiesOptions['onProgress']
  readonly #known = new Map<string, BodyRecord>()
  /** Problems of bodies that could not be rendered; `isPlaced` if they have the lines of the file. */
  readonly #failed = new Map<
    string,
    { readonly diagnostics: readonly Diagnostic[]; readonly isPlaced: boolean }
  >()
  /** Files of bodies that were read or written last. */
  readonly #latest = new Map<string, Uint8Array>()
  #latestBytes = 0
  /** Files that could not be written. */
  readonly #unwritten = new Map<string, Uint8Array>()

  constructor(cache: BuildCache, { renderer, markdown, onProgress }: BodiesOptions) {
    this.#cache = cache
    this.#version = JSON.stringify([renderer, Object.entries(markdown).sort()])
    this.#onProgress = onProgress
  }

  /** Names of all bodies in the cache that this build uses. */
  get used(): ReadonlySet<string> {
    return new Set(Array.from(this.#known.values(), ({ key }) => key))
  }

  /**
   * Renders the bodies that the cache does not have.
   *
   * @param threads not called if there is nothing to render
   */
  async render(
    bodies: readonly MarkdownBody[],
    read: (body: MarkdownBody) => Read<string>,
    threads: () => Promise<RenderPool>,
  ): Promise<void> {
    const missing = new Map<string, MarkdownBody>()
    for (const body of bodies) if (!this.#find(body)) missing.set(body.bodyHash, body)
    if (missing.size === 0) return
    const pool = await threads()
    const all = [...missing.values()]
    for await (const { key, body, diagnostics } of pool.render(this.#jobs(all, read))) {
      const { bodyHash } = all[key] as MarkdownBody
      this.rendered += 1
      if (body === undefined) this.#failed.set(bodyHash, { diagnostics, isPlaced: false })
      else this.#add(bodyHash, body, diagnostics)
      this.#onProgress?.(this.rendered, missing.size)
    }
    for (const body of bodies) this.#remember(body)
  }

  /** @throws RangeError for a body that was not rendered, or has an error */
  bodyOf(body: MarkdownBody): SiteBody {
    const found = this.find(body)
    if (found === undefined) throw new RangeError(`no rendered body of ${body.file}`)
    return found
  }

  /** @returns undefined for a body that was not rendered, or has an error */
  find({ bodyHash }: MarkdownBody): SiteBody | undefined {
    const record = this.#known.get(bodyHash)
    return (
      record && {
        size: (part) => record[part][0],
        digest: (part) => Buffer.from(record[part][1], 'hex'),
        read: (part) => this.#read(record, part),
      }
    )
  }

  /** The text before the mark of a body; null without it. */
  excerptOf({ bodyHash }: MarkdownBody): string | null {
    return this.#known.get(bodyHash)?.excerpt ?? null
  }

  /** Destinations of a body that may refer to files; null for none, and for a body with errors. */
  filesOf({ bodyHash }: MarkdownBody): FileTargets | null {
    return this.#known.get(bodyHash)?.files ?? null
  }

  /** The problems of a body, located in its file. */
  diagnosticsOf({ bodyHash, file, bodyLine }: MarkdownBody): readonly Diagnostic[] {
    const failed = this.#failed.get(bodyHash)
    if (failed?.isPlaced === true) return failed.diagnostics
    const found = failed?.diagnostics ?? this.#known.get(bodyHash)?.warnings ?? []
    return found.map((one) => ({ ...one, file, line: one.line + bodyLine - 1 }))
  }

  /**
   * Returns a body whose file destinations are replaced by URLs.
   *
   * @param urls one per target; null keeps the written URL
   *
   * Cost: rewrites the texts once per set of URLs, and again for each read.
   */
  place(body: MarkdownBody, files: FileTargets, urls: readonly (string | null)[]): SiteBody {
    const plain = this.bodyOf(body)
    const read = (part: BodyPart) => {
      const bytes = plain.read(part)
      if (part === 'text') return bytes
      const put = part === 'html' ? placeInHtml : placeInMarkdown
      return Buffer.from(JSON.stringify(put(parseJson(bytes), files, urls)))
    }
    const record = this.#cache.files.get(body.file)
    const key = hash('sha256', JSON.stringify([this.#known.get(body.bodyHash)?.key, urls]))
    const known = record?.placed?.key === key ? record.placed : undefined
    const sums = known ?? { key, html: sumOf(read('html')), markdown: sumOf(read('markdown')) }
    if (record !== undefined) record.placed = sums
    return {
      size: (part) => (part === 'text' ? plain.size(part) : sums[part][0]),
      digest: (part) => (part === 'text' ? plain.digest(part) : Buffer.from(sums[part][1], 'hex')),
      read,
    }
  }

  *#jobs(bodies: readonly MarkdownBody[], read: (body: MarkdownBody) => Read<string>) {
    for (const [key, body] of bodies.entries()) {
      const { value, diagnostics } = read(body)
      if (value === undefined) this.#failed.set(body.bodyHash, { diagnostics, isPlaced: true })
      else yield { key, file: '', body: value, bodyLine: 1, isMdx: body.file.endsWith('.mdx') }
    }
  }

  #find(body: MarkdownBody): boolean {
    const { bodyHash, file } = body
    if (this.#known.has(bodyHash) || this.#failed.has(bodyHash)) return true
    const key = this.#keyOf(bodyHash)
    if (!this.#cache.hasBody(key)) return false
    const known = this.#cache.files.get(file)?.body
    const record = known?.key === key ? known : this.#decode(key)
    if (record === undefined) return false
    this.#known.set(bodyHash, record)
    this.#remember(body)
    return true
  }

  #keyOf(bodyHash: string): string {
    return hash('sha256', `${this.#version} ${bodyHash}`)
  }

  #remember({ file, bodyHash }: MarkdownBody): void {
    const record = this.#cache.files.get(file)
    const body = this.#known.get(bodyHash)
    if (record !== undefined && body !== undefined) record.body = body
  }

  #add(bodyHash: string, body: RenderedBody, warnings: readonly Diagnostic[]): void {
    const key = this.#keyOf(bodyHash)
    const { files, excerpt } = body
    const texts = [JSON.stringify(body.html), JSON.stringify(body.markdown), body.text]
    const parts = texts.map((text) => Buffer.from(text))
    const [html, markdown, text] = parts.map(sumOf) as [PartSum, PartSum, PartSum]
    const record = { html, markdown, text, files, excerpt, warnings }
    const head = Buffer.from(JSON.stringify(record))
    const bytes = Buffer.concat([Buffer.from(sumOf(head)[1]), head, Buffer.from('\n'), ...parts])
    const start = 2 * digestBytes + head.length + 1
    this.#known.set(bodyHash, { key, start, ...record })
    // Without a file, it stays in memory until the process ends.
    if (!this.#cache.addBody(key, bytes)) this.#unwritten.set(key, bytes)
    this.#keep(key, bytes)
  }

  /** @throws CacheError if the bytes are not those that were written */
  #read(record: BodyRecord, part: BodyPart): Uint8Array {
    const before = bodyParts.slice(0, bodyParts.indexOf(part))
    const start = before.reduce((end, other) => end + record[other][0], record.start)
    const [size, digest] = record[part]
    const found = this.#bytesOf(record.key).subarray(start, start + size)
    if (sumOf(found)[1] !== digest) throw this.#cache.damaged(record.key)
    return found
  }

  #bytesOf(key: string): Uint8Array {
    const known = this.#latest.get(key) ?? this.#unwritten.get(key)
    if (known !== undefined) return known
    const bytes = this.#cache.readBody(key)
    this.#keep(key, bytes)
    return bytes
  }

  #keep(key: string, bytes: Uint8Array): void {
    if (this.#latestBytes > latestBytesMax) {
      this.#latest.clear()
      this.#latestBytes = 0
    }
    this.#latest.set(key, bytes)
    this.#latestBytes += bytes.length
  }

  /** Reads a body whose record is lost. @returns undefined if its head is not as it was written */
  #decode(key: string): BodyRecord | undefined {
    const bytes = this.#cache.readBody(key)
    const end = bytes.indexOf(10)
    const head = bytes.subarray(2 * digestBytes, end)
    const isWhole =
      sumOf(head)[1] === Buffer.from(bytes.subarray(0, 2 * digestBytes)).toString('latin1')
    return isWhole ? ({ key, start: end + 1, ...parseJson<object>(head) } as BodyRecord) : undefined
  }
}

const latestBytesMax = 64 * 1024 * 1024

function sumOf(bytes: Uint8Array): PartSum {
  return [bytes.length, hash('sha256', bytes).slice(0, 2 * digestBytes)]
}
