// Rendered bodies of posts: taken from the cache, or rendered and added to it. Their texts are read when they are used.
import { hash } from 'node:crypto'
import { digestBytes, parseJson } from '../api/bytes.ts'
import type { Read } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { type FileTargets, placeInHtml, placeInMarkdown } from '../markdown/destinations.ts'
import type { MarkdownOptions } from '../markdown/options.ts'
import type { RenderedBody, RenderPool } from '../markdown/pool.ts'
import type { MarkdownBody } from '../model/posts.ts'
import type { BodyRecord, BuildCache, PartSum } from './cache.ts'

/** Parts of a body: HTML and Markdown as JSON string literals, and the visible text. */
export type BodyPart = 'html' | 'markdown' | 'text'

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
  #rendered = 0

  constructor(cache: BuildCache, { renderer, markdown, onProgress }: BodiesOptions) {
    this.#cache = cache
    this.#version = JSON.stringify([renderer, Object.entries(markdown).sort()])
    this.#onProgress = onProgress
  }

  /** The number of rendered bodies. */
  get rendered(): number {
    return this.#rendered
  }

  /** Names of all bodies in the cache that this build uses. */
  get used(): ReadonlySet<string> {
    return new Set([...this.#known.values()].map(({ key }) => key))
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
    const jobs = this.#jobs(all, read)
    for await (const { key, body, diagnostics } of pool.render(jobs)) {
      const { bodyHash } = all[key] as MarkdownBody
      this.#rendered += 1
      if (body === undefined) this.#failed.set(bodyHash, { diagnostics, isPlaced: false })
      else this.#add(bodyHash, body, diagnostics)
      this.#onProgress?.(this.#rendered, missing.size)
    }
    for (const body of all) this.#remember(body)
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
    let sums = record?.placed?.key === key ? record.placed : undefined
    if (sums === undefined) {
      sums = { key, html: sumOf(read('html')), markdown: sumOf(read('markdown')) }
      if (record !== undefined) record.placed = sums
    }
    const { html, markdown } = sums
    const placed = (part: BodyPart) =>
      part === 'html' ? html : part === 'markdown' ? markdown : null
    return {
      size: (part) => placed(part)?.[0] ?? plain.size(part),
      digest: (part) => {
        const sum = placed(part)
        return sum === null ? plain.digest(part) : Buffer.from(sum[1], 'hex')
      },
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
    const [html, markdown] = [body.html, body.markdown].map((part) =>
      Buffer.from(JSON.stringify(part)),
    )
    const text = Buffer.from(body.text)
    const sums = {
      html: sumOf(html as Buffer),
      markdown: sumOf(markdown as Buffer),
      text: sumOf(text),
    }
    const record = { key, ...sums, files, excerpt, warnings }
    const rest = Buffer.concat([
      Buffer.from(openingOf(record)),
      html as Buffer,
      Buffer.from(beforeMarkdown),
      markdown as Buffer,
      Buffer.from(`${beforeText}${JSON.stringify(body.text)}}`),
    ])
    const bytes = Buffer.concat([Buffer.from(`{"sum":"${sumOf(rest)[1]}",`), rest])
    this.#known.set(bodyHash, record)
    // Without a file, it stays in memory until the process ends.
    if (!this.#cache.addBody(key, bytes)) this.#unwritten.set(key, bytes)
    this.#keep(key, bytes)
  }

  /** @throws CacheError if the bytes are not those that were written */
  #read(record: BodyRecord, part: BodyPart): Uint8Array {
    const bytes = this.#bytesOf(record.key)
    const htmlAt = sumBytes + Buffer.byteLength(openingOf(record))
    const markdownAt = htmlAt + record.html[0] + beforeMarkdown.length
    const textAt = markdownAt + record.markdown[0] + beforeText.length
    const [size, digest] = record[part]
    const found =
      part === 'html'
        ? bytes.subarray(htmlAt, htmlAt + size)
        : part === 'markdown'
          ? bytes.subarray(markdownAt, markdownAt + size)
          : textOf(bytes.subarray(textAt, bytes.length - 1))
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

  /** Reads a body whose record is lost. @returns undefined if it is not as it was written */
  #decode(key: string): BodyRecord | undefined {
    const bytes = this.#cache.readBody(key)
    try {
      const {
        sum: whole,
        files,
        excerpt,
        warnings,
        html,
        markdown,
        text,
      } = parseJson<BodyFile>(bytes)
      if (sumOf(bytes.subarray(sumBytes))[1] !== whole) return undefined
      const sum = (literal: string) => sumOf(Buffer.from(literal))
      return {
        key,
        files,
        excerpt,
        warnings,
        html: sum(JSON.stringify(html)),
        markdown: sum(JSON.stringify(markdown)),
        text: sum(text),
      }
    } catch {
      return undefined
    }
  }
}

/** The file of a body. */
interface BodyFile extends Pick<BodyRecord, 'files' | 'excerpt' | 'warnings'> {
  /** Digest of the rest. */
  readonly sum: string
  readonly html: string
  readonly markdown: string
  readonly text: string
}

const latestBytesMax = 64 * 1024 * 1024

function openingOf({
  files,
  excerpt,
  warnings,
}: Pick<BodyRecord, 'files' | 'excerpt' | 'warnings'>): string {
  const head = JSON.stringify({ files, excerpt, warnings }).slice(1, -1)
  return `${head},"html":`
}

/** Length of `{"sum":"…",`: the digest of the rest. */
const sumBytes = 10 + 2 * digestBytes
const beforeMarkdown = ',"markdown":'
const beforeText = ',"text":'

function textOf(literal: Uint8Array): Uint8Array {
  try {
    return Buffer.from(parseJson<string>(literal))
  } catch {
    return Buffer.alloc(0)
  }
}

function sumOf(bytes: Uint8Array): PartSum {
  return [bytes.length, hash('sha256', bytes).slice(0, 2 * digestBytes)]
}
