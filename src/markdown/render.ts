// Renders a Markdown body: HTML, visible text and problems. Content never makes it throw.

import Slugger, { slug } from 'github-slugger'
import type { Element, ElementContent, Nodes, Root } from 'hast'
import type { Text } from 'mdast'
import type { Position } from '../diagnostics.ts'
import { visibleText } from '../snapshot/visible-text.ts'
import { isComment, omittedHtmlProblems, type Page, pageOf } from './authored-html.ts'
import { ownText } from './derived.ts'
import { type FileTargets, filesAmong } from './destinations.ts'
import { beforeMark, markIn } from './excerpt.ts'
import { elementsOf } from './html.ts'
import { anchorProblems, leadToAuthoredIds, urlProblems } from './links.ts'
import { type ReadMdx, readMdx } from './mdx.ts'
import type { MarkdownOptions } from './options.ts'
import { bodyStart, failedProblem, type Problem, placeOf } from './problem.ts'
import { parseMarkdown, sanitized, serialized } from './processor.ts'
import { markAlerts } from './schema.ts'
import { depthMax, surveyTree } from './survey.ts'

/** A rendered body. `html` and `text` are empty when a problem is an error. */
export interface Rendered {
  /** Sanitised and well-formed. */
  readonly html: string
  /** The visible text of the HTML: see `visibleText`. */
  readonly text: string
  /** The visible text before `<!-- more -->`, without footnotes; null without that comment. */
  readonly excerpt: string | null
  /** Destinations that may be files; null for none. */
  readonly files: FileTargets | null
  /** Grouped by kind. */
  readonly problems: readonly Problem[]
}

/**
 * Renders a body.
 *
 * @param body Markdown without front matter; lines end with LF
 * @returns with the errors `too-deep`, `html-too-large`, `empty-content` and `render-failed`, and the warnings `raw-html`,
 *   `template-tag`, `unsafe-url`, `broken-anchor`, `mdx-left-out` and `mdx-syntax`
 *
 * Cost: about 0.5 ms per kB of prose; most of it is the parser's. Unbounded for hostile input.
 */
export function renderMarkdown(body: string, options: MarkdownOptions): Rendered {
  try {
    return render(body, options)
  } catch (error) {
    // The parsers and the serializer recurse; a RangeError is V8's only sign of a stack overflow.
    return failed(error instanceof RangeError ? overflow : failedProblem(error))
  }
}

function render(body: string, options: MarkdownOptions): Rendered {
  const keepsHtml = options.html === 'sanitize'
  const read = options.mdx ? readMdx(body, keepsHtml) : readMarkdown(body)
  const { tree, elements, mark } = read
  const survey = surveyTree(tree)
  if (survey.tooDeep !== null) return failed({ ...tooDeep, ...placeOf(survey.tooDeep) })
  if (options.alerts) markAlerts(survey.quotes)
  const raw = survey.html.map(({ node }) => node)
  const isShown = elements.length > 0 || raw.some(({ value }) => !isComment(value))
  const nodes = keepsHtml && isShown ? [...raw, ...elements] : []
  const page = pageOf(tree, nodes, body)
  const htmlProblems = keepsHtml ? page.problems : omittedHtmlProblems(survey.html)
  const error = htmlProblems.find(({ severity }) => severity === 'error')
  if (error !== undefined) return failed(error)
  const html = htmlOf(page, options)
  // A row of a wide table has all its cells, and a link that is referenced has its URL each time.
  const bytesMax = Math.max(2 * 1024 * 1024, 20 * Buffer.byteLength(body))
  if (Buffer.byteLength(html) > bytesMax) return failed(tooLarge(bytesMax))
  const text = visibleText(html)
  if (text === '' && isEmpty(html) && body.trim() !== '') {
    return failed(emptyContent(body), [...read.problems, ...htmlProblems])
  }
  const targets = [...survey.targets, ...page.targets]
  const problems = [
    ...read.problems,
    ...htmlProblems,
    ...templateTagProblems(survey.texts, body),
    ...urlProblems(survey.targets),
    ...anchorProblems(targets, html, page.ids),
  ]
  const files = filesAmong(targets, body, options.rootImages)
  const before = mark === null ? null : pageOf(beforeMark(tree, mark), nodes, body)
  const excerpt = before && ownText(htmlOf(before, options))
  return { html, text, excerpt, files, problems }
}

function readMarkdown(body: string): ReadMdx {
  const tree = parseMarkdown(body)
  return { tree, elements: [], problems: [], mark: markIn(tree, body) }
}

function htmlOf({ tree, ids }: Page, { headingIds }: MarkdownOptions): string {
  const safe = sanitized(tree)
  if (headingIds) addHeadingIds(safe)
  leadToAuthoredIds(safe, ids)
  return serialized(safe)
}

/** True when HTML without text shows nothing: no image, rule or checkbox. */
function isEmpty(html: string): boolean {
  return !/<(?:img|hr|input)\b/.test(html)
}

