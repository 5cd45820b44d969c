// Raw HTML in a body: what is kept of it, where it is written, and warnings about the rest.
import { createHash } from 'node:crypto'
import type { Element, Root as HtmlRoot, Properties } from 'hast'
import type { Root } from 'mdast'
import { parseFragment } from 'parse5'
import { find, html as htmlAttributes } from 'property-information'
import { type Position, quote } from '../diagnostics.ts'
import { srcsetCandidates, srcsetOf } from './destinations.ts'
import { elementsWithDepth } from './html.ts'
import { idPrefix, isKept, type Target, unsafeUrl } from './links.ts'
import { bodyStart, limitProblems, type Problem, placeOf, problemsMax } from './problem.ts'
import { type AuthoredRange, browserTree, type RawNode } from './processor.ts'
import { allowedProperties, authoredSchema, schema } from './schema.ts'
import type { RawHtml } from './survey.ts'

/** The HTML tree of a body, not yet sanitised, and what was found in its raw HTML. */
export interface Page {
  readonly tree: HtmlRoot
  /** Links and images in raw HTML. */
  readonly targets: readonly Target[]
  /** Authored ids and names, without the prefix that they have in the tree. */
  readonly ids: ReadonlySet<string>
  /** Warnings about removed elements; an error when nesting is too deep. */
  readonly problems: readonly Problem[]
}

/** Maximum nesting of elements; browsers flatten elements nested more than 512 deep. */
const elementDepthMax = 250

/**
 * Makes the HTML tree of a body.
 *
 * @param nodes the raw HTML to keep; all other raw HTML is left out
 * @throws RangeError when nesting overflows the stack
 */
export function pageOf(tree: Root, nodes: readonly RawNode[], body: string): Page {
  const removals = new Removals()
  // No body contains its own hash.
  const border = nodes.length === 0 ? null : createHash('sha256').update(body).digest('hex')
  for (const [at, node] of nodes.entries()) {
    const value = closed(node, removals)
    node.data = { ...node.data, bordered: `${border}${at}:${value}${border}` }
  }
  const { tree: page, authored } = browserTree(tree, border)
  // Most bodies have no raw HTML, and no place in them is asked for.
  const judge = new Judge(nodes, authored, nodes.length === 0 ? '' : body, removals)
  for (const { element, depth } of elementsWithDepth(page)) {
    judge.judge(element, depth)
    // Attributes without a value, as mdast-util-to-hast makes them; parse5 knows no difference.
    for (const name of ['dataFootnotes', 'dataFootnoteRef']) {
      if (name in element.properties) element.properties[name] = true
    }
  }
  return { tree: page, ...judge.result() }
}

/** The text of a node that ends in no tag and no comment, so that nothing after the node becomes part of it. */
function closed(node: RawNode, removals: Removals): string {
  if (node.type !== 'html') return node.data?.startTag ?? ''
  const { value } = node
  const lastComment = value.lastIndexOf('<!--')
  const isOpen = lastComment !== -1 && !value.includes('-->', lastComment + 2)
  const what = isOpen ? 'comment' : markupKinds.find(([pattern]) => pattern.test(value))?.[1]
  if (what !== undefined) removals.addMarkup(what, placeOf(node))
  if (isOpen) return `${value}-->`
  const end = openTag(value)
  if (end !== -1) removals.addMarkup('tag', placeOf(node))
  return end === -1 ? value : value.slice(0, end)
}

/** The index of a tag that does not end; -1 for none. */
function openTag(html: string): number {
  const open = [...html.matchAll(tags)].find(([tag]) => !tag.endsWith('>'))
  if (open === undefined) return -1
  let isOpen = false
  const onParseError = ({ code }: { readonly code: string }): void => {
    isOpen ||= code === 'eof-in-tag'
  }
  parseFragment(html, { onParseError })
  return isOpen ? open.index : -1
}

