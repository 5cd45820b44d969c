// Raw HTML in a body: the parts that are kept, their positions, and warnings about removed parts.
import type { Element, Root as HtmlRoot } from 'hast'
import type { Html, Root } from 'mdast'
import { parseFragment } from 'parse5'
import { find, html as htmlAttributes } from 'property-information'
import { visitParents } from 'unist-util-visit-parents'
import type { Finding } from '../content/source.ts'
import { quote } from '../diagnostics.ts'
import {
  type Candidate,
  isAllowedUrl,
  type Span,
  srcsetCandidates,
  srcsetOf,
  type Target,
  unsafeUrl,
} from './destinations.ts'
import { rangeOf, warning } from './problem.ts'
import { type BrowserTree, browserTree, type Pieces } from './processor.ts'
import { allowedProperties, authoredSchema, schema } from './schema.ts'

/** The HTML tree of a body, not yet sanitised, and findings in its raw HTML. */
export interface Page {
  readonly tree: HtmlRoot
  /** Links and images in raw HTML. */
  readonly targets: readonly Target[]
  /** Authored ids and names, without the prefix that they have in the tree. */
  readonly ids: ReadonlySet<string>
  /** Warnings about removed HTML. */
  readonly problems: readonly Finding[]
}

/**
 * Makes the HTML tree of a body.
 *
 * @param keepsHtml false leaves raw HTML out
 * @throws RangeError when nesting overflows the stack
 */
export function pageOf(tree: Root, body: string, keepsHtml: boolean): Page {
  const removals: Removals = new Map()
  const page = browserTree(tree, body, keepsHtml ? (node) => piecesOf(node, body, removals) : null)
  const { origins } = page
  const found = { ...page, body, removals, targets: [], unsafe: [], ids: new Set<string>() }
  visitParents(page.tree, (node) => {
    // Removes comments, except the mark of an excerpt.
    if (node.type === 'comment' && !/^(?:\s*more\s*|more:)$/i.test(node.value)) {
      Object.assign(node, { type: 'text', value: '' })
    }
    if (node.type !== 'element') return
    if (origins !== null) clean(node, { ...found, origins })
    // mdast-util-to-hast creates these attributes without a value; parse5 reads them with an empty value.
    for (const name of ['dataFootnotes', 'dataFootnoteRef']) {
      if (name in node.properties) node.properties[name] = true
    }
  })
  const hint = 'Write it in Markdown, or with elements and attributes that are allowed.'
  const problems = [...removalProblems(removals, hint), ...found.unsafe]
  return { tree: page.tree, targets: found.targets, ids: found.ids, problems }
}

/** Returns the lines of a node with their offsets, because a quote or a list removes the beginning of a line. */
function piecesOf(node: Html, body: string, removals: Removals): Pieces {
  let [from] = rangeOf(node)
  return closedLines(node, removals).map((text) => {
    const offset = Math.max(from, body.indexOf(text, from))
    from = offset + text.length
    return [text, offset]
  })
}

/** Returns the lines of a node with open tags and comments closed, so that they cannot include text after the node. */
function closedLines(node: Html, removals: Removals): readonly string[] {
  const { value } = node
  const [offset] = rangeOf(node)
  const lastComment = value.lastIndexOf('<!--')
  if (lastComment !== -1 && !value.includes('-->', lastComment + 2)) {
    remove(removals, 'A comment is not closed, so everything after it is left out.', offset)
    return [...linesOf(value), '-->']
  }
  if (/^<(?:\?|!(?!--))/.test(value)) {
    remove(removals, 'Markup that begins with "<?" or "<!" is left out.', offset)
  }
  const end = openTag(value)
  if (end !== undefined) {
    remove(removals, 'A tag is not closed before the blank line, so it is left out.', offset)
  }
  return linesOf(value.slice(0, end))
}

/** Splits text into lines with their line ends. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/)
}

/** Returns the index of a tag that does not end. */
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

/** The raw HTML of a body, and the findings in it. */
interface HtmlPass extends Pick<BrowserTree, 'html'> {
  readonly origins: Int32Array
  readonly body: string
  readonly removals: Removals
  readonly targets: Target[]
  readonly unsafe: Finding[]
  readonly ids: Set<string>
}

/** Removes what an authored element may not have. */
function clean(element: Element, found: HtmlPass): void {
  const { tagName, properties, position } = element
  // Implied elements, such as the body of an authored table, have no position.
  const start = position?.start.offset
  const offset = start === undefined ? 0 : (found.origins[start] ?? -1)
  if (offset === -1) return
  const isAllowed = schema.tagNames?.includes(tagName) === true
  if (isAllowed && (tagName !== 'input' || properties['type'] === 'checkbox')) {
    cleanProperties(element, offset, found)
    return
  }
  const isStripped = schema.strip?.includes(tagName) === true || tagName === 'template'
  const rest = isStripped ? 'with its content' : 'and its content is kept'
  remove(found.removals, `The element <${truncate(tagName)}> is left out, ${rest}.`, offset)
  if (isAllowed) element.tagName = 'removed'
}

