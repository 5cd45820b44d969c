// Destinations of links and images that may be files: their ranges in the Markdown, and their replacement by other URLs
// in the HTML and the Markdown of a rendered body.

import type { Definition, Image, Link } from 'mdast'
import type { CompileContext, Token } from 'mdast-util-from-markdown'
import type { Processor } from 'unified'
import { isRelativePath, isRootPath } from '../content/relative-path.ts'
import { lineLengthMax } from '../diagnostics.ts'
import { attributeText, escaped } from './html.ts'
import { isKept, type Span, type Target } from './links.ts'

/** A destination that may be a file next to the post. */
export interface FileTarget extends Span {
  readonly kind: Target['kind']
  /** Without the escapes of Markdown or HTML. */
  readonly url: string
  /** The URL in the HTML. */
  readonly href: string
  /** The source line; absent when it is too long to be shown. */
  readonly lineText?: string
}

/** The destinations of a body that may be files. */
export interface FileTargets {
  readonly targets: readonly FileTarget[]
}

/**
 * Selects the destinations that may be files.
 *
 * @param rootImages true when images with root-relative paths may be files
 * @returns null for none, as in most bodies
 */
export function filesAmong(
  targets: readonly Target[],
  body: string,
  rootImages: boolean,
): FileTargets | null {
  const seen = new Set<string>()
  const files: FileTarget[] = []
  let lines: readonly string[] | undefined
  for (const { kind, url, href, span } of targets) {
    if (span === undefined || !meansFile(kind, url, rootImages)) continue
    const key = `${kind} ${span.start}`
    if (seen.has(key)) continue
    seen.add(key)
    lines ??= body.split(/\r\n|\n|\r/)
    const lineText = lines[span.line - 1] ?? ''
    const shown = lineText.length > lineLengthMax ? {} : { lineText }
    files.push({ kind, url, href, ...span, ...shown })
  }
  return files.length === 0 ? null : { targets: files }
}

/** True for relative paths: of any image, and of links to Markdown, an image or a download. */
function meansFile(kind: Target['kind'], url: string, rootImages: boolean): boolean {
  const path = url.replace(/[?#].*$/su, '')
  if (rootImages && isRootPath(url)) return imageName.test(path)
  if (!isRelativePath(url) || !isKept({ kind, url })) return false
  return kind === 'image' || fileName.test(path) || download.test(path)
}

const imageName = /\.(?:png|jpe?g|gif|webp|avif)$/iu
/** Files to download. A link to any other file leads to a page of the site, such as `feed.xml`. */
const download =
  /\.(?:pdf|epub|docx?|xlsx?|pptx?|od[tsp]|rtf|csv|tsv|zip|7z|rar|gz|tgz|tar|dmg|exe|msi|iso|apk|mp[34]|m4[av]|mov|webm|og[gav]|opus|wav|flac|avi|mkv|bmp|tiff?|heic|psd)$/i
const fileName = /\.(?:md|markdown|mdx|png|jpe?g|gif|webp|avif|svg)$/iu

/** Replaces destinations in HTML. @param urls one per target; null keeps the written destination */
export function placeInHtml(
  html: string,
  { targets }: FileTargets,
  urls: readonly (string | null)[],
): string {
  const places = new Map<string, string>()
  for (const [index, { kind, href }] of targets.entries()) {
    const url = urls[index] ?? null
    if (url !== null) places.set(`${kind} ${href}`, url)
  }
  if (places.size === 0) return html
  const placed = (kind: Target['kind'], href: string) => places.get(`${kind} ${href}`) ?? href
  const replaced = (_: string, name: string, value: string): string => {
    const text = attributeText(value)
    const url =
      name === 'srcset'
        ? srcsetOf(srcsetCandidates(text).map((one) => ({ ...one, url: placed('image', one.url) })))
        : placed(name === 'href' ? 'link' : 'image', text)
    return ` ${name}="${escaped(url, /[&"<>]/g)}"`
  }
  return html.replace(/<(?:a|img|source) [^<>]*>/g, (tag) =>
    tag.replace(/ (href|src|srcset)="([^"]*)"/g, replaced),
  )
}

/** Replaces destinations in Markdown and changes nothing else. @param urls null keeps the written destination */
export function placeInMarkdown(
  markdown: string,
  { targets }: FileTargets,
  urls: readonly (string | null)[],
): string {
  const edits = targets
    .flatMap(({ start, end }, index) => {
      const url = urls[index] ?? null
      return url === null ? [] : [{ start, end, url }]
    })
    .sort((a, b) => a.start - b.start)
  let from = 0
  let text = ''
  for (const { start, end, url } of edits) {
    // A definition may be that of a link and of an image.
    if (start < from) continue
    text += markdown.slice(from, start) + url
    from = end
  }
  return text + markdown.slice(from)
}

declare module 'unist' {
  interface Data {
    /** The range of the destination of a link, an image or a definition. */
    destination?: Span
  }
}

/** A plugin of the parser that records the ranges of destinations in their nodes. */
export function recordDestinations(this: Processor): void {
  const enter = { resourceDestinationString: record, definitionDestinationString: record }
  const data = this.data()
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { enter }]
}

function record(this: CompileContext, { start, end }: Token): void {
  const node = this.stack.at(-1) as Link | Image | Definition
  const { line, column } = start
  node.data = { ...node.data, destination: { start: start.offset, end: end.offset, line, column } }
  // As in the compiler.
  this.buffer()
}

/** An image of a `srcset`. */
export interface Candidate {
  readonly url: string
  /** Index of the URL in the attribute's value. */
  readonly start: number
  /** `2x`, `640w`, or empty. */
  readonly descriptor: string
}

/** Cost: O(length). */
export function srcsetCandidates(srcset: string): readonly Candidate[] {
  const candidates: Candidate[] = []
  const pattern = /[\s,]*([^\s,]\S*)/y
  for (let match = pattern.exec(srcset); match !== null; match = pattern.exec(srcset)) {
    const [whole, text = ''] = match
    const start = match.index + whole.length - text.length
    const url = text.replace(/(?<!,),+$/, '')
    // A comma at the end of the URL ends the candidate; otherwise a descriptor follows.
    const end = srcset.indexOf(',', pattern.lastIndex)
    const descriptorEnd = url === text ? (end === -1 ? srcset.length : end) : pattern.lastIndex
    const descriptor = srcset.slice(pattern.lastIndex, descriptorEnd).trim()
    pattern.lastIndex = descriptorEnd
    if (url !== '') candidates.push({ url, start, descriptor })
  }
  return candidates
}

/** Formats a `srcset`. */
export function srcsetOf(candidates: readonly Pick<Candidate, 'url' | 'descriptor'>[]): string {
  return candidates.map(({ url, descriptor }) => `${url} ${descriptor}`.trimEnd()).join(', ')
}
