// Collects the URLs of links and images in raw HTML, as targets like those of Markdown.
import type { Element } from 'hast'
import { type Schema, sanitize } from 'hast-util-sanitize'
import type { Image, Link } from 'mdast'
import type { Position } from '../diagnostics.ts'
import type { HtmlSource } from './html-source.ts'
import type { Problem } from './problem.ts'
import { type Candidate, srcsetCandidates, srcsetOf } from './srcset.ts'
import type { Target } from './survey.ts'
import { unsafeUrl } from './urls.ts'

/** The source location of an element's tag. */
export interface UrlSource {
  /** In the offsets of the HTML parser. */
  readonly offset: number
  readonly place: Position
}

/** Collects the URLs of a tree. */
export class AuthoredUrls {
  readonly #schema: Schema
  readonly #source: HtmlSource
  readonly #targets: Target[] = []
  readonly #problems: Problem[] = []
  readonly #writers: (() => void)[] = []

  constructor(schema: Schema, source: HtmlSource) {
    this.#schema = schema
    this.#source = source
  }

  /** Links and images with an allowed URL. */
  get targets(): readonly Target[] {
    return this.#targets
  }

  /** One problem per removed URL. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** Collects the URLs of an element, and removes disallowed ones. */
  take(element: Element, source: UrlSource): void {
    if (element.tagName === 'a') this.#takeOne(element, 'href', source)
    if (element.tagName === 'img') this.#takeOne(element, 'src', source)
    if (element.tagName === 'source') this.#takeSet(element, source)
  }

  /** Writes the URLs of the targets' nodes into their elements. */
  write(): void {
    for (const write of this.#writers) write()
  }

  #takeOne(element: Element, name: 'href' | 'src', source: UrlSource): void {
    const { [name]: value } = element.properties
    if (value === undefined || value === null) return
    // Parsed as in browsers (WHATWG URL, "basic URL parser").
    const text = String(value)
    const url = withoutBlanks(text)
    const target = this.#target(name === 'href' ? 'link' : 'image', url, source)
    if (!this.#isKept(element.tagName, name, url)) {
      this.#problems.push(unsafeUrl(target, this.#schema))
      delete element.properties[name]
      return
    }
    element.properties[name] = url
    const at = text.indexOf(url)
    this.#addTarget(target, this.#source.valueSpan(source.offset, name, { text: url, at }), () => {
      element.properties[name] = target.node.url
    })
  }

  #takeSet(element: Element, source: UrlSource): void {
    const { srcSet } = element.properties
    if (srcSet === undefined || srcSet === null) return
    const candidates = srcsetCandidates(String(srcSet)).flatMap((candidate) =>
      this.#takeCandidate(candidate, source),
    )
    const write = () => {
      const images = candidates.map(({ target, descriptor }) => ({
        url: target.node.url,
        descriptor,
      }))
      element.properties['srcSet'] = srcsetOf(images)
    }
    write()
    this.#writers.push(write)
    if (candidates.length === 0) delete element.properties['srcSet']
  }

  #takeCandidate({ url, start, descriptor }: Candidate, source: UrlSource) {
    const target = this.#target('image', url, source)
    if (!this.#isKept('img', 'src', url)) {
      this.#problems.push(unsafeUrl(target, this.#schema))
      return []
    }
    const part = { text: url, at: start }
    this.#addTarget(target, this.#source.valueSpan(source.offset, 'srcset', part), () => {})
    return [{ target, descriptor }]
  }

  #target(kind: Target['kind'], url: string, { place }: UrlSource): Target {
    const position = { start: place, end: place }
    const node: Link | Image =
      kind === 'link'
        ? { type: 'link', url, position, children: [] }
        : { type: 'image', url, position }
    return { kind, url, node }
  }

  #addTarget(
    target: Target,
    destination: ReturnType<HtmlSource['valueSpan']>,
    write: () => void,
  ): void {
    if (destination !== undefined) target.node.data = { destination }
    this.#targets.push(target)
    this.#writers.push(write)
  }

  #isKept(tagName: string, name: string, url: string): boolean {
    const properties = { [name]: url }
    const clean = sanitize({ type: 'element', tagName, properties, children: [] }, this.#schema)
    return clean.type === 'element' && name in clean.properties
  }
}

/** Removes the characters of a URL that browsers ignore. */
function withoutBlanks(url: string): string {
  return url.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+|(?<![\0- ])[\0- ]+$/g, '')
}
