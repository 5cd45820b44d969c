// Reads MDX as Markdown: keeps HTML elements and the children of components, removes statements and expressions,
// and reports them. Never evaluates JavaScript.
import { toHtml } from 'hast-util-to-html'
import type { Nodes, Paragraph, Parent, Root, RootContent } from 'mdast'
import { find, html as htmlAttributes } from 'property-information'
import { CONTINUE, SKIP, visitParents } from 'unist-util-visit-parents'
import { VFileMessage } from 'vfile-message'
import type { Finding } from '../content/source.ts'
import { quote } from '../diagnostics.ts'
import { escaped } from './html.ts'
import { rangeOf, warning } from './problem.ts'
import { type JsxElement, type Parsers, parsers as usualParsers } from './processor.ts'
import { authoredSchema } from './schema.ts'

/**
 * Reads an MDX body. Reads an invalid one as Markdown with HTML.
 *
 * @param keepsHtml true keeps HTML elements with their `tags`; false keeps only their content
 */
export function readMdx(
  body: string,
  keepsHtml: boolean,
  parsers: Parsers,
): { readonly tree: Root; readonly problems: readonly Finding[] } {
  try {
    const tree = parsers.mdx(withoutMarkdown(body))
    const left: Removed = new Map()
    visitParents(tree, (node, ancestors) => {
      const parent: Parent | undefined = ancestors.at(-1)
      const replaced = parent && replacement(node, parent, { body, keepsHtml, left })
      if (parent === undefined || replaced === undefined) return CONTINUE
      const at = parent.children.indexOf(node as RootContent)
      parent.children.splice(at, 1, ...(replaced as RootContent[]))
      return [SKIP, at]
    })
    return { tree, problems: removedProblems(left) }
  } catch (error) {
    if (!(error instanceof VFileMessage)) throw error
    const tree = parsers.markdown(body)
    const isStatement = (node: Nodes): boolean =>
      node.type === 'paragraph' && statement.test(body.slice(...rangeOf(node)))
    tree.children = tree.children.filter((node) => !isStatement(node))
    return { tree, problems: [invalid(error, body)] }
  }
}

