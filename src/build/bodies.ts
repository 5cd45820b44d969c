// Rendered bodies of posts, which are read from the cache, or rendered and added to it. Texts are read on use.
//
// ```
// cache/values/HASH     record as JSON │ line break │ html │ markdown │ text
// ```
import { hash } from 'node:crypto'
import { hex, joinBytes, parseJson, utf8 } from '../api/bytes.ts'
import type { Sum } from '../api/snapshot.ts'
import type { ReadResult } from '../content/raw.ts'
import { readTextFile } from '../content/read-file.ts'
import { normalizeText } from '../content/source.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { type FileTarget, replaceInHtml, replaceInMarkdown } from '../markdown/destinations.ts'
import type { MarkdownOptions } from '../markdown/options.ts'
import type { RenderPool } from '../markdown/pool.ts'
import type { MarkdownBody } from '../model/posts.ts'
import { type BuildCache, CacheError, digestOf } from './cache.ts'

/** A text of a body. */
interface BodyText extends Sum {
  /** @throws CacheError for a body that is damaged or gone */
  readonly read: () => Uint8Array
}

/** The texts of a body: HTML and Markdown as JSON string literals, and the visible text. */
export type BodyTexts = Readonly<Record<'html' | 'markdown' | 'text', BodyText>>

/** Facts about a rendered body. */
interface BodyFacts {
  /** The text before the mark `<!-- more -->`; null without the mark. */
  readonly excerpt: string | null
  /** Destinations that may refer to files; null for none. */
  readonly files: readonly FileTarget[] | null
  /** Warnings, located as if the body were a file. */
  readonly warnings: readonly Diagnostic[]
}

/** A rendered body. */
export interface SiteBody extends BodyTexts, BodyFacts {
  /** Its inputs. */
  readonly key: string
}

/** The first line of a body's file: its facts, and the size and the hexadecimal digest of each text. */
interface BodyRecord extends BodyFacts {
  readonly sums: readonly (readonly [size: number, digest: string])[]
}

/** Returns the body of an item without content: only its text for searches. */
export function dataBody(text: string): BodyTexts {
  const textOf = (bytes: Uint8Array) => {
    return { size: bytes.length, digest: digestOf(bytes), read: () => bytes }
  }
  const none = textOf(Buffer.from('""'))
  return { html: none, markdown: none, text: textOf(Buffer.from(text)) }
}

/** Options of `Bodies`. */
export interface BodiesOptions {
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
  readonly #markdown: string
  readonly #onProgress: BodiesOptions['onProgress']
  /** Problems of bodies that could not be rendered, located as if the body were a file. */
  readonly #failed = new Map<string, readonly Diagnostic[]>()

  /** @param root absolute path of the content folder */
  constructor(root: string, cache: BuildCache, { markdown, onProgress }: BodiesOptions) {
    this.#root = root
    this.#cache = cache
    this.#markdown = JSON.stringify(Object.entries(markdown).sort())
    this.#onProgress = onProgress
  }

  /**
   * Renders the bodies that the cache does not have.
   *
   * @param threads not called if there is nothing to render
   */
  async render(bodies: readonly MarkdownBody[], threads: () => Promise<RenderPool>): Promise<void> {
    const missing = new Map<string, MarkdownBody>()
    for (const body of bodies)
      if (this.#open(this.#keyOf(body)) === undefined) missing.set(body.bodyHash, body)
    if (missing.size === 0) return
    const pool = await threads()
    const all = [...missing.values()]
    for await (const { key, body, diagnostics } of pool.render(this.#jobs(all))) {
      const written = all[key] as MarkdownBody
      this.rendered += 1
      if (body === undefined) this.#failed.set(written.bodyHash, diagnostics)
      else this.#add(this.#keyOf(written), { ...body, warnings: diagnostics })
      this.#onProgress?.(this.rendered, missing.size)
    }
  }

  /** @returns undefined for a body that was not rendered, or has an error */
  find(body: MarkdownBody): SiteBody | undefined {
    return this.#cache.bodies.get(this.#keyOf(body))
  }

  /** The problems of a body, located in its file. */
  diagnosticsOf(body: MarkdownBody): readonly Diagnostic[] {
    const { file, bodyLine } = body
    const found = this.#failed.get(body.bodyHash) ?? this.find(body)?.warnings ?? []
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
    const { files, excerpt } = plain
    if (files === null) return plain
    const key = hash('sha256', JSON.stringify([plain.key, urls]))
    const known = this.#open(key)
    if (known !== undefined) return known
    const html = replaceInHtml(parseJson(plain.html.read()), files, urls)
    const markdown = replaceInMarkdown(parseJson(plain.markdown.read()), files, urls)
    const text = Buffer.from(plain.text.read()).toString()
    return this.#add(key, { html, markdown, text, files, excerpt, warnings: [] })
  }

  *#jobs(bodies: readonly MarkdownBody[]) {
    for (const [key, body] of bodies.entries()) {
      const { value, diagnostics } = this.#read(body)
      const inBody = diagnostics.map((one) => ({ ...one, line: one.line - body.bodyLine + 1 }))
      if (value === undefined) this.#failed.set(body.bodyHash, inBody)
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

  #keyOf({ bodyHash }: MarkdownBody): string {
    return hash('sha256', `${this.#markdown} ${bodyHash}`)
  }

  /** @returns undefined for a body that is not in the cache, or damaged */
  #open(key: string): SiteBody | undefined {
    const known = this.#cache.bodies.get(key)
    if (known !== undefined && this.#cache.has(key)) return known
    const bytes = this.#cache.get(key)
    return bytes && this.#remember(key, parseJson(bytes.subarray(0, bytes.indexOf(10))))
  }

  #add(key: string, body: BodyFacts & Readonly<Record<keyof BodyTexts, string>>): SiteBody {
    const { files, excerpt, warnings, html, markdown, text } = body
    const texts = [JSON.stringify(html), JSON.stringify(markdown), text].map(utf8)
    const sums = texts.map((each) => [each.length, hex(digestOf(each))] as const)
    const record: BodyRecord = { excerpt, files, warnings, sums }
    this.#cache.set(key, joinBytes([utf8(`${JSON.stringify(record)}\n`), ...texts]))
    return this.#remember(key, record)
  }

  #remember(key: string, { sums, ...facts }: BodyRecord): SiteBody {
    let end = 0
    const [html, markdown, text] = sums.map(([size, digest]): BodyText => {
      const start = end
      end += size
      const read = () => {
        const bytes = this.#cache.get(key)
        if (bytes === undefined) throw new CacheError(`${key} is damaged.`)
        const from = bytes.indexOf(10) + 1 + start
        return bytes.subarray(from, from + size)
      }
      return { size, digest: Buffer.from(digest, 'hex'), read }
    }) as [BodyText, BodyText, BodyText]
    const body = { key, ...facts, html, markdown, text }
    this.#cache.bodies.set(key, body)
    return body
  }
}
