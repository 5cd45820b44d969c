// Finds destinations in Markdown that refer to files, with their exact source ranges. Marks them in the tree, so that
// a rendered body can be given other URLs.
import { createHash } from 'node:crypto'
import { isRelativePath, isRootPath } from '../content/relative-path.ts'
import type { FileTarget, FileTargets } from './file-targets.ts'
import type { Target } from './survey.ts'
import { isKept } from './urls.ts'

/** Finds the file destinations of a body and replaces them with marks. */
export class FileMarker {
  readonly #body: string
  readonly #rootImages: boolean
  /** Lines of the body, split at the first destination: most bodies have none. */
  #lines: readonly string[] | undefined
  readonly #mark: () => string
  readonly #marked: FileTarget[] = []

  /** @param rootImages true when images with root-relative paths may be files */
  constructor(body: string, rootImages: boolean) {
    this.#body = body
    this.#rootImages = rootImages
    let mark: string | undefined
    // No text contains its own hash.
    this.#mark = () => (mark ??= `/file-${fingerprint(body)}/`)
  }

  /** The marked destinations; null for none. */
  get files(): FileTargets | null {
    return this.#marked.length === 0 ? null : { mark: this.#mark(), targets: this.#marked }
  }

  /** Replaces `url` in the nodes of targets that may refer to files. */
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
    // The parser drops a byte order mark.
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

/** A string that the body cannot contain: 32 hexadecimal digits of its own hash. */
export function fingerprint(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32)
}

const shownLineMax = 500

/** True for relative paths: of any image, and of links to Markdown, an image or a download. */
function meansFile(target: Target, rootImages: boolean): boolean {
  const { kind, url } = target
  const path = url.replace(/[?#].*$/su, '')
  if (rootImages && isRootPath(url)) return imageName.test(path)
  if (!isRelativePath(url) || !isKept(target)) return false
  return kind === 'image' || fileName.test(path) || download.test(path)
}

const imageName = /\.(?:png|jpe?g|gif|webp|avif)$/iu
/** Files to download. A link to any other file leads to a page of the site, such as `feed.xml`. */
const download =
  /\.(?:pdf|epub|docx?|xlsx?|pptx?|od[tsp]|rtf|csv|tsv|zip|7z|rar|gz|tgz|tar|dmg|exe|msi|iso|apk|mp[34]|m4[av]|mov|webm|og[gav]|opus|wav|flac|avi|mkv|bmp|tiff?|heic|psd)$/i
const fileName = /\.(?:md|markdown|mdx|png|jpe?g|gif|webp|avif|svg)$/iu

/** Encodes as mdast-util-to-hast does: characters that are invalid in a URL are percent-encoded, `%20` stays. */
function hrefOf(url: string): string {
  return url.replace(/%[0-9a-z]{2}|[^!#$&-;=?-Z_a-z~]/giu, (text) => {
    if (text.length === 3 && text.startsWith('%')) return text
    return encodeURIComponent(/^[\uD800-\uDFFF]$/u.test(text) ? '\uFFFD' : text)
  })
}
