// Renders a Markdown body to HTML, visible text and problems. It never throws for any content.
import Slugger, { slug } from 'github-slugger'
import type { Element, ElementContent, Nodes, Root } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import type {
  Definition,
  Link,
  LinkReference,
  Nodes as MarkdownNodes,
  Root as MarkdownRoot,
  Text,
} from 'mdast'
import { normalizeUri } from 'micromark-util-sanitize-uri'
import { visitParents } from 'unist-util-visit-parents'
import type { Finding } from '../content/source.ts'
import { visibleText } from '../snapshot/visible-text.ts'
import { isComment, omittedHtmlProblems, pageOf, type RawHtml } from './authored-html.ts'
import { ownText } from './derived.ts'
import {
  anchorProblems,
  decode,
  type FileTarget,
  findFiles,
  type Target,
  urlProblems,
} from './destinations.ts'
import { readMdx } from './mdx.ts'
import type { MarkdownOptions } from './options.ts'
import { failure, rangeOf, renderProblem, warning } from './problem.ts'
import { isBlockParent, type Parsers, serialize, parsers as usualParsers } from './processor.ts'
import { idPrefix, keepMeta, markAlerts, schema } from './schema.ts'

/** A rendered body. `html` and `text` are empty if a problem is an error. */
export interface Rendered {
  /** Sanitised, well-formed HTML. */
  readonly html: string
  /** The visible text of the HTML (see `visibleText`). */
  readonly text: string
  /** The visible text before `<!-- more -->`, without footnotes; null without this mark. */
  readonly excerpt: string | null
  /** Destinations that may be files; null for none. */
  readonly files: readonly FileTarget[] | null
  /** Problems, grouped by kind. */
  readonly problems: readonly Finding[]
}

/**
 * Renders a body.
 *
 * @param body Markdown without front matter; lines end with LF
 * @param parsers the parsers for the options. @default the parsers for default options
 * @returns a body; errors are `too-deep`, `html-too-large`, `empty-content` and `render-failed`, warnings `raw-html`,
 *   `template-tag`, `unsafe-url`, `broken-anchor`, `mdx-left-out` and `mdx-syntax`
 *
 * Cost: about 0.5 ms per kB of prose, mostly for parsing. Unbounded for hostile input.
 */
export function renderMarkdown(
  body: string,
  options: MarkdownOptions,
  parsers: Parsers = usualParsers,
): Rendered {
  try {
    return render(body, options, parsers)
  } catch (error) {
    // The parsers and the serializer recurse; a RangeError is V8's only sign of a stack overflow.
    return withoutHtml(error instanceof RangeError ? tooDeep : renderProblem(error))
  }
}

function render(body: string, options: MarkdownOptions, parsers: Parsers): Rendered {
  const keepsHtml = options.html === 'sanitize'
  const read = options.mdx
    ? readMdx(body, keepsHtml, parsers)
    : { tree: parsers.markdown(body), problems: [] }
  const { tree, problems: mdxProblems } = read
  const survey = surveyTree(tree)
  if (survey.tooDeep !== undefined)
    return withoutHtml({ ...tooDeep, offset: rangeOf(survey.tooDeep)[0] })
  if (options.alerts) markAlerts(survey.quotes)
  keepMeta(survey.code)
  const isShown = survey.hasJsx || survey.html.some(([node]) => !isComment(node.value))
  const page = pageOf(tree, body, keepsHtml && isShown)
  const htmlProblems = keepsHtml ? page.problems : omittedHtmlProblems(survey.html)
  const safe = sanitize(page.tree, { ...schema, allowComments: true }) as Root
  addIds(safe, options.headingIds, page.ids)
  const { html, beforeMark } = serialize(safe)
  // HTML can be much longer than Markdown: rows have all cells of a table, and links repeat the URL of a definition.
  const bytesMax = Math.max(2 * 1024 * 1024, 20 * Buffer.byteLength(body))
  if (Buffer.byteLength(html) > bytesMax) return withoutHtml(tooLarge(bytesMax))
  const text = visibleText(html)
  if (text === '' && !/<(?:img|hr|input)\b/.test(html) && body.trim() !== '') {
    return withoutHtml(emptyContent(body), [...mdxProblems, ...htmlProblems])
  }
  const targets = [...survey.targets, ...page.targets]
  const problems = [
    ...mdxProblems,
    ...htmlProblems,
    ...templateTagProblems(survey.texts, body),
    ...urlProblems(survey.targets),
    ...anchorProblems(targets, html, page.ids),
  ]
  const excerpt = beforeMark === null ? null : ownText(beforeMark)
  return { html, text, excerpt, files: findFiles(targets, options.rootImages), problems }
}

/** Maximum depth of rendered nodes. Each level of a list counts twice. */
const depthMax = 100

/** Collects the nodes of a tree, in document order. */
function surveyTree(root: MarkdownRoot) {
  const nodes: MarkdownNodes[] = []
  const html: RawHtml[] = []
  const deep: MarkdownNodes[] = []
  visitParents(root, (node, ancestors) => {
    nodes.push(node)
    if (node.type === 'html') html.push([node, isBlockParent(ancestors.at(-1))])
    if (ancestors.length > depthMax) deep.push(node)
  })
  // The first definition of a name wins (CommonMark 0.31.2 §4.7).
  const definitions = nodes.filter((node) => node.type === 'definition').toReversed()
  const owners = new Map(definitions.map((node) => [node.identifier.toUpperCase(), node]))
  return {
    /** The first node that is nested more than `depthMax` levels deep. */
    tooDeep: deep[0],
    html,
    hasJsx: nodes.some(({ data }) => data?.tags !== undefined),
    quotes: nodes.filter((node) => node.type === 'blockquote'),
    targets: nodes.flatMap((node) => targetsOf(node, owners)),
    texts: nodes.filter((node) => node.type === 'text'),
    code: nodes.filter((node) => node.type === 'code'),
  }
}