/** Matches a statement, but not a sentence that begins with its keyword. */
const statement = /^(?:import\s[\s\S]*['"]|export\s*(?:const|default|function|let|[{*]))/

/**
 * Replaces Markdown that is not MDX by text of the same length: HTML comments and brackets of autolinks by spaces; the
 * mark of an excerpt, and `#id` in `{#id}` at the end of a heading, by a number.
 */
function withoutMarkdown(body: string): string {
  if (!/<!--|<[^\s<>]*[:@]|\{#/.test(body)) return body
  let text = body
  visitParents(usualParsers.markdown(body), (node) => {
    const [start, end] = rangeOf(node)
    if (node.type === 'link' && body[start] !== '<') return
    for (const { 0: found, index } of body.slice(start, end).matchAll(notMdx[node.type] ?? /$^/g)) {
      const from = start + index
      text = text.slice(0, from) + maskText(found) + text.slice(from + found.length)
    }
  })
  return text
}

function maskText(found: string): string {
  if (found.startsWith('#')) return '1'.repeat(found.length)
  return isMark(found) ? `{${'1'.repeat(found.length - 2)}}` : found.replace(/[^\r\n]/g, ' ')
}

function isMark(text: string): boolean {
  return /^<!--\s*more\s*-->$/i.test(text)
}

/** Patterns of such text by type of node. An unclosed comment stays, and is a syntax error. */
const notMdx: Readonly<Record<string, RegExp>> = {
  html: /<!--(?:(?!<!--)[\s\S])*?-->/g,
  link: /^<|>$/g,
  heading: /(?<=\{)#[\p{L}\p{N}_.:-]+(?=\}\s*$)/gu,
}

function invalid({ reason, line, column }: VFileMessage, body: string): Finding {
  // The position of an unclosed tag appears only in the message.
  const [, textLine, textColumn] = /\((\d+):(\d+)-/.exec(reason) ?? []
  const shown = reason.replace(/ \(\d+:\d+-\d+:\d+\)| with acorn$/g, '').slice(0, 200)
  const above = body.split('\n', Number(line ?? textLine ?? 1) - 1).map((text) => `${text}\n`)
  const offset = above.join('').length + Number(column ?? textColumn ?? 1) - 1
  const message = `This is not valid MDX, so the body is read as Markdown with HTML: ${shown}.`
  const hint = 'Close every element and brace; write "\\{" and "&lt;" for characters of the text.'
  return warning('mdx-syntax', offset, message, hint)
}

type Expression = Extract<Nodes, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>

/** Offsets of removed parts, by name. */
type Removed = Map<string, number[]>

function recordRemoved(left: Removed, name: string, node: Nodes): void {
  left.set(name, [...(left.get(name) ?? []), rangeOf(node)[0]])
}

/** Returns one warning for all removed parts, at the offset of the first. */
function removedProblems(left: Removed): readonly Finding[] {
  const [first] = left.values()
  if (first === undefined) return []
  const names = Array.from(left, ([name, { length }]) =>
    length === 1 ? name : `${name} (${length})`,
  )
  const message = `MDX is read as Markdown. Left out: ${names.join(', ')}.`
  const hint = 'The children of components are kept; write what is missing in Markdown or HTML.'
  return [warning('mdx-left-out', first[0] ?? 0, message, hint)]
}

/** A body that is being read. */
interface Source {
  readonly body: string
  readonly keepsHtml: boolean
  readonly left: Removed
}

/** Returns the replacement of a node; undefined if it stays. */
function replacement(node: Nodes, parent: Parent, source: Source): readonly Nodes[] | undefined {
  const { keepsHtml, left } = source
  if (node.type === 'mdxjsEsm') {
    for (const _ of node.data?.estree?.body ?? []) {
      recordRemoved(left, 'import and export statements', node)
    }
    return []
  }
  if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression') {
    return expression(node, parent, source)
  }
  if (node.type === 'paragraph') return keepsHtml ? blocksIn(node) : undefined
  if (!isJsx(node)) return undefined
  const { name } = node
  // Other names are those of components, which begin with a capital, or contain a dot or a hyphen.
  if (name !== null && keepsHtml && authoredSchema.tagNames?.includes(name) === true) {
    keepAsHtml(node, name, source)
    return undefined
  }
  if (name !== null) recordRemoved(left, `<${name.slice(0, 40)}>`, node)
  return node.children
}

/** Returns the text of a literal, an id at the end of a heading, the mark of an excerpt, or nothing. */
function expression(node: Expression, parent: Parent, { body, left }: Source): readonly Nodes[] {
  const written = body.slice(...rangeOf(node))
  const inner = written.slice(1, -1).trim()
  const isLast = parent.children.at(-1) === node
  const id = /^(?:#|\/\*\s*)([\p{L}\p{N}_.:-]+)(?:\s*\*\/)?$/u.exec(inner)?.[1]
  const isId = id !== undefined && isLast && parent.type === 'heading'
  const before = isLast ? parent.children.at(-2) : undefined
  if ((isId || isMark(written)) && before?.type === 'text') before.value = before.value.trimEnd()
  if (isId) return [{ type: 'text', value: ` {#${id}}` }]
  if (isMark(written)) return [{ type: 'html', value: '<!--more-->' }]
  // The expression contains only comments.
  if (node.data?.estree?.body.length === 0) return []
  const literal = literalOf(node)
  if (literal === undefined) {
    recordRemoved(left, quote(`{${node.value}}`), node)
    return []
  }
  const text = { type: 'text', value: literal === true ? '' : literal } as const
  return node.type === 'mdxFlowExpression' ? [{ type: 'paragraph', children: [text] }] : [text]
}

/** Keeps an element as HTML. */
function keepAsHtml(node: JsxElement, name: string, { body, left }: Source): void {
  const [offset] = rangeOf(node)
  const start: [text: string, offset: number][] = [[`<${name}`, offset]]
  for (const attribute of node.attributes) {
    const written = attribute.type === 'mdxJsxAttribute' ? attribute.name : '{…}'
    const value = attributeValue(attribute)
    // `key` matters only to React.
    if (written === 'key') continue
    if (value === undefined) recordRemoved(left, `the attribute ${written.slice(0, 40)}`, node)
    else start.push([` ${find(htmlAttributes, written).attribute}`, offset])
    if (value === undefined || value === true) continue
    const text = escaped(value, /[&"]/g)
    start.push(['="', offset], [text, valueStart(attribute, body)], ['"', offset])
  }
  // These elements cannot contain a paragraph.
  if (/^(?:p|h[1-6]|summary)$/.test(name)) {
    node.children = node.children.flatMap((child) =>
      child.type === 'paragraph' ? child.children : [child],
    ) as typeof node.children
  }
  const empty = toHtml({ type: 'element', tagName: name, properties: {}, children: [] })
  const end = empty.slice(name.length + 2)
  node.data = { ...node.data, tags: [[...start, ['>', offset]], [[end, offset]]] }
}

/** Returns the offset of the value of an attribute. */
function valueStart(attribute: JsxElement['attributes'][number], body: string): number {
  const [start, end] = rangeOf(attribute)
  const [head = ''] = /^[^=]*=\s*\{?["']?/.exec(body.slice(start, end)) ?? []
  return start + head.length
}

const blocks =
  /^(?:blockquote|details|div|dl|dt|dd|figcaption|figure|h[1-6]|hr|li|ol|p|picture|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/

function isJsx(node: Nodes): node is JsxElement {
  return node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement'
}

/** Returns the elements of a paragraph that contains only block elements, which replace it; otherwise undefined. */
function blocksIn({ children }: Paragraph): readonly Nodes[] | undefined {
  const elements = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const areBlocks = elements.every((child) => isJsx(child) && blocks.test(child.name ?? ''))
  return areBlocks && elements.length > 0 ? elements : undefined
}

/** Returns the value of an attribute; undefined if only JavaScript can compute it. */
function attributeValue(attribute: JsxElement['attributes'][number]): string | true | undefined {
  if (attribute.type !== 'mdxJsxAttribute') return undefined
  const { value } = attribute
  return typeof value === 'object' && value !== null ? literalOf(value) : (value ?? true)
}

/** Returns the value of a string, a template without expressions, a number or `true`; undefined for other values. */
function literalOf({ data }: { readonly data?: Expression['data'] }): string | true | undefined {
  const [statement] = data?.estree?.body ?? []
  if (statement?.type !== 'ExpressionStatement') return undefined
  const { expression } = statement
  if (expression.type === 'TemplateLiteral' && expression.expressions.length === 0) {
    return expression.quasis[0]?.value.cooked ?? undefined
  }
  if (expression.type !== 'Literal') return undefined
  const { value, raw } = expression
  if (typeof value === 'number') return raw
  return typeof value === 'string' || value === true ? value : undefined
}
