// Converts JSX in an MDX tree: HTML elements stay, components are replaced by their children, and removals are
// reported.
import type { Html, Nodes, Paragraph, Parent, PhrasingContent, Root } from 'mdast'
import type { MdxFlowExpression, MdxTextExpression } from 'mdast-util-mdx-expression'
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx-jsx'
import { find, html } from 'property-information'
import { type Position, quote } from '../diagnostics.ts'
import { literalOf } from './jsx-literal.ts'
import { jsxMark } from './jsx-mark.ts'
import { bodyStart, type Problem, placeOf } from './problem.ts'
import { isComments } from './raw-html.ts'
import { schema } from './schema.ts'

type Jsx = MdxJsxFlowElement | MdxJsxTextElement
type Expression = MdxFlowExpression | MdxTextExpression

/** Converts the JSX of one body to Markdown and HTML. */
export class JsxReader {
  /** Start tags of HTML elements, as fragments of raw HTML. */
  readonly tags: Html[] = []
  readonly #body: string
  readonly #keepsHtml: boolean
  readonly #shift: number
  /** Removed names and their number. */
  readonly #left = new Map<string, number>()
  #first: Position | undefined

  /** @param statements positions of removed statements @param keepsHtml true to keep HTML elements */
  constructor(body: string, statements: readonly Position[], keepsHtml: boolean) {
    this.#keepsHtml = keepsHtml
    this.#body = body
    this.#shift = body.startsWith('\uFEFF') ? 1 : 0
    for (const place of statements) this.#leave('import and export statements', place)
  }

  /** Converts a tree in place. Without recursion: a tree may be deeper than the stack. */
  read(tree: Root): void {
    const waiting: Parent[] = [tree]
    for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
      for (let at = 0; at < parent.children.length; ) {
        const node = parent.children[at] as Nodes
        const replaced = this.#replacement(node, parent, at === parent.children.length - 1)
        if (replaced !== undefined) {
          parent.children.splice(at, 1, ...(replaced as typeof parent.children))
          continue
        }
        if ('children' in node) waiting.push(node)
        at++
      }
    }
  }

  /** One warning for all removals. */
  problems(): readonly Problem[] {
    if (this.#first === undefined) return []
    const names = [...this.#left].map(([name, count]) =>
      count === 1 ? name : `${name} (${count})`,
    )
    const shown = names.slice(0, shownMax).join(', ')
    const more = names.length > shownMax ? ` and ${names.length - shownMax} more` : ''
    return [
      {
        line: this.#first.line,
        column: this.#first.column,
        code: 'mdx-left-out',
        severity: 'warning',
        message: `MDX is read as Markdown. Left out: ${shown}${more}.`,
        hint: 'The children of components are kept; write what is missing in Markdown or HTML.',
      },
    ]
  }

  /** @returns the replacement of a node; undefined when it stays */
  #replacement(node: Nodes, parent: Parent, isLast: boolean): readonly Nodes[] | undefined {
    if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression') {
      return this.#expression(node, parent, isLast)
    }
    if (node.type === 'paragraph') return this.#keepsHtml ? blocksIn(node) : undefined
    if (!isJsx(node)) return undefined
    if (node.data?.hName !== undefined) return undefined
    const { name } = node
    if (name !== null && this.#keepsHtml && isHtml(name)) {
      this.#keep(node, name)
      return undefined
    }
    if (name !== null) this.#leave(`<${name.slice(0, 40)}>`, placeOf(node))
    return node.children
  }

  /** The text of a literal, an id at the end of a heading, or nothing. */
  #expression(node: Expression, parent: Parent, isLast: boolean): readonly Nodes[] {
    const id = /^(?:#|\/\*\s*)([\p{L}\p{N}_.:-]+)(?:\s*\*\/)?$/u.exec(node.value.trim())?.[1]
    if (id !== undefined && isLast && parent.type === 'heading') {
      const before = parent.children.at(-2)
      if (before?.type === 'text') before.value = before.value.trimEnd()
      return [textOf(` {#${id}}`)]
    }
    if (isComments(node.value, '/*', '*/')) return []
    const literal = literalOf(node.value)
    if (literal === undefined) {
      this.#leave(quote(`{${node.value}}`), placeOf(node))
      return []
    }
    const text = textOf(literal)
    return node.type === 'mdxFlowExpression' ? [{ type: 'paragraph', children: [text] }] : [text]
  }

  /** Renders an element as HTML. */
  #keep(node: Jsx, name: string): void {
    const properties: Record<string, string> = { [jsxMark]: '' }
    for (const attribute of node.attributes) {
      const value =
        attribute.type === 'mdxJsxAttribute' ? attributeValue(attribute.value) : undefined
      const given = attribute.type === 'mdxJsxAttribute' ? attribute.name : '{…}'
      const { property } = find(html, given)
      const kept = value === undefined ? undefined : keptValue(name, property, value)
      if (kept === undefined) this.#leaveAttribute(given, node)
      else properties[property] = kept
    }
    if (phrasingParents.test(name)) {
      node.children = node.children.flatMap((child) =>
        child.type === 'paragraph' ? child.children : [child],
      ) as typeof node.children
    }
    node.data = { ...node.data, hName: name, hProperties: properties } as typeof node.data
    this.#addTag(node)
  }

  #leaveAttribute(name: string, node: Jsx): void {
    // `key` matters only to React.
    if (name !== 'key') this.#leave(`the attribute ${name.slice(0, 40)}`, placeOf(node))
  }

  #addTag({ position, children }: Jsx): void {
    const start = position?.start
    const end = children[0]?.position?.start ?? position?.end
    if (start?.offset === undefined || end?.offset === undefined) return
    const value = this.#body.slice(start.offset + this.#shift, end.offset + this.#shift)
    this.tags.push({ type: 'html', value, position: { start, end } })
  }

  #leave(what: string, place: Position): void {
    this.#left.set(what, (this.#left.get(what) ?? 0) + 1)
    this.#first ??= { ...bodyStart, line: place.line, column: place.column }
  }
}