/** @param warnings that explain the failure */
function failed(problem: Problem, warnings: readonly Problem[] = []): Rendered {
  return { html: '', text: '', excerpt: null, files: null, problems: [...warnings, problem] }
}

function emptyContent(body: string): Problem {
  const [blank = ''] = /^\s*/.exec(body) ?? []
  return {
    line: blank.split(/\r\n|\n|\r/).length,
    column: 1,
    code: 'empty-content',
    severity: 'error',
    message: 'The body is not empty, but its HTML shows nothing.',
    hint: 'Write text or an image; the warnings name what was left out.',
  }
}

const tooDeep: Problem = {
  ...bodyStart,
  code: 'too-deep',
  severity: 'error',
  message: `The Markdown is nested more than ${depthMax} levels deep.`,
  hint: 'Remove levels of quotes, lists, links or emphasis.',
}

const overflow: Problem = {
  ...tooDeep,
  message:
    'The Markdown is nested too deeply, or runs on too long without a break, to be rendered.',
}

function tooLarge(bytesMax: number): Problem {
  return {
    ...bodyStart,
    code: 'html-too-large',
    severity: 'error',
    message: `The HTML of this body is larger than ${bytesMax} bytes.`,
    hint: 'Look for a table with rows of many empty cells, or a link that is referenced many times.',
  }
}

/**
 * Gives every heading a unique id: the one that its author wrote (`# Title {#id}`), or GitHub's slug of its text, or
 * `section` where the text has no letters. One without text, as of an image, gets none. A repeated id gets the suffix `-1`, `-2`.
 *
 * @param tree sanitised; headings with an id keep it
 */
export function addHeadingIds(tree: Root): void {
  const slugger = new Slugger()
  const headings: Element[] = []
  for (const element of elementsOf(tree)) {
    const { id } = element.properties
    if (typeof id === 'string') slugger.occurrences[id] ??= 0
    else if (/^h[1-6]$/.test(element.tagName)) headings.push(element)
  }
  // Authored ids first: no generated id may take one of them.
  const rest = headings.filter((heading) => !takeWrittenId(heading, slugger))
  for (const heading of rest) {
    const text = textOf(heading)
    if (text.trim() === '') continue
    heading.properties['id'] = slugger.slug(slug(text) === '' ? 'section' : text)
  }
}

/** Moves the id at the end of a heading's text to the heading. */
function takeWrittenId(heading: Element, slugger: Slugger): boolean {
  const last = heading.children.at(-1)
  if (last?.type !== 'text') return false
  const [written, id] = writtenId.exec(last.value) ?? []
  if (written === undefined || id === undefined) return false
  last.value = last.value.slice(0, -written.length)
  heading.properties['id'] = id in slugger.occurrences ? slugger.slug(id, true) : id
  slugger.occurrences[id] ??= 0
  return true
}

const writtenId = /(?<![ \t])[ \t]*\{#([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)\}[ \t]*$/u

/** The text of a heading, without the numbers of its footnotes. */
function textOf(node: Nodes | ElementContent): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && 'dataFootnoteRef' in node.properties) return ''
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/**
 * One warning per template language in a body, located at the first tag. Tags in code and escaped tags are intended.
 *
 * @param texts the text nodes of the body, in document order
 *
 * Cost: a search for two characters without tags, else O(body).
 */
export function templateTagProblems(texts: readonly Text[], body: string): readonly Problem[] {
  if (!body.includes('{{') && !body.includes('{%')) return []
  const found = new Map<'Liquid tag' | 'Shortcode', Position>()
  for (const node of texts) {
    const source = body.slice(node.position?.start.offset, node.position?.end.offset)
    for (const { index, 1: opening = '' } of source.matchAll(tag)) {
      // The text of `{{<figure>}}` ends before the angle bracket, as the rest is raw HTML.
      const isShortcode = opening.length > 2 || index + opening.length === source.length
      const language = isShortcode ? 'Shortcode' : 'Liquid tag'
      if (!found.has(language)) found.set(language, placeIn(node, source, index))
    }
  }
  return [...found].map(([language, { line, column }]) => ({
    line,
    column,
    code: 'template-tag',
    severity: 'warning',
    // The same in every file, so that reports can count files.
    message: `${language}s are shown as text.`,
    hint: 'Write them in Markdown, or put a backslash before each one to show it as text.',
  }))
}

const tag = /(?<![\\{\w}^])(\{%(?=-?\s*\w)|\{\{[<%]|\{\{(?=-?\s*[\w"'][^{}]*\}\})|\{\{$)/gu

function placeIn(node: Text, source: string, at: number): Position {
  const { line, column } = placeOf(node)
  const before = source.slice(0, at).split('\n')
  const last = before.at(-1) ?? ''
  return before.length === 1
    ? { line, column: column + at }
    : { line: line + before.length - 1, column: last.length + 1 }
}
