// Destinations in Markdown that are meant for files: found with the place of their every character, and marked in
// the tree, so that a finished body can be given other ones.
import { createHash } from 'node:crypto'
import { isRelativePath, isRootPath } from '../content/relative-path.ts'
import type { FileTarget, FileTargets } from './file-targets.ts'
import type { Target } from './survey.ts'
import { isKept } from './urls.ts'

/** Finds the destinations of one body that may mean files, and puts marks in their place. */
export class FileMarker {
  readonly #body: string
  readonly #rootImages: boolean
  /** Lines of the body, made when the first destination is found: most bodies have none. */
  #lines: readonly string[] | undefined
  readonly #mark: () => string
  readonly #marked: FileTarget[] = []

  /** @param rootImages images named by paths from the root of a site may be files */
  constructor(body: string, rootImages: boolean) {
    this.#body = body
    this.#rootImages = rootImages
    let mark: string | undefined
    // No text holds its own hash.
    this.#mark = () => (mark ??= `/file-${fingerprint(body)}/`)
  }

  /** Destinations that were marked; null for none. */
  get files(): FileTargets | null {
    return this.#marked.length === 0 ? null : { mark: this.#mark(), targets: this.#marked }
  }

  /** Puts marks in the place of `url` in the nodes of targets that may mean files. */
  mark(targets: readonly Target[]): void {
    const seen = new Set<Target['node']>()
    for (const target of targets) {
      if (seen.has(target.node) || !meansFile(target, this.#rootImages)) continue
      seen.add(target.node)
      this.#replace(target)
    }
  }

  #replace({ kind, url, node }: Target): void {
    const span = node.data?.destination
    if (span === undefined) return
    node.url = `${this.#mark()}${this.#marked.length}/`
    this.#lines ??= this.#body.split(/\r\n|\n|\r/)
    const lineText = this.#lines[span.line - 1] ?? ''
    // The parser takes a byte order mark for none of the text.
    const shift = this.#body.startsWith('\uFEFF') ? 1 : 0
    this.#marked.push({
      kind,
      url,
      href: hrefOf(url),
      ...{ start: span.start + shift, end: span.end + shift, line: span.line, column: span.column },
      ...(lineText.length > shownLineMax ? {} : { lineText }),
    })
  }
}

/** A name that the body cannot hold: 32 hexadecimal digits of its own hash. */
export function fingerprint(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32)
}

const shownLineMax = 500

/** A relative path: of an image always, of a link when it leads to Markdown or to an image. */
function meansFile(target: Target, rootImages: boolean): boolean {
  const { kind, url } = target
  const path = url.replace(/[?#].*$/su, '')
  if (rootImages && isRootPath(url)) return imageName.test(path)
  if (!isRelativePath(url) || !isKept(target)) return false
  return kind === 'image' || fileName.test(path)
}

const imageName = /\.(?:png|jpe?g|gif|webp|avif)$/iu
const fileName = /\.(?:md|markdown|mdx|png|jpe?g|gif|webp|avif|svg)$/iu

/** As mdast-util-to-hast writes it: what is no character of a URL is percent-encoded, `%20` stays. */
function hrefOf(url: string): string {
  return url.replace(/%[0-9a-z]{2}|[^!#$&-;=?-Z_a-z~]/giu, (text) => {
    if (text.length === 3 && text.startsWith('%')) return text
    return encodeURIComponent(/^[\uD800-\uDFFF]$/u.test(text) ? '\uFFFD' : text)
  })
}