/** Comments, and tags with their end if they have one. */
// regex: every comment is closed here
const tags = /<!--[\s\S]*?-->|<[a-z/](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*>?/gi

/** Markup at the beginning of a fragment that produces no element. */
const markupKinds = [
  [/^<\?/, 'instruction'],
  [/^<!\[CDATA\[/, 'section'],
  [/^<![a-z]/i, 'declaration'],
] as const

/** Attributes that name an element or refer to one by name. */
const idAttributes = ['id', 'name', 'ariaDescribedBy', 'ariaLabelledBy', 'headers', 'htmlFor']

/** Removes what authored elements may not have. */
class Judge {
  readonly #nodes: readonly RawNode[]
  readonly #authored: readonly AuthoredRange[]
  readonly #removals: Removals
  readonly #body: string
  /** Where each line begins. */
  readonly #lines: readonly number[]
  /** In lower case, for the names of tags. */
  readonly #lower: string
  /** Where the next tag of a node may begin. */
  readonly #next = new Map<RawNode, number>()
  readonly #targets: Target[] = []
  readonly #unsafe: Problem[] = []
  readonly #ids = new Set<string>()
  #tooDeep: Position | undefined

  constructor(
    nodes: readonly RawNode[],
    authored: readonly AuthoredRange[],
    body: string,
    removals: Removals,
  ) {
    this.#nodes = nodes
    this.#authored = authored
    this.#body = body
    this.#lines = [0, ...Array.from(body.matchAll(/\n/g), ({ index }) => index + 1)]
    this.#lower = body.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    this.#removals = removals
  }

  judge(element: Element, depth: number): void {
    const tag = this.#tagOf(element)
    if (depth > elementDepthMax) this.#tooDeep ??= tag?.place ?? bodyStart
    else if (tag !== undefined) this.#clean(element, tag)
  }

  result(): Omit<Page, 'tree'> {
    const problems = [...this.#removals.problems(), ...limitProblems(this.#unsafe)]
    return {
      targets: this.#targets,
      ids: this.#ids,
      problems: this.#tooDeep === undefined ? problems : [tooDeep(this.#tooDeep)],
    }
  }

  /** @returns undefined for an element of Markdown */
  #tagOf({ position, tagName }: Element): Tag | undefined {
    if (this.#nodes.length === 0) return undefined
    const offset = position?.start.offset
    // Implied, such as the body of an authored table.
    if (offset === undefined) return { place: bodyStart, start: null }
    const range = this.#authored[firstAbove(this.#authored, ({ start }) => start > offset) - 1]
    if (range === undefined || offset >= range.end) return undefined
    const start = this.#startOf(this.#nodes[range.node] as RawNode, tagName.toLowerCase())
    return { place: this.#placeAt(start), start }
  }

  /** The offset of a tag in the body; of its node, where the tag is written in another way. */
  #startOf(node: RawNode, tagName: string): number {
    const { start, end } = node.position ?? {}
    let at = this.#next.get(node) ?? start?.offset ?? 0
    do at = this.#lower.indexOf(`<${tagName}`, at) + 1
    while (at > 0 && /[\w:-]/.test(this.#lower[at + tagName.length] ?? ''))
    if (at === 0 || at > (end?.offset ?? 0)) return start?.offset ?? 0
    this.#next.set(node, at)
    return at - 1
  }

  #placeAt(offset: number): Position {
    const line = firstAbove(this.#lines, (start) => start > offset)
    return { line, column: offset - (this.#lines[line - 1] ?? 0) + 1 }
  }

  #clean(element: Element, tag: Tag): void {
    const { tagName, properties } = element
    const isAllowed = schema.tagNames?.includes(tagName) === true
    if (!isAllowed || (tagName === 'input' && properties['type'] !== 'checkbox')) {
      const isStripped = schema.strip?.includes(tagName) === true || tagName === 'template'
      this.#removals.addElement(tagName, isStripped, tag.place)
      if (isAllowed) element.tagName = 'removed'
      return
    }
    if (tagName === 'a') this.#takeUrl(element, 'href', tag)
    if (tagName === 'img') this.#takeUrl(element, 'src', tag)
    if (tagName === 'source') this.#takeSet(element, tag)
    const kept = allowedProperties(element, authoredSchema)
    for (const name of Object.keys(properties)) {
      if (isLess(kept[name], properties[name])) this.#removals.addAttribute(name, tag.place)
    }
    element.properties = kept
    this.#prefixIds(kept)
  }

  #prefixIds(properties: Properties): void {
    for (const name of idAttributes) {
      const value = properties[name]
      if (value === undefined || value === null) continue
      if (name === 'id' || name === 'name') this.#ids.add(String(value))
      properties[name] = Array.isArray(value)
        ? value.map((id) => `${idPrefix}${id}`)
        : `${idPrefix}${value}`
    }
  }

  #takeUrl({ properties }: Element, name: 'href' | 'src', tag: Tag): void {
    if (properties[name] === undefined || properties[name] === null) return
    // Parsed as in browsers (WHATWG URL, "basic URL parser").
    const text = String(properties[name])
    const url = withoutBlanks(text)
    const isTaken = this.#take(
      name === 'href' ? 'link' : 'image',
      url,
      tag,
      name,
      text.indexOf(url),
    )
    if (isTaken) properties[name] = url
    else delete properties[name]
  }

  #takeSet({ properties }: Element, tag: Tag): void {
    if (properties['srcSet'] === undefined || properties['srcSet'] === null) return
    const candidates = srcsetCandidates(String(properties['srcSet'])).filter(({ url, start }) =>
      this.#take('image', url, tag, 'srcset', start),
    )
    if (candidates.length === 0) delete properties['srcSet']
    else properties['srcSet'] = srcsetOf(candidates)
  }

  /** @param at index of the URL in the attribute @returns false for a URL that is removed, which is reported */
  #take(kind: Target['kind'], url: string, tag: Tag, attribute: string, at: number): boolean {
    const { start, place } = tag
    const value = start === null ? undefined : attributeIn(this.#body, start, attribute)
    const from = (value?.index ?? 0) + at
    const isPlain = value?.text.startsWith(url, at) === true
    const span = isPlain
      ? { start: from, end: from + url.length, ...this.#placeAt(from) }
      : undefined
    const target = { kind, url, href: url, node: {}, place, span }
    const isSafe = isKept(target, authoredSchema)
    if (isSafe) this.#targets.push(target)
    else this.#unsafe.push(unsafeUrl(target, authoredSchema))
    return isSafe
  }
}

/** The start tag of an authored element. */
interface Tag {
  readonly place: Position
  /** Offset in the body; null for an implied element. */
  readonly start: number | null
}

/** Index of the first item for which the predicate holds; it must hold for all items after it. O(log items). */
function firstAbove<T>(items: readonly T[], isAbove: (item: T) => boolean): number {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isAbove(items[middle] as T)) to = middle
    else from = middle + 1
  }
  return from
}

/**
 * The first attribute of a name: its text as written, and the index of that.
 *
 * @returns undefined for a value with character references, or one that spans lines
 */
function attributeIn(
  text: string,
  start: number,
  name: string,
): { readonly text: string; readonly index: number } | undefined {
  const tag = /<[a-z][^\s/>]*/iy
  tag.lastIndex = start
  if (!tag.test(text)) return undefined
  const attribute =
    /[\s/]*([^\s/>=][^\s/>=]*)(\s*=\s*(?:\{?(?:"([^"]*)"|'([^']*)')\}?|([^\s>"'][^\s>]*)))?/y
  attribute.lastIndex = tag.lastIndex
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    if (match[1]?.toLowerCase() !== name) continue
    const value = match[3] ?? match[4] ?? match[5]
    if (value === undefined || /[&\r\n]/.test(value)) return undefined
    return { text: value, index: match.index + match[0].lastIndexOf(value) }
  }
  return undefined
}

/** Removes the characters of a URL that browsers ignore. */
function withoutBlanks(url: string): string {
  return url.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+|(?<![\0- ])[\0- ]+$/g, '')
}

/** True when a value, or a part of a list, was removed. */
function isLess(kept: Properties[string], given: Properties[string]): boolean {
  if (kept === undefined || kept === null) return true
  return Array.isArray(kept) && Array.isArray(given) && kept.length < given.length
}

function tooDeep({ line, column }: Position): Problem {
  return {
    line,
    column,
    code: 'too-deep',
    severity: 'error',
    message: `The HTML is nested more than ${elementDepthMax} elements deep.`,
    hint: 'Look for elements that are not closed.',
  }
}

/** Removals in raw HTML: one warning per element and attribute, at its first position. */
class Removals {
  /** Positions by message, in order of occurrence. */
  readonly #places = new Map<string, Position>()

  /** @param isStripped true when its content was removed too */
  addElement(tagName: string, isStripped: boolean, place: Position): void {
    const rest = isStripped ? 'with its content' : 'and its content is kept'
    this.#add(`The element <${shown(tagName)}> is left out, ${rest}.`, place)
  }

  /** @param property as named in the tree */
  addAttribute(property: string, place: Position): void {
    const { attribute } = find(htmlAttributes, property)
    this.#add(`The attribute "${shown(attribute)}" is left out.`, place)
  }

  addMarkup(kind: keyof typeof markup, place: Position): void {
    this.#add(markup[kind], place)
  }

  /** A single warning when there are too many kinds to read. */
  problems(): readonly Problem[] {
    const all = [...this.#places]
    const [first] = all
    if (first === undefined || all.length <= problemsMax) return all.map(removal)
    const more = `So are ${all.length - 1} other elements and attributes.`
    return [removal([`${first[0]} ${more}`, first[1]])]
  }

  #add(message: string, { line, column }: Position): void {
    if (!this.#places.has(message)) this.#places.set(message, { line, column })
  }
}

const markup = {
  comment: 'A comment is not closed, and everything after it is left out.',
  instruction: 'The instruction between "<?" and "?>" is left out.',
  section: 'The text between "<![CDATA[" and "]]>" is left out.',
  declaration: 'The declaration that begins with "<!" is left out.',
  tag: 'A tag is not closed before the blank line, and is left out.',
} as const

/** Names may have any length. */
function shown(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 40)}…`
}

/** The same wording for every body, so that reports can group files by removal. */
function removal([message, { line, column }]: readonly [string, Position]): Problem {
  const hint = 'Write it in Markdown, or with the elements and attributes that are kept.'
  return { line, column, code: 'raw-html', severity: 'warning', message, hint }
}

/**
 * Warnings where a site leaves out raw HTML: one per block, and one for all inline tags, at the first. Closed comments
 * lose nothing.
 */
export function omittedHtmlProblems(html: readonly RawHtml[]): readonly Problem[] {
  const visible = html.filter(({ node }) => !isComment(node.value))
  const tags = visible.filter(({ isBlock }) => !isBlock).map(({ node }) => node)
  const blocks = visible
    .filter(({ isBlock }) => isBlock)
    .map(({ node }): Problem => {
      const [line = ''] = node.value.split('\n', 1)
      return {
        ...placeOf(node),
        code: 'raw-html',
        severity: 'warning',
        message: `The HTML block ${quote(line.trim())} is left out, with the text in it.`,
        hint: 'Write it in Markdown; a block of HTML ends at the next blank line.',
      }
    })
  const [first] = tags
  if (first === undefined) return limitProblems(blocks)
  const tag = quote(first.value)
  const what =
    tags.length === 1 ? `The HTML tag ${tag} is` : `${tags.length} HTML tags, the first ${tag}, are`
  return [
    ...limitProblems(blocks),
    {
      ...placeOf(first),
      code: 'raw-html',
      severity: 'warning',
      message: `${what} left out; the text around it is kept.`,
      hint: 'Use Markdown, or write "&lt;" for a literal "<".',
    },
  ]
}

/** True for closed comments, which have no visible effect. */
export function isComment(html: string): boolean {
  // `<!-->` and `<!--->` are whole comments (CommonMark 0.31.2 §6.6).
  return isComments(html, '<!--', '-->')
}

/** True when a text consists of closed comments and white space. A comment closes from its third character on. */
export function isComments(text: string, open: string, close: string): boolean {
  let rest = text.trim()
  while (rest.startsWith(open)) {
    const end = rest.indexOf(close, 2)
    if (end === -1) return false
    rest = rest.slice(end + close.length).trimStart()
  }
  return rest === ''
}
