// Raw HTML in a body: what is kept of it, where it is written, and warnings about the rest.
import { createHash } from 'node:crypto'
import type { Element, Nodes as HtmlNodes, Root as HtmlRoot } from 'hast'
import type { Html, Root } from 'mdast'
import { parseFragment } from 'parse5'
import { find, html as htmlAttributes } from 'property-information'
import { type Position, quote } from '../diagnostics.ts'
import {
  type Candidate,
  isKept,
  type Span,
  srcsetCandidates,
  srcsetOf,
  type Target,
  unsafeUrl,
} from './destinations.ts'
import { stepsOf } from './html.ts'
import { bodyStart, limitProblems, type Problem, placeOf, problemsMax, warning } from './problem.ts'
import { type AuthoredRange, type BrowserTree, browserTree, type Jsx } from './processor.ts'
import { allowedProperties, authoredSchema, schema } from './schema.ts'

/** The HTML tree of a body, not yet sanitised, and what was found in its raw HTML. */
export interface Page {
  readonly tree: HtmlRoot
  /** Links and images in raw HTML. */
  readonly targets: readonly Target[]
  /** Authored ids and names, without the prefix that they have in the tree. */
  readonly ids: ReadonlySet<string>
  /** Warnings about what was removed. */
  readonly problems: readonly Problem[]
}

/**
 * Makes the HTML tree of a body.
 *
 * @param raw the raw HTML to keep; all other raw HTML is left out
 * @param jsx the elements written as JSX, each with its name and properties in `data`
 * @throws RangeError when nesting overflows the stack
 */
export function pageOf(tree: Root, raw: readonly Html[], jsx: readonly Jsx[], body: string): Page {
  const isPlain = raw.length + jsx.length === 0
  const removals: Removals = new Map()
  // No body contains its own hash, nor most of it.
  const border = createHash('sha256').update(body).digest('hex')
  const mark = border.slice(1)
  for (const [at, node] of raw.entries()) {
    node.data = { ...node.data, bordered: `${border}${at}:${closed(node, removals)}${border}` }
  }
  for (const [at, node] of jsx.entries()) {
    const hProperties = { ...node.data?.hProperties, [jsxMark]: `${mark}${at}` }
    node.data = { ...node.data, hProperties }
  }
  const page = browserTree(tree, isPlain ? null : border)
  const judge = new Judge(page, { raw, jsx, mark, body: isPlain ? '' : body, removals })
  for (const { node } of stepsOf<HtmlNodes>(page.tree)) {
    if (node.type !== 'element') continue
    if (!isPlain) judge.clean(node)
    // Attributes without a value, as mdast-util-to-hast makes them; parse5 knows no difference.
    for (const name of ['dataFootnotes', 'dataFootnoteRef']) {
      if (name in node.properties) node.properties[name] = true
    }
  }
  const hint = 'Write it in Markdown, or with the elements and attributes that are kept.'
  const problems = [...removalProblems(removals, hint), ...limitProblems(judge.unsafe)]
  return { tree: page.tree, targets: judge.targets, ids: judge.ids, problems }
}

/** The property with the mark and the index of an element in JSX. */
const jsxMark = 'dataJsx'

/** The text of a node that ends in no tag and no comment, so that nothing after the node becomes part of it. */
function closed(node: Html, removals: Removals): string {
  const { value } = node
  const lastComment = value.lastIndexOf('<!--')
  if (lastComment !== -1 && !value.includes('-->', lastComment + 2)) {
    const message = 'A comment is not closed, and everything after it is left out.'
    remove(removals, message, placeOf(node))
    return `${value}-->`
  }
  if (/^<(?:\?|!(?!--))/.test(value)) {
    remove(removals, 'Markup that begins with "<?" or "<!" is left out.', placeOf(node))
  }
  const end = openTag(value)
  if (end === undefined) return value
  const message = 'A tag is not closed before the blank line, and is left out.'
  remove(removals, message, placeOf(node))
  return value.slice(0, end)
}

