// Parses raw HTML in a body as browsers do, removes disallowed elements, and reports URLs and removals. Loaded only
// for bodies with raw HTML, because the parser is as large as the rest of the renderer.
import type { Element, Properties, Root } from 'hast'
import { raw } from 'hast-util-raw'
import { type Schema, sanitize } from 'hast-util-sanitize'
import type { Html } from 'mdast'
import { VFile } from 'vfile'
import type { Position } from '../diagnostics.ts'
import { idPrefix } from './anchors.ts'
import { AuthoredUrls, type UrlSource } from './authored-urls.ts'
import { fingerprint } from './destinations.ts'
import { elementsOf, elementsWithDepth } from './elements.ts'
import { HtmlSource } from './html-source.ts'
import { jsxMark } from './jsx-mark.ts'
import { bodyStart, limitProblems, type Problem, placeOf } from './problem.ts'
import { Removals } from './removals.ts'
import { schema } from './schema.ts'
import type { Target } from './survey.ts'

/** The HTML tree of a body with parsed raw HTML. */
export interface ParsedHtml {
  /** Without disallowed elements, but not yet sanitised. */
  readonly tree: Root
  /** Links and images in raw HTML. Their nodes are copies: see `setUrls`. */
  readonly targets: readonly Target[]
  /** Authored ids and names, without the prefix that they have in the tree. */
  readonly ids: ReadonlySet<string>
  /** Warnings about removed elements; an error when nesting is too deep. */
  readonly problems: readonly Problem[]
  /** Writes the URLs of the targets' nodes into the tree. */
  setUrls(): void
}

/** Maximum nesting of elements; browsers flatten elements nested more than 512 deep. */
const elementDepthMax = 250

/**
 * Parses the raw HTML of a tree.
 *
 * @param tree with nodes of the type `raw`
 * @param parts the fragments of raw HTML in the Markdown
 * @throws RangeError when nesting overflows the stack
 */
export function parseAuthoredHtml(tree: Root, parts: readonly Html[], body: string): ParsedHtml {
  const mark = `dataM${fingerprint(body)}`
  for (const { properties } of elementsOf(tree)) {
    // Written by the author, as JSX.
    if (jsxMark in properties) delete properties[jsxMark]
    else properties[mark] = ''
  }
  const parsed = raw(tree, { file: new VFile(body) }) as Root
  const html = new AuthoredHtml(parsed, mark, new HtmlSource(parts, body))
  for (const part of parts) html.judgeMarkup(part)
  return html.result()
}

/** The elements that authors may write: fewer than in rendered Markdown. */
const authoredSchema: Schema = {
  ...schema,
  // Elements are checked one by one; the parser leaves no cell outside a table.
  ancestors: {},
  required: {},
  attributes: {
    ...schema.attributes,
    a: ['ariaDescribedBy', 'ariaLabel', 'ariaLabelledBy', 'href'],
    h2: [],
    li: [],
    ol: ['ariaDescribedBy', 'ariaLabel', 'ariaLabelledBy'],
    blockquote: ['cite'],
    p: [],
    section: [],
    ul: ['ariaDescribedBy', 'ariaLabel', 'ariaLabelledBy'],
  },
  protocols: { ...schema.protocols, href: ['http', 'https', 'mailto'] },
}

/** Markup at the beginning of a fragment that produces no element. */
const markupKinds = [
  [/^<\?/, 'instruction'],
  [/^<!\[CDATA\[/, 'section'],
  [/^<![a-z]/i, 'declaration'],
] as const

/** Attributes that name an element or refer to one by name. */
const idAttributes = ['id', 'name', 'ariaDescribedBy', 'ariaLabelledBy', 'headers', 'htmlFor']

class AuthoredHtml {
  readonly #tree: Root
  readonly #mark: string
  readonly #source: HtmlSource
  readonly #urls: AuthoredUrls
  readonly #removals = new Removals()
  readonly #ids = new Set<string>()
  #tooDeep: Element | undefined

  constructor(tree: Root, mark: string, source: HtmlSource) {
    this.#tree = tree
    this.#mark = mark
    this.#source = source
    this.#urls = new AuthoredUrls(authoredSchema, source)
  }

  /**
   * Reports markup that produces no element: declarations, instructions, and comments that swallow the rest of the
   * text.
   */
  judgeMarkup(part: Html): void {
    const { value } = part
    const lastComment = value.lastIndexOf('<!--')
    const isOpen = lastComment !== -1 && !value.includes('-->', lastComment + 2)
    const what = isOpen ? 'comment' : markupKinds.find(([pattern]) => pattern.test(value))?.[1]
    if (what !== undefined) this.#removals.addMarkup(what, placeOf(part))
  }

  result(): ParsedHtml {
    for (const { element, depth } of elementsWithDepth(this.#tree)) {
      if (depth > elementDepthMax) this.#tooDeep ??= element
      else if (this.#mark in element.properties) delete element.properties[this.#mark]
      else this.#judge(element)
    }
    const problems = [...this.#removals.problems(), ...limitProblems(this.#urls.problems)]
    return {
      tree: this.#tree,
      targets: this.#urls.targets,
      ids: this.#ids,
      problems: this.#tooDeep === undefined ? problems : [tooDeep(this.#placeOf(this.#tooDeep))],
      setUrls: () => this.#urls.write(),
    }
  }

  /** Removes what an authored element may not have. */
  #judge(element: Element): void {
    const { tagName } = element
    const place = this.#placeOf(element)
    const isKept = schema.tagNames?.includes(tagName) === true
    if (!isKept || (tagName === 'input' && element.properties['type'] !== 'checkbox')) {
      const isStripped = schema.strip?.includes(tagName) === true || tagName === 'template'
      this.#removals.addElement(tagName, isStripped, place)
      if (isKept) element.tagName = 'removed'
      return
    }
    const source: UrlSource = { offset: element.position?.start.offset ?? -1, place }
    this.#urls.take(element, source)
    const kept = allowed(element)
    for (const name of Object.keys(element.properties)) {
      if (isLess(kept[name], element.properties[name])) this.#removals.addAttribute(name, place)
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

  #placeOf({ position }: Element): Position {
    const start = position?.start
    return (
      (start?.offset === undefined ? undefined : this.#source.placeOf(start.offset)) ??
      start ??
      bodyStart
    )
  }
}

/** The allowed properties of an element. */
function allowed({ tagName, properties }: Element): Properties {
  const clean = sanitize({ type: 'element', tagName, properties, children: [] }, authoredSchema)
  return clean.type === 'element' ? clean.properties : {}
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
