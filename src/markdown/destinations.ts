// Destinations of links and images that may be files: their ranges in the Markdown, and their replacement by other URLs
// in the HTML and the Markdown of a rendered body.
import type { Schema } from 'hast-util-sanitize'
import type { Definition, Image, Link } from 'mdast'
import type { CompileContext, Token } from 'mdast-util-from-markdown'
import type { Processor } from 'unified'
import { type Finding, isRelativePath, isRootPath } from '../content/source.ts'
import { quote } from '../diagnostics.ts'
import { attributeText, attributeValue, escaped, tagsOf } from './html.ts'
import { warning } from './problem.ts'
import { allowedProperties, schema } from './schema.ts'

/** A destination that may be a file next to the post. */
export interface FileTarget extends Span, Pick<Target, 'kind' | 'url' | 'href'> {}

/**
 * Selects the destinations that may be files.
 *
 * @param rootImages true if images with root-relative paths may be files
 * @returns null for none, as in most bodies
 */
export function findFiles(
  targets: readonly Target[],
  rootImages: boolean,
): readonly FileTarget[] | null {
  const files = targets.flatMap(({ kind, url, href, span }) =>
    span !== undefined && mayBeFile(kind, url, rootImages)
      ? [[`${kind} ${span.start}`, { kind, url, href, ...span }] as const]
      : [],
  )
  return files.length === 0 ? null : [...new Map(files).values()]
}

