// Renders a Markdown body: HTML, visible text and problems. Content never makes it throw.
import type { Root } from 'mdast'
import { visibleText } from '../snapshot/visible-text.ts'
import { markAlerts } from './alerts.ts'
import { anchorProblems, leadToAuthoredIds } from './anchors.ts'
import type { ParsedHtml } from './authored-html.ts'
import { FileMarker } from './destinations.ts'
import type { FileTargets } from './file-targets.ts'
import { addHeadingIds } from './heading-ids.ts'
import type { ReadMdx } from './mdx.ts'
import type { MarkdownOptions } from './options.ts'
import { bodyStart, type Problem, placeOf } from './problem.ts'
import { htmlTreeOf, parseMarkdown, sanitized, serialized } from './processor.ts'
import { omittedHtmlProblems, visibleParts } from './raw-html.ts'
import { expandedBytes, htmlBytesMax } from './size.ts'
import { StageNeeded, type Stages } from './stages.ts'
import { depthMax, type Survey, surveyTree } from './survey.ts'
import { templateTagProblems } from './template-tags.ts'
import { urlProblems } from './urls.ts'

/** A rendered body. `html` and `text` are empty when a problem is an error. */
export interface Rendered {
  /** Sanitised and well-formed. */
  readonly html: string
  /** The visible text of the HTML: see `visibleText`. */
  readonly text: string
  /** Destinations that may refer to files, marked in the HTML; null for none. */
  readonly files: FileTargets | null
  /** Grouped by kind. */
  readonly problems: readonly Problem[]
}

/**
 * Renders a body.
 *
 * @param body Markdown without front matter
 * @returns with the errors `too-deep`, `html-too-large` and `empty-content`, and the warnings `raw-html`,
 *   `template-tag`, `unsafe-url` and `broken-anchor`
 * @throws StageNeeded when a part of the renderer must be loaded first
 *
 * Cost: about 0.5 ms per kB of prose; most of it is the parser's. Unbounded for hostile input.
 */
export function renderMarkdown(body: string, options: MarkdownOptions, stages: Stages): Rendered {
  try {
    return render(body, options, stages)
  } catch (error) {
    // The parsers and the serializer recurse; a RangeError is V8's only sign of a stack overflow.
    if (error instanceof RangeError) return failed(overflow)
    throw error
  }
}

function render(body: string, options: MarkdownOptions, stages: Stages): Rendered {
  const { tree, tags, problems: mdxProblems } = readBody(body, options, stages)
  const survey = surveyTree(tree)
  if (survey.tooDeep !== null) return failed({ ...tooDeep, ...placeOf(survey.tooDeep) })
  const bytesMax = htmlBytesMax(Buffer.byteLength(body))
  if (expandedBytes(survey) > bytesMax) return failed(tooLarge(bytesMax))
  const marker = new FileMarker(body, options.rootImages)
  marker.mark(survey.targets)
  if (options.alerts) markAlerts(survey.quotes)
  const page = htmlPage({ tree, tags, survey, body, marker }, options, stages)
  const error = page.problems.find(({ severity }) => severity === 'error')
  if (error !== undefined) return failed(error)
  const safe = sanitized(page.tree)
  if (options.headingIds && (survey.hasHeadings || page.hasHtml)) addHeadingIds(safe)
  leadToAuthoredIds(safe, page.ids)
  const html = serialized(safe)
  if (Buffer.byteLength(html) > bytesMax) return failed(tooLarge(bytesMax))
  const text = visibleText(html)
  if (text === '' && isEmpty(html) && body.trim() !== '')
    return failed(emptyContent(body), [...mdxProblems, ...page.problems])
  const problems = [
    ...mdxProblems,
    ...page.problems,
    ...templateTagProblems(tree, body),
    ...urlProblems(survey),
    ...anchorProblems([...survey.targets, ...page.targets], html, page.ids),
  ]
  return { html, text, files: marker.files, problems }
}

/** The tree of a body, including MDX. */
function readBody(body: string, options: MarkdownOptions, stages: Stages): ReadMdx {
  if (!options.mdx) return { tree: parseMarkdown(body), tags: [], problems: [] }
  if (stages.mdx === undefined) throw new StageNeeded('mdx')
  return stages.mdx.read(body, options.html === 'sanitize')
}

interface ParsedBody extends Pick<ReadMdx, 'tree' | 'tags'> {
  readonly survey: Survey
  readonly body: string
  readonly marker: FileMarker
}

/** The HTML tree of a body, not yet sanitised. */
interface Page extends Pick<ParsedHtml, 'tree' | 'targets' | 'ids' | 'problems'> {
  /** True when it contains parsed raw HTML. */
  readonly hasHtml: boolean
}

/** Builds the HTML tree of a body; parses raw HTML only when there is some that may stay. */
function htmlPage(
  { tree, tags, survey, body, marker }: ParsedBody,
  options: MarkdownOptions,
  stages: Stages,
): Page {
  if (options.html === 'omit')
    return { ...markdownPage(tree), problems: omittedHtmlProblems(survey) }
  const parts = [...visibleParts(survey), ...tags]
  if (parts.length === 0) return markdownPage(tree)
  if (stages.html === undefined) throw new StageNeeded('html')
  const parsed = stages.html.parseAuthoredHtml(htmlTreeOf(tree, true), parts, body)
  marker.mark(parsed.targets)
  parsed.setUrls()
  return { ...parsed, hasHtml: true }
}

function markdownPage(tree: Root): Page {
  return { tree: htmlTreeOf(tree), targets: [], ids: new Set(), problems: [], hasHtml: false }
}

/** True when HTML without text shows nothing: no image, rule or checkbox. */
function isEmpty(html: string): boolean {
  return !/<(?:img|hr|input)\b/.test(html)
}

/** @param warnings that explain the failure */
function failed(problem: Problem, warnings: readonly Problem[] = []): Rendered {
  return { html: '', text: '', files: null, problems: [...warnings, problem] }
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
  hint: 'Take out levels of quotes, lists, links or emphasis.',
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
    hint: 'Look for a table with rows of many empty cells, or for a link that is referred to many times.',
  }
}
