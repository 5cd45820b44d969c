// Converts exports: rows become posts, and the HTML of a post becomes Markdown with the same visible text.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import type { Element, ElementContent, Nodes, Root, RootContent as TreeContent } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { defaultHandlers, type Handle, type State, toMdast } from 'hast-util-to-mdast'
import type { Html, Nodes as MarkdownNodes, RootContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown } from 'mdast-util-to-markdown'
import { parseFragment } from 'parse5'
import type { RenderPool } from 'quarry/authoring'
import {
  createRenderPool,
  decodeText,
  imageBytesMax,
  parseDate,
  readFileBytes,
  schema,
  UseError,
  visibleText,
} from 'quarry/authoring'
import { visit } from 'unist-util-visit'
import type { Ledger } from './ledger.ts'
import { reportLostWords } from './lost-words.ts'
import { decoded, pageOf, wordSet } from './parts.ts'
import type { FieldValue, ImportContext, ImportedDocument, ImportedImage } from './site.ts'
import { isMap, parseJson, type Values } from './static/front.ts'
import { reasonUnshown } from './static/steps.ts'
import type { Terms } from './terms.ts'

/** Decodes the text of a file, without a byte order mark. @throws UseError with the place of bytes that are not UTF-8 */
export function readText(file: string, bytes: Buffer = readFileSync(file)): string {
  const { value, diagnostics } = decodeText(file, bytes)
  if (value !== undefined) return value.replace(/^\uFEFF/, '')
  const [{ line, column, message } = { line: 1, column: 1, message: '' }] = diagnostics
  throw new UseError(`${file}:${line}:${column}: ${message}`)
}

/** Parses a JSON document, with numbers and booleans as texts. @param name the name in messages @throws UseError */
export function parseExport(text: string, name: string): FieldValue {
  try {
    return parseJson(text)
  } catch (error) {
    throw new UseError(`${name} is not JSON: ${(error as Error).message}`)
  }
}

/** Returns the maps of a list. */
export function rowsOf(value: FieldValue): readonly Values[] {
  return Array.isArray(value) ? value.filter(isMap) : []
}

/** Parses a date in ISO 8601, also as `2021-03-24 04:34:10` or in milliseconds; undefined for `0000-00-00 00:00:00`. */
export function dateOf(text = ''): string | undefined {
  if (/^\d{9,15}$/.test(text)) return new Date(Number(text)).toISOString()
  return parseDate(text.trim(), 'loose') ?? undefined
}

/** Returns true for a column with a true value, else undefined. */
export function isTrue(value: FieldValue): true | undefined {
  return value === 'true' || value === '1' || undefined
}

export interface ExportPost
  extends Pick<ImportedDocument, 'slug' | 'from' | 'fields' | 'images' | 'redirects'> {
  /** HTML, or Markdown as it is; undefined for a body that is not in the export, which is reported. */
  readonly body: SourceHtml | string | undefined
  readonly withheld: string | undefined
}

interface SourceHtml {
  readonly html: string
  readonly rewriteUrl?: RewriteUrl
  readonly prepare?: (tree: Root) => void
}

/**
 * Yields posts with a date, in order, and then the terms. Markdown that loses text of the source is replaced by raw HTML. Posts that
 * are withheld, have no body, or cannot be verified are drafts, and reported. Cost: about 0.5 ms per kB.
 */
export async function* documentsOf(
  posts: readonly ExportPost[],
  terms: Terms,
  report: Ledger,
  ...kept: Parameters<Terms['documents']>
): AsyncGenerator<ImportedDocument> {
  const pool = createRenderPool({ workers: 1 })
  try {
    for (const { body, withheld, ...post } of posts) {
      const { from, fields } = post
      if (fields['publishedAt'] === undefined) {
        report.add('failed', 'The post has no date.', from)
        continue
      }
      if (withheld !== undefined) report.add('changed', `made a draft: ${withheld}`, from)
      const draft = draftOf(body, from, report)
      const verified = draft.raw ? await verify(draft, pool, report, from) : draft.markdown
      const isDraft = withheld !== undefined || verified === undefined
      const status = isDraft ? 'draft' : fields['status']
      const text = verified ?? draft.markdown ?? ''
      const source = typeof body === 'object' ? body.html : (body ?? '')
      reportLostWords(report, source, `${JSON.stringify(fields)}\n${text}`, () => from)
      yield { ...post, kind: 'posts', fields: { ...fields, status }, body: text }
    }
  } finally {
    await pool.close()
  }
  yield* terms.documents(...kept)
}