function cleanProperties(element: Element, offset: number, found: HtmlPass): void {
  const { properties } = element
  takeUrls(element, offset, found)
  for (const id of [properties['id'], properties['name']]) {
    if (typeof id === 'string') found.ids.add(id)
  }
  element.properties = allowedProperties(element, authoredSchema)
  for (const [name, value] of Object.entries(properties)) {
    const kept = element.properties[name]
    const isList = Array.isArray(kept) && Array.isArray(value)
    if (isList ? kept.length === value.length : (kept ?? null) !== null) continue
    const { attribute } = find(htmlAttributes, name)
    remove(found.removals, `The attribute "${truncate(attribute)}" is left out.`, offset)
  }
}

/** Removes the unsafe URLs of an element, and records the others. */
function takeUrls(element: Element, offset: number, found: HtmlPass): void {
  const { properties } = element
  const name = urlProperties[element.tagName] ?? 'href'
  const value = properties[name]
  if (!(element.tagName in urlProperties) || value === undefined || value === null) return
  const text = String(value)
  // Removes characters that browsers ignore (WHATWG URL, "basic URL parser").
  const trimmed = text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+|(?<![\0- ])[\0- ]+$/g, '')
  const one = { url: trimmed, start: text.indexOf(trimmed), descriptor: '' }
  const kept = (name === 'srcSet' ? srcsetCandidates(text) : [one]).filter((candidate) => {
    const { url } = candidate
    const kind = name === 'href' ? 'link' : 'image'
    const span = spanOf(element, name, candidate, found)
    const target: Target = { kind, url, href: url, offset, span }
    const isSafe = isAllowedUrl(target, authoredSchema)
    if (isSafe) found.targets.push(target)
    else found.unsafe.push(unsafeUrl(target, authoredSchema))
    return isSafe
  })
  if (kept.length === 0) delete properties[name]
  else properties[name] = srcsetOf(kept)
}

/** Returns the range of a URL in an attribute; undefined if its value is not written literally. */
function spanOf(
  { data }: Element,
  property: string,
  { url, start: index }: Candidate,
  { html, origins, body }: HtmlPass,
): Span | undefined {
  const { start, end } = data?.position?.properties?.[property] ?? {}
  const written = html.slice(start?.offset, end?.offset)
  // A brace begins a value in JSX that is read as HTML.
  const [head] = /^[^=]*=\s*\{?["']?/.exec(written) ?? []
  if (start?.offset === undefined || head === undefined || /[&\r\n]/.test(written)) return undefined
  const from = origins[start.offset + head.length + index] ?? -1
  const isWritten = from !== -1 && body.startsWith(url, from)
  return isWritten ? { start: from, end: from + url.length } : undefined
}

/** Offsets of removed parts by message. Messages are equal in all bodies, so that reports can group files. */
type Removals = Map<string, number>

function remove(removals: Removals, message: string, offset: number): void {
  if (!removals.has(message)) removals.set(message, offset)
}

/** Returns one warning per message, at its first offset. */
function removalProblems(removals: Removals, hint: string): readonly Finding[] {
  return Array.from(removals, ([text, offset]) => warning('raw-html', offset, text, hint))
}

/** Shortens a name, which may have any length. */
function truncate(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 40)}…`
}

/** Raw HTML: a block, or a tag within text. */
export type RawHtml = readonly [node: Html, isBlock: boolean]

/** Returns warnings about raw HTML that a site omits. Closed comments need no warning. */
export function omittedHtmlProblems(html: readonly RawHtml[]): readonly Finding[] {
  const removals: Removals = new Map()
  for (const [node, isBlock] of html) {
    if (isComment(node.value) || (!isBlock && node.value.startsWith('</'))) continue
    const [line = ''] = node.value.trim().split('\n', 1)
    const rest = isBlock ? ', with the text in it' : '; the text around it is kept'
    remove(removals, `The HTML ${quote(line)} is left out${rest}.`, rangeOf(node)[0])
  }
  return removalProblems(removals, 'Write it in Markdown, or "&lt;" for a literal "<".')
}

/** Reports whether HTML consists of closed comments, which have no visible effect. */
export function isComment(html: string): boolean {
  // `<!-->` and `<!--->` are whole comments (CommonMark 0.31.2 §6.6).
  const comments = html.replace(/<!---?>/g, '').split('-->')
  const rest = comments.pop()?.trim()
  return rest === '' && comments.every((comment) => comment.trimStart().startsWith('<!--'))
}