const shownMax = 12

/** Elements that cannot contain a paragraph. */
const phrasingParents = /^(?:p|h[1-6]|summary)$/
const blocks =
  /^(?:blockquote|details|div|dl|dt|dd|figcaption|figure|h[1-6]|hr|li|ol|p|picture|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/

function isJsx(node: Nodes): node is Jsx {
  return node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement'
}

/** The elements of a paragraph of block elements only, which needs no paragraph around them. */
function blocksIn({ children }: Paragraph): readonly Nodes[] | undefined {
  const elements = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const areBlocks = elements.every((child) => isJsx(child) && blocks.test(child.name ?? ''))
  return areBlocks && elements.length > 0 ? elements : undefined
}

function textOf(value: string): PhrasingContent {
  return { type: 'text', value }
}

/** True for an allowed HTML element; component names begin with a capital or contain a dot or a hyphen. */
function isHtml(name: string): boolean {
  return /^[a-z][a-z0-9]*$/.test(name) && schema.tagNames?.includes(name) === true
}

/** @returns undefined for a value that only JavaScript can compute */
function attributeValue(value: MdxValue): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return literalOf(value.value)
}

type MdxValue = string | null | undefined | { readonly value: string }

/** @returns undefined for an attribute without meaning in a page without scripts and styles */
function keptValue(tagName: string, property: string, value: string): string | undefined {
  if (property !== 'className') return isAllowed(tagName, property) ? value : undefined
  const [language] =
    tagName === 'code' ? value.split(/\s+/).filter((one) => /^language-./.test(one)) : []
  return language
}

function isAllowed(tagName: string, property: string): boolean {
  return [schema.attributes?.[tagName] ?? [], schema.attributes?.['*'] ?? []]
    .flat()
    .some((entry) => {
      return (typeof entry === 'string' ? entry : entry[0]) === property
    })
}