/** Converts HTML to unverified Markdown, with the same document as one block of raw HTML, and its visible text. */
function draftOf(source: ExportPost['body'], from: string, report: Ledger) {
  if (typeof source !== 'object') return { markdown: source }
  const { html, rewriteUrl = (url: string) => url, prepare } = source
  try {
    const tree = fromParse5(parseFragment(html)) as Root
    prepare?.(tree)
    addAnchors(tree)
    const options: CleanOptions = { rewriteUrl, report: (...event) => report.add(...event, from) }
    tree.children = tree.children.flatMap((node) => cleanNode(node, tree, options))
    const safe = sanitize(tree, { ...schema, allowComments: true }) as Root
    const visible = toHtml(safe).replaceAll('<!-- more -->', '')
    const shown = visibleText(visible)
    // Quarry rejects a non-empty body without visible content.
    if (shown === '' && !/<(?:img|hr|input)\b/.test(visible)) return { markdown: '' }
    const made = toMdast(safe, { document: true, handlers, nodeHandlers: { comment } })
    // In `div`, because not every element begins a block.
    const raw = `<div>${oneLine(safe)}</div>\n`
    return { markdown: toMarkdown(made as MarkdownNodes, style), raw, shown }
  } catch (error) {
    // Parsers and serializers recurse; a RangeError is V8's only sign of a stack overflow.
    if (!(error instanceof RangeError)) throw error
    report.add('failed', 'The HTML is nested too deeply.', from)
    return { markdown: undefined }
  }
}

async function verify(
  { markdown, raw, shown }: Readonly<Record<'markdown' | 'raw' | 'shown', string>>,
  pool: RenderPool,
  report: Ledger,
  from: string,
) {
  for (const body of [markdown, raw])
    for await (const made of pool.render([{ key: 0, file: '', body, bodyLine: 1 }])) {
      if (made.body?.text !== shown) continue
      const text = 'kept as raw HTML: Markdown would not show the same text'
      if (body !== markdown) report.add('changed', text, from)
      return body
    }
  report.add('failed', 'The Markdown would not show the text of the HTML.', from)
  return undefined
}

/**
 * Takes an image at the first existing one of several paths in the folder, and returns its path as written in a post;
 * undefined, with a report if there is a folder, when the folder does not contain the image.
 *
 * @param paths with `/`, percent-encoded as in a URL; the first path becomes the name of the copy
 */
export type TakeImage = (paths: readonly string[]) => string | undefined

/** Collects the images of a post. Reads nothing outside of the folder, not even through links. @throws UseError without the folder */
export function postImages(
  { media, report }: ImportContext,
  from: string,
): { readonly images: readonly ImportedImage[]; readonly take: TakeImage } {
  if (media !== undefined && !statSync(media, { throwIfNoEntry: false })?.isDirectory())
    throw new UseError(`--media names "${media}", which is not a folder.`)
  const folder = media && realpathSync(media)
  const images: ImportedImage[] = []
  const take: TakeImage = (paths) => {
    if (folder === undefined) return undefined
    const [name = '', ...others] = paths.map(decoded)
    const read = (path: string) => readFileBytes(folder, path, imageBytesMax)
    const isInside = (path: string) =>
      path.split('/').every((part) => !/^\.{0,2}$|[\\\0]/.test(part))
    const path = [name, ...others].find((it) => isInside(it) && Buffer.isBuffer(read(it)))
    if (path === undefined || !/\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)) {
      report.add('left', 'image not found below --media', `${from} (${paths[0]})`)
      return undefined
    }
    const bytes = () => [read(path)].find(Buffer.isBuffer) ?? null
    images.push({ path: `media/${name}`, bytes })
    return `../media/${name}`
  }
  return { images, take }
}