/** The index of a tag that does not end. */
function openTag(html: string): number | undefined {
  // regex: every comment is closed here
  const tags = /<!--[\s\S]*?-->|<[a-z/](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*>?/gi
  const open = [...html.matchAll(tags)].find(([tag]) => !tag.endsWith('>'))
  const codes: string[] = []
  if (open !== undefined) parseFragment(html, { onParseError: ({ code }) => codes.push(code) })
  return codes.includes('eof-in-tag') ? open?.index : undefined
}

/** The properties of elements that hold URLs. */
const urlProperties: Readonly<Record<string, 'href' | 'src' | 'srcSet'>> = {
  ...{ a: 'href', img: 'src', source: 'srcSet' },
}

/** The start tag of an authored element, and where it is written: neither for an element that is implied. */
interface Tag {
  readonly place: Position
  readonly range?: AuthoredRange | undefined
  readonly jsx?: Jsx | undefined
}

interface Authored {
  readonly raw: readonly Html[]
  readonly jsx: readonly Jsx[]
  readonly mark: string
  readonly body: string
  readonly removals: Removals
}

/** Removes what authored elements may not have. */
class Judge {
  readonly targets: Target[] = []
  readonly unsafe: Problem[] = []
  readonly ids = new Set<string>()
  readonly #page: BrowserTree
  readonly #authored: Authored
  /** The lines of the body, where each begins, and the lines of each node. */
  readonly #lines: readonly string[]
  readonly #starts: number[] = [0]
  readonly #rows: readonly (readonly string[])[]

  constructor(page: BrowserTree, authored: Authored) {
    this.#page = page
    this.#authored = authored
    this.#lines = authored.body.split('\n')
    for (const { index } of authored.body.matchAll(/\n/g)) this.#starts.push(index + 1)
    this.#rows = authored.raw.map(({ value }) => value.split('\n'))
  }

  clean(element: Element): void {
    const tag = this.#tagOf(element)
    if (tag === undefined) return
    const { removals } = this.#authored
    const { tagName, properties } = element
    const isAllowed = schema.tagNames?.includes(tagName) === true
    if (isAllowed && (tagName !== 'input' || properties['type'] === 'checkbox')) {
      this.#cleanProperties(element, tag)
      return
    }
    const isStripped = schema.strip?.includes(tagName) === true || tagName === 'template'
    const rest = isStripped ? 'with its content' : 'and its content is kept'
    remove(removals, `The element <${shown(tagName)}> is left out, ${rest}.`, tag.place)
    if (isAllowed) element.tagName = 'removed'
  }

  #cleanProperties(element: Element, tag: Tag): void {
    const { properties } = element
    this.#takeUrls(element, tag)
    for (const id of [properties['id'], properties['name']]) {
      if (typeof id === 'string') this.ids.add(id)
    }
    element.properties = allowedProperties(element, authoredSchema)
    for (const [name, value] of Object.entries(properties)) {
      const kept = element.properties[name]
      const isList = Array.isArray(kept) && Array.isArray(value)
      if (isList ? kept.length === value.length : (kept ?? null) !== null) continue
      const { attribute } = find(htmlAttributes, name)
      const message = `The attribute "${shown(attribute)}" is left out.`
      remove(this.#authored.removals, message, tag.place)
    }
  }

  /** @returns undefined for an element of Markdown */
  #tagOf({ position, properties }: Element): Tag | undefined {
    const { mark, jsx } = this.#authored
    const marked = properties[jsxMark]
    if (typeof marked === 'string' && marked.startsWith(mark)) {
      delete properties[jsxMark]
      const node = jsx[Number(marked.slice(mark.length))]
      return { place: placeOf(node ?? {}), jsx: node }
    }
    // Implied, such as the body of an authored table.
    if (position?.start.offset === undefined) return { place: bodyStart }
    const range = lastBefore(this.#page.authored, position.start.offset)
    if (range === undefined || position.start.offset >= range.end) return undefined
    return { place: this.#placeOf(position.start, range), range }
  }

  /** The place in the body of a place in the HTML. */
  #placeOf({ line, column }: Position, range: AuthoredRange): Position {
    const { start, end } = this.#authored.raw[range.node]?.position ?? {}
    const row = line - range.line
    if (start === undefined || end === undefined) return bodyStart
    if (row === 0) return { line: start.line, column: start.column + column - range.column }
    // A quote or a list takes the beginning of the line.
    const at = start.line + row
    const lineEnd = at === end.line ? end.column : (this.#lines[at - 1]?.length ?? 0) + 1
    return { line: at, column: lineEnd - (this.#rows[range.node]?.[row]?.length ?? 0) + column - 1 }
  }

  /** Keeps the safe URLs of an element. */
  #takeUrls(element: Element, tag: Tag): void {
    const { properties } = element
    const name = urlProperties[element.tagName] ?? 'href'
    const value = properties[name]
    if (!(element.tagName in urlProperties) || value === undefined || value === null) return
    const text = String(value)
    // Parsed as in browsers (WHATWG URL, "basic URL parser"), which ignore these characters.
    const trimmed = text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+|(?<![\0- ])[\0- ]+$/g, '')
    const one = { url: trimmed, start: text.indexOf(trimmed), descriptor: '' }
    const spanOf = this.#spans(element, name, tag)
    const kept = (name === 'srcSet' ? srcsetCandidates(text) : [one]).filter((candidate) => {
      const { url } = candidate
      const kind = name === 'href' ? 'link' : 'image'
      const target = { kind, url, href: url, place: tag.place, span: spanOf(candidate) } as const
      const isSafe = isKept(target, authoredSchema)
      if (isSafe) this.targets.push(target)
      else this.unsafe.push(unsafeUrl(target, authoredSchema))
      return isSafe
    })
    if (kept.length === 0) delete properties[name]
    else properties[name] = srcsetOf(kept)
  }

  /** Finds the ranges of URLs in an attribute; undefined where its value is not written as it is. */
  #spans(
    { data }: Element,
    property: string,
    { range, jsx }: Tag,
  ): (candidate: Candidate) => Span | undefined {
    const { body } = this.#authored
    const attribute = jsx?.attributes.find(
      (one) =>
        one.type === 'mdxJsxAttribute' && find(htmlAttributes, one.name).property === property,
    )
    const inHtml = range === undefined ? undefined : data?.position?.properties?.[property]
    const { start, end } = inHtml ?? attribute?.position ?? {}
    const text = range === undefined ? body : this.#page.html
    const written = text.slice(start?.offset, end?.offset)
    const [head] = /^[^=]*=\s*\{?["']?/.exec(written) ?? []
    if (start === undefined || head === undefined || /[&\r\n]/.test(written)) return () => undefined
    const place = range === undefined ? start : this.#placeOf(start, range)
    return ({ url, start: index }) => {
      const column = place.column + head.length + index
      const from = (this.#starts[place.line - 1] ?? 0) + column - 1
      if (!body.startsWith(url, from)) return undefined
      return { start: from, end: from + url.length, line: place.line, column }
    }
  }
}

/** The last range that begins at or before an offset. O(log ranges). */
function lastBefore(ranges: readonly AuthoredRange[], offset: number): AuthoredRange | undefined {
  let [from, to] = [0, ranges.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ranges[middle]?.start ?? 0) > offset) to = middle
    else from = middle + 1
  }
  return ranges[from - 1]
}

/** What is left out, by its message, which is the same for every body, so that reports can group files by it. */
type Removals = Map<string, Position>

function remove(removals: Removals, message: string, place: Position): void {
  if (!removals.has(message)) removals.set(message, place)
}

/** One warning per removal, at its first place; a single one when there are too many to read. */
function removalProblems(removals: Removals, hint: string): readonly Problem[] {
  const all = Array.from(removals, ([text, place]) => warning('raw-html', place, text, hint))
  const [first] = all
  if (first === undefined || all.length <= problemsMax) return all
  const more = `So are ${all.length - 1} others.`
  return [{ ...first, message: `${first.message} ${more}` }]
}

/** Names may have any length. */
function shown(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 40)}…`
}

/** Raw HTML: a block, or a tag within text. */
export interface RawHtml {
  readonly node: Html
  readonly isBlock: boolean
}

/** Warnings where a site leaves out raw HTML. Closed comments lose nothing. */
export function omittedHtmlProblems(html: readonly RawHtml[]): readonly Problem[] {
  const removals: Removals = new Map()
  for (const { node, isBlock } of html) {
    if (isComment(node.value) || (!isBlock && node.value.startsWith('</'))) continue
    const [line = ''] = node.value.trim().split('\n', 1)
    const rest = isBlock ? ', with the text in it' : '; the text around it is kept'
    remove(removals, `The HTML ${quote(line)} is left out${rest}.`, placeOf(node))
  }
  return removalProblems(removals, 'Write it in Markdown, or "&lt;" for a literal "<".')
}

/** True for closed comments, which have no visible effect. */
export function isComment(html: string): boolean {
  let rest = html.trim()
  while (rest.startsWith('<!--')) {
    // `<!-->` and `<!--->` are whole comments (CommonMark 0.31.2 §6.6).
    const end = rest.indexOf('-->', 2)
    if (end === -1) return false
    rest = rest.slice(end + 3).trimStart()
  }
  return rest === ''
}