/** Reports whether a URL is a relative path of an image, or of a link to Markdown, an image or a download. */
function mayBeFile(kind: Target['kind'], url: string, rootImages: boolean): boolean {
  const path = url.replace(/[?#].*$/su, '')
  if (rootImages && isRootPath(url)) return imageName.test(path)
  if (!isRelativePath(url) || !isAllowedUrl({ kind, url })) return false
  return kind === 'image' || fileName.test(path) || download.test(path)
}

const imageName = /\.(?:png|jpe?g|gif|webp|avif)$/iu
/** Extensions of downloads. A link to a file with another extension leads to a page of the site, such as `feed.xml`. */
const download =
  /\.(?:pdf|epub|docx?|xlsx?|pptx?|od[tsp]|rtf|csv|tsv|zip|7z|rar|gz|tgz|tar|dmg|exe|msi|iso|apk|mp[34]|m4[av]|mov|webm|og[gav]|opus|wav|flac|avi|mkv|bmp|tiff?|heic|psd)$/i
const fileName = /\.(?:md|markdown|mdx|png|jpe?g|gif|webp|avif|svg)$/iu

/** Replaces destinations in HTML. @param urls a URL per target; null keeps the written destination */
export function replaceInHtml(
  html: string,
  targets: readonly FileTarget[],
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
export function replaceInMarkdown(
  markdown: string,
  targets: readonly FileTarget[],
  urls: readonly (string | null)[],
): string {
  const edits = targets.flatMap(({ start, end }, index) => {
    const url = urls[index] ?? null
    return url === null ? [] : [[start, { end, url }] as const]
  })
  // A link and an image may share a definition. The first URL is used.
  const places = [...new Map(edits.toReversed())].sort(([a], [b]) => b - a)
  let text = markdown
  for (const [start, { end, url }] of places) text = text.slice(0, start) + url + text.slice(end)
  return text
}

/** A plugin of the parser that records the ranges of destinations in their nodes. */
export function recordDestinations(this: Processor): void {
  const enter = { resourceDestinationString: record, definitionDestinationString: record }
  const data = this.data()
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { enter }]
}

function record(this: CompileContext, { start, end }: Token): void {
  const node = this.stack.at(-1) as Link | Image | Definition
  node.data = { ...node.data, destination: { start: start.offset, end: end.offset } }
  // The compiler does this, too.
  this.buffer()
}

/** An image in a `srcset`. */
export interface Candidate {
  readonly url: string
  /** Index of the URL in the attribute's value. */
  readonly start: number
  /** Descriptor: `2x`, `640w`, or empty. */
  readonly descriptor: string
}

/** Parses a `srcset`. A URL ends at white space, and has no descriptor if it ends in a comma. Cost: O(length). */
export function srcsetCandidates(srcset: string): readonly Candidate[] {
  const found = srcset.matchAll(/([^\s,](?:\S*[^\s,])?)(?:,|([^,]*))/g)
  return Array.from(found, ({ 1: url = '', 2: descriptor = '', index: start }) => {
    return { url, start, descriptor: descriptor.trim() }
  })
}

/** Formats a `srcset`. */
export function srcsetOf(candidates: readonly Pick<Candidate, 'url' | 'descriptor'>[]): string {
  return candidates.map(({ url, descriptor }) => `${url} ${descriptor}`.trimEnd()).join(', ')
}

/** The range of a destination in a body, in UTF-16 code units, without the surrounding `<` and `>`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A link or an image. */
export interface Target {
  readonly kind: 'link' | 'image'
  /** The URL, without the escapes of Markdown or HTML. */
  readonly url: string
  /** The URL in the HTML. */
  readonly href: string
  /** Offset of the link, or of its definition. */
  readonly offset: number
  /** The range of the URL in the body; absent if it is not written in one piece. */
  readonly span?: Span | undefined
}

/** Returns one warning per written URL that the sanitiser removes. A definition counts once. */
export function urlProblems(targets: readonly Target[]): readonly Finding[] {
  const unsafe = new Map<string, Finding>()
  for (const target of targets) {
    const key = `${target.kind} ${target.offset}`
    if (!unsafe.has(key) && !isAllowedUrl(target)) unsafe.set(key, unsafeUrl(target))
  }
  return [...unsafe.values()]
}

/** Reports whether the sanitiser keeps a URL, because it is relative, or its scheme is in the schema. */
export function isAllowedUrl(
  { kind, url }: Pick<Target, 'kind' | 'url'>,
  rules: Schema = schema,
): boolean {
  if (!url.includes(':') || /^https?:/.test(url)) return true
  const { tagName, property } = attributes[kind]
  return property in allowedProperties({ tagName, properties: { [property]: url } }, rules)
}

const attributes = {
  link: { tagName: 'a', property: 'href' },
  image: { tagName: 'img', property: 'src' },
} as const

/** Returns the problem of a removed URL. @param rules the schema that rejected it */
export function unsafeUrl({ kind, url, offset }: Target, rules: Schema = schema): Finding {
  const schemes = rules.protocols?.[attributes[kind].property] ?? []
  const message = `The target ${quote(url)} of this ${kind} is left out.`
  const hint = `Use a path, or one of these schemes in lower case: ${schemes.join(', ')}.`
  return warning('unsafe-url', offset, message, hint)
}

/**
 * Returns one warning per link `#x` if no element of the HTML has the id `x`.
 *
 * @param authoredIds ids in raw HTML, as written
 */
export function anchorProblems(
  targets: readonly Target[],
  html: string,
  authoredIds: ReadonlySet<string>,
): readonly Finding[] {
  // `#` and `#top` lead to the top of any document (HTML, "indicated part of the document").
  const anchors = targets.filter(({ kind, url }) => kind === 'link' && /^#(?!$|top$)/i.test(url))
  if (anchors.length === 0) return []
  const ids = collectIds(html)
  const broken = anchors.filter(({ url }) => {
    const name = decode(url.slice(1))
    return !ids.has(name) && !authoredIds.has(name)
  })
  const hint =
    'Link to the id of a heading, which is derived from its text, or write one: "# Title {#id}".'
  return broken.map(({ url, offset }) => {
    const message = `The link ${quote(url)} leads nowhere: nothing in this document has that id.`
    return warning('broken-anchor', offset, message, hint)
  })
}

/** Returns the decoded ids in HTML. @param html served HTML */
export function collectIds(html: string): ReadonlySet<string> {
  const ids = Array.from(tagsOf(html), ([tag]) => attributeValue(tag, 'id'))
  return new Set(ids.filter((id) => id !== null).map(decode))
}

/** Decodes an id. Ids of footnotes are percent-encoded; links to them may be. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