/** Maps the URL of an image or a link; returns the same URL to keep it. */
export type RewriteUrl = (url: string, use: 'image' | 'link') => string

interface CleanOptions {
  readonly rewriteUrl: RewriteUrl
  /** Called for each element that is hidden, replaced by a link to its content, or removed with its content. */
  readonly report: (section: 'changed' | 'left', text: string) => void
}

/** Prepares a node in place. Removes comments, except for `more`, the end of an excerpt. */
function cleanNode(node: TreeContent, parent: Root | Element, options: CleanOptions) {
  if (node.type === 'text') return [node]
  if (node.type === 'comment') return cleanComment(node.value, options)
  if (node.type !== 'element') return []
  const hidden = reasonUnshown(node.tagName, Object.entries(node.properties))
  if (hidden !== undefined) {
    options.report('changed', `${hidden} → left out`)
    return []
  }
  if (classesOf(node).some((name) => controls.test(name))) return []
  if (codeElements.has(node.tagName)) return remove(node, options)
  if (embeds.has(node.tagName)) return cleanEmbed(node, parent, options)
  node.children = node.children.flatMap((child) => cleanNode(child, node, options))
  if (node.tagName === 'span' || node.tagName === 'font') return node.children
  if (node.tagName === 'pre') nameLanguage(node)
  // Only classes that name a language are meaningful.
  if (!classesOf(node).some((name) => name.startsWith('language-')))
    delete node.properties.className
  rewriteUrls(node, options.rewriteUrl)
  return edged.has(node.tagName) ? withoutEdges(node) : [node]
}

/** Replaces each id to which links of the document lead, except those of headings, by an anchor. */
function addAnchors(tree: Root): void {
  const linked = new Set<string>()
  visit(tree, 'element', ({ properties: { href } }) => {
    if (typeof href === 'string' && href.startsWith('#')) linked.add(decoded(href.slice(1)))
  })
  visit(tree, 'element', (node, index = 0, parent) => {
    const { id = node.properties.name } = node.properties
    if (/^h\d$/.test(node.tagName) || !linked.delete(String(id))) return
    delete node.properties.id
    const anchor = element('a', { id: String(id) }, [])
    if (holder.test(node.tagName)) innermost(node).children.unshift(anchor)
    else parent?.children.splice(index, 0, anchor)
  })
}

/** Elements that can begin with an anchor. */
const holder = /^(?:blockquote|d[dt]|div|li|p|section|t[dhr]|t(?:head|body|foot))$/

function innermost(node: Element): Element {
  const first = node.children.find((it) => it.type !== 'text' || it.value.trim() !== '')
  return first?.type === 'element' && holder.test(first.tagName) ? innermost(first) : node
}

/** Returns `more` with white space around it, so that words stay separate if both ends share a paragraph. */
function cleanComment(comment: string, { report }: CleanOptions): ElementContent[] {
  const [, name, label] = /^\s*(more|nextpage)(?=\s|$)\s*(\S)?/.exec(comment) ?? []
  if (label || name === 'nextpage') report('left', `<!--${name}${label ? ' …' : ''}-->`)
  if (name !== 'more') return []
  const space = { type: 'text' as const, value: ' ' }
  return [space, { type: 'comment', value: ' more ' }, { ...space }]
}

/** Parts of Ghost's players that show nothing without their program. */
const controls = /^kg-(?:audio-(?:player|thumbnail)|video-(?:overlay|player(?:-container)?))$/

const codeElements = wordSet(
  'script style noscript head title meta link base svg select textarea datalist canvas annotation',
)

const embeds = wordSet('iframe video audio object embed')

/** Elements that readers do not see: removing them loses nothing. */
const silent = wordSet('style head title meta link base')

function remove({ tagName }: Element, { report }: CleanOptions): ElementContent[] {
  if (!silent.has(tagName)) report('left', `<${tagName}>: needs code that posts may not have`)
  return []
}