/** Returns the target of a link or an image, if its URL is known. @param owners definitions by upper-case name */
function targetsOf(
  node: MarkdownNodes,
  owners: ReadonlyMap<string, Definition>,
): readonly Target[] {
  const [, kind, isReference] = /^(link|image)(Reference)?$/.exec(node.type) ?? []
  if (kind !== 'link' && kind !== 'image') return []
  const { identifier } = node as LinkReference
  const owner = isReference ? owners.get(identifier.toUpperCase()) : (node as Link)
  if (owner === undefined) return []
  const { url, data } = owner
  return [
    { kind, url, href: normalizeUri(url), offset: rangeOf(owner)[0], span: data?.destination },
  ]
}

/** @param warnings warnings that explain the failure */
function withoutHtml(problem: Finding, warnings: readonly Finding[] = []): Rendered {
  return { html: '', text: '', excerpt: null, files: null, problems: [...warnings, problem] }
}

function emptyContent(body: string): Finding {
  const [blank = ''] = /^\s*/.exec(body) ?? []
  const message = 'The body is not empty, but its HTML shows nothing.'
  const hint = 'Write text or an image; the warnings name what was left out.'
  return { ...failure('empty-content', message, hint), offset: blank.lastIndexOf('\n') + 1 }
}

const tooDeep = failure(
  'too-deep',
  `The Markdown is nested more than ${depthMax} levels deep, or runs on too long without a break.`,
  'Nest quotes, lists, links and emphasis less deeply.',
)

function tooLarge(bytesMax: number): Finding {
  const message = `The HTML of this body is larger than ${bytesMax} bytes.`
  const hint =
    'Look for a table with rows of many empty cells, or a link that is referenced many times.'
  return failure('html-too-large', message, hint)
}

/**
 * Gives every heading a unique id: the authored id (`# Title {#id}`), or GitHub's slug of its text, or `section` if the
 * text has no letters. A heading without text, such as an image, gets no id. A repeated id gets the suffix `-1`, `-2`.
 *
 * @param tree a sanitised tree; headings with an id keep it
 */
function addIds(tree: Root, headingIds: boolean, authoredIds: ReadonlySet<string>): void {
  const slugger = new Slugger()
  const elements: Element[] = []
  visitParents(tree, 'element', (element) => void elements.push(element))
  for (const { properties } of elements) {
    if (typeof properties['id'] === 'string') slugger.occurrences[properties['id']] ??= 0
  }
  const headings = elements.filter(
    ({ tagName, properties }) => /^h[1-6]$/.test(tagName) && typeof properties['id'] !== 'string',
  )
  // Authored ids come first, so that no generated id is equal to one of them.
  const rest = headingIds ? headings.filter((heading) => !moveAuthoredId(heading, slugger)) : []
  for (const heading of rest) {
    const text = textOf(heading)
    if (text.trim() === '') continue
    heading.properties['id'] = slugger.slug(slug(text) === '' ? 'section' : text)
  }
  // Changes links to authored ids from `#x` to `#user-content-x`, unless another element has the id `x`.
  const ids = new Set(elements.map(({ properties }) => properties['id']))
  for (const { properties } of elements) {
    const [, name] = /^#(.+)$/s.exec(`${properties['href']}`) ?? []
    if (name === undefined || ids.has(decode(name)) || !authoredIds.has(decode(name))) continue
    properties['href'] = `#${idPrefix}${name}`
  }
}

/** Moves the id at the end of a heading's text to the heading. */
function moveAuthoredId(heading: Element, slugger: Slugger): boolean {
  const last = heading.children.at(-1)
  if (last?.type !== 'text') return false
  const [written, id] = authoredId.exec(last.value) ?? []
  if (written === undefined || id === undefined) return false
  last.value = last.value.slice(0, -written.length)
  heading.properties['id'] = id in slugger.occurrences ? slugger.slug(id, true) : id
  slugger.occurrences[id] ??= 0
  return true
}

const authoredId = /(?<![ \t])[ \t]*\{#([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)\}[ \t]*$/u

/** Returns the text of a heading, without the numbers of footnotes. */
function textOf(node: Nodes | ElementContent): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && 'dataFootnoteRef' in node.properties) return ''
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/**
 * Returns a warning about tags of template languages, at the first tag. Tags in code and escaped tags are intended.
 *
 * @param texts the text nodes of the body, in document order
 */
function templateTagProblems(texts: readonly Text[], body: string): readonly Finding[] {
  if (!body.includes('{{') && !body.includes('{%')) return []
  for (const node of texts) {
    const [start, end] = rangeOf(node)
    // The text of `{{<figure>}}` ends before the angle bracket, because the rest is raw HTML.
    const index = body.slice(start, end).search(tag)
    if (index === -1) continue
    const hint = 'Write them in Markdown, or put a backslash before each one to show it as text.'
    // The message is the same in every file, so that reports can count files.
    return [warning('template-tag', start + index, 'Template tags are shown as text.', hint)]
  }
  return []
}

const tag = /(?<![\\{\w}^])(?:\{%(?=-?\s*\w)|\{\{[<%]|\{\{(?=-?\s*[\w"'][^{}]*\}\})|\{\{$)/u