function cleanEmbed(node: Element, parent: Root | Element, options: CleanOptions) {
  const url = urlOfEmbed(node)
  if (url === undefined) return remove(node, options)
  options.report('changed', `<${node.tagName}> made a link`)
  const { title } = node.properties
  const href = options.rewriteUrl(url, 'link')
  const text = typeof title === 'string' && title.trim() !== '' ? title.trim() : href
  const link = element('a', { href }, [{ type: 'text', value: text }])
  return [parent.type === 'root' || flow.has(parent.tagName) ? element('p', {}, [link]) : link]
}

const flow = wordSet('article aside blockquote center div figure footer header li main section td')

function urlOfEmbed(node: Element): string | undefined {
  const { src, data } = node.properties
  const named = [src, data].find((value) => typeof value === 'string' && value !== '')
  if (typeof named === 'string') return pageOf(named.startsWith('//') ? `https:${named}` : named)
  const urls = node.children.flatMap((it) => (it.type === 'element' ? (urlOfEmbed(it) ?? []) : []))
  return urls[0]
}

function nameLanguage(pre: Element): void {
  const code = pre.children.find((child) => child.type === 'element')
  const target = code?.tagName === 'code' ? code : undefined
  const classes = [pre, target ?? pre].flatMap(classesOf).join(' ')
  const [, named] = /(?:^|\s)(?:language-|lang[-:]|brush:\s*)([^\s:;]+)/.exec(classes) ?? []
  const { dataEnlighterLanguage, lang = dataEnlighterLanguage } = pre.properties
  const language = named ?? lang
  if (typeof language !== 'string') return
  const marked = { className: [`language-${language}`] }
  if (target === undefined) pre.children = [element('code', marked, pre.children)]
  else target.properties = { ...target.properties, ...marked }
}

function classesOf({ properties }: Element): readonly string[] {
  return Array.isArray(properties.className) ? properties.className.map(String) : []
}

function rewriteUrls({ tagName, properties }: Element, rewrite: RewriteUrl): void {
  if (tagName === 'img' && typeof properties.src === 'string')
    properties.src = rewrite(properties.src, 'image')
  if (tagName === 'a' && typeof properties.href === 'string')
    properties.href = rewrite(properties.href, 'link')
}

/** Elements that become Markdown delimiters, which may not enclose white space at their edges. */
const edged = wordSet('a b strong i em s del strike')

function withoutEdges(node: Element): ElementContent[] {
  const edge = (at: 0 | -1, blanks: RegExp): ElementContent[] => {
    const child = node.children.at(at)
    if (child?.type !== 'text' || !blanks.test(child.value)) return []
    child.value = child.value.replace(blanks, '')
    return [{ type: 'text', value: ' ' }]
  }
  const before = edge(0, /^[ \t\r\n\f]+/)
  const after = edge(-1, /(?<![ \t\r\n\f])[ \t\r\n\f]+$/)
  const isBlank = node.children.every((child) => child.type === 'text' && child.value === '')
  return [...before, ...(isBlank && node.properties.id === undefined ? [] : [node]), ...after]
}

export function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children }
}

const style: Options = {
  bullet: '-',
  rule: '-',
  emphasis: '_',
  fences: true,
  listItemIndent: 'one',
  resourceLink: true,
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  handlers: { rawBlock: ({ value }: Html) => value } as never,
  // A raw HTML block extends to the next blank line, also in a tight list.
  join: [(left) => (left.type === ('rawBlock' as string) ? 1 : undefined)],
}

function comment(_: State, { value }: { value: string }): RootContent {
  return { type: 'html', value: `<!--${value}-->` }
}

const tagged = 'abbr ins kbd mark q ruby rb rp rt samp small sub sup time u var'.split(' ')

const handlers: Record<string, Handle> = {
  ...Object.fromEntries(tagged.map((name) => [name, withTags])),
  ...Object.fromEntries('h1 h2 h3 h4 h5 h6'.split(' ').map((name) => [name, withId])),
  a: (state, node) => {
    if (node.properties.href !== undefined) return defaultHandlers.a(state, node)
    return node.properties.id === undefined ? state.all(node) : withTags(state, node)
  },
  br: (state) => (state.inTable ? tag('<br>') : { type: 'break' }),
  code: plainText(defaultHandlers.code, withTags),
  tt: plainText(defaultHandlers.tt, withTags),
  details: (_, node) => rawBlock(node),
  dl: (_, node) => rawBlock(node),
  figure: (state, node) =>
    hasElement(node, wordSet('figcaption')) ? rawBlock(node) : state.toFlow(state.all(node)),
  pre: plainText(defaultHandlers.pre, (_, node) => rawBlock(node)),
  table: (state, node) =>
    isPlainTable(node) && !state.inTable ? defaultHandlers.table(state, node) : rawBlock(node),
}

/** Keeps the id of a heading as `{#id}`, to which links lead. */
function withId(state: State, node: Element): ReturnType<Handle> {
  const { id } = node.properties
  const text = id === undefined ? [] : [{ type: 'text' as const, value: ` {#${id}}` }]
  return defaultHandlers.h1(state, { ...node, children: [...node.children, ...text] })
}

function withTags(state: State, node: Element): ReturnType<Handle> {
  if (hasElement(node, blocks)) return rawBlock(node)
  const tags = oneLine({ ...node, children: [] })
  const end = tags.lastIndexOf('</')
  return [tag(tags.slice(0, end)), ...state.all(node), tag(tags.slice(end))]
}

/** Inline raw HTML; the element name marks it as inline for the construction of paragraphs. */
function tag(value: string): Html {
  return { type: 'html', value, data: { hName: 'span' } as Html['data'] }
}

/** Uses a default handler only for elements with nothing but text: Markdown code has neither links nor images. */
function plainText(handle: NodeHandle, otherwise: NodeHandle): NodeHandle {
  return (state, node) => (hasElement(node, visible) ? otherwise : handle)(state, node)
}

type NodeHandle = (state: State, node: Element) => ReturnType<Handle>

const visible = wordSet('a img mark del ins sub sup strong b em i u')

function hasElement({ children }: Pick<Element, 'children'>, names: ReadonlySet<string>): boolean {
  return children.some(
    (child) => child.type === 'element' && (names.has(child.tagName) || hasElement(child, names)),
  )
}

/** True for a row of headings above rows of data, without spans, and with at most a paragraph in a cell. */
function isPlainTable(table: Element): boolean {
  const isPlain = ({ properties, children }: Element) => {
    const { colSpan = 1, rowSpan = 1 } = properties
    const [only, ...others] = children.filter((it) => it.type !== 'text' || it.value.trim() !== '')
    const isParagraph = only?.type === 'element' && only.tagName === 'p' && others.length === 0
    const inner = isParagraph ? only.children : children
    return (
      Number(colSpan) === 1 && Number(rowSpan) === 1 && !hasElement({ children: inner }, blocks)
    )
  }
  const hasCells = (row: Element, name: string) =>
    row.children.every((it) => it.type !== 'element' || (it.tagName === name && isPlain(it)))
  const [head, ...body] = rowsBelow(table)
  const isHeaded = head !== undefined && hasCells(head, 'th')
  return (
    isHeaded && body.every((row) => hasCells(row, 'td')) && !hasElement(table, wordSet('caption'))
  )
}

function rowsBelow({ children }: Element): readonly Element[] {
  return children.flatMap((child) => {
    if (child.type !== 'element') return []
    return child.tagName === 'tr' ? [child] : rowsBelow(child)
  })
}

/**
 * A block of raw HTML: unlike mdast's `html`, never inside a paragraph. A blank line would end it (CommonMark §4.6), so
 * every line end becomes a character reference.
 */
function rawBlock(node: Element): Html {
  return { type: 'rawBlock', value: oneLine(node) } as never
}

function oneLine(node: Nodes): string {
  return toHtml(node).replaceAll('\n', '&#10;')
}

export const blocks: ReadonlySet<string> = wordSet(
  'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul',
)
