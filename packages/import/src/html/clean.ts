// Prepares the HTML of an export: removes scripts and meaningless markup, replaces embeds by links.

import type { Element, ElementContent, Root, RootContent } from 'hast'
import { trimmedEnd } from '../parts.ts'
import { pageOf } from '../static/embeds.ts'

/** Maps the URL of an image or a link; returns the same URL to keep it. */
export type RewriteUrl = (url: string, use: 'image' | 'link') => string

/** Options of `cleanTree`. */
export interface CleanOptions {
  readonly rewriteUrl?: RewriteUrl | undefined
  /** Called for each element that is replaced by a link to its content, or removed with its content. */
  readonly report: (what: 'linked' | 'removed', name: string) => void
}

/** Prepares a tree in place. Removes comments, except for `more`, the end of an excerpt. */
export function cleanTree(tree: Root, options: CleanOptions): void {
  tree.children = tree.children.flatMap((node) => cleanNode(node, tree, options))
}

function cleanNode(
  node: RootContent,
  parent: Root | Element,
  options: CleanOptions,
): ElementContent[] {
  if (node.type === 'text') return [node]
  if (node.type === 'comment') return isMore(node.value) ? endOfExcerpt() : []
  if (node.type !== 'element') return []
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

function isMore(comment: string): boolean {
  return /^\s*more(\s|$)/.test(comment)
}

/** Surrounded by white space, so that the words remain separate if both ends share a paragraph. */
function endOfExcerpt(): ElementContent[] {
  const space = { type: 'text' as const, value: ' ' }
  return [space, { type: 'comment', value: ' more ' }, { ...space }]
}

/** Scripts, and controls that need scripts. */
const codeElements: ReadonlySet<string> = new Set(
  'script style template noscript head title meta link base svg select textarea datalist canvas'.split(
    ' ',
  ),
)

/** Elements that embed another document. */
const embeds: ReadonlySet<string> = new Set('iframe video audio object embed'.split(' '))

/** Elements that readers do not see: removing them loses nothing. */
const silent: ReadonlySet<string> = new Set(
  'style template noscript head title meta link base'.split(' '),
)

function remove(node: Element, { report }: CleanOptions): ElementContent[] {
  if (!silent.has(node.tagName)) report('removed', node.tagName)
  return []
}

/** Replaces an embed by a link to its content, as a separate paragraph where possible. */
function cleanEmbed(
  node: Element,
  parent: Root | Element,
  options: CleanOptions,
): ElementContent[] {
  const url = urlOfEmbed(node)
  if (url === undefined) return remove(node, options)
  options.report('linked', node.tagName)
  const { title } = node.properties
  const text = typeof title === 'string' && title.trim() !== '' ? title.trim() : url
  const href = options.rewriteUrl?.(url, 'link') ?? url
  const link = element('a', { href }, [{ type: 'text', value: text }])
  const isFlow = parent.type === 'root' || flow.has(parent.tagName)
  return [isFlow ? element('p', {}, [link]) : link]
}

const flow: ReadonlySet<string> = new Set(
  'article aside blockquote center div figure footer header li main section td'.split(' '),
)

function urlOfEmbed(node: Element): string | undefined {
  const { src, data } = node.properties
  const named = [src, data].find((value) => typeof value === 'string' && value !== '')
  if (typeof named === 'string') return pageOf(named.startsWith('//') ? `https:${named}` : named)
  for (const child of node.children) {
    if (child.type !== 'element') continue
    const found = urlOfEmbed(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Moves the language of a code block to where CommonMark renderers write it. */
function nameLanguage(pre: Element): void {
  const [code] = pre.children.filter((child) => child.type === 'element')
  const target = code?.type === 'element' && code.tagName === 'code' ? code : undefined
  const classes = [pre, ...(target === undefined ? [] : [target])].flatMap(classesOf)
  const named = classes
    .map((name) => /^(?:language-|lang-|lang:)([^\s:]+)$/.exec(name)?.[1])
    .find(Boolean)
  const brush = /(?:^|\s)brush:\s*([\w#+-]+)/.exec(classes.join(' '))?.[1]
  // Attributes of common plugins of WordPress.
  const { dataEnlighterLanguage, lang } = pre.properties
  const stated = [dataEnlighterLanguage, lang].find((value) => typeof value === 'string')
  const found = named ?? brush ?? (typeof stated === 'string' ? stated : undefined)
  if (found === undefined) return
  const marked = { className: [`language-${found.replace(/;$/, '')}`] }
  if (target === undefined) pre.children = [element('code', marked, pre.children)]
  else target.properties = { ...target.properties, ...marked }
}

/** The classes of an element. */
export function classesOf({ properties }: Element): readonly string[] {
  return Array.isArray(properties.className) ? properties.className.map(String) : []
}

function rewriteUrls({ tagName, properties }: Element, rewrite: RewriteUrl | undefined): void {
  if (rewrite === undefined) return
  if (tagName === 'img' && typeof properties.src === 'string')
    properties.src = rewrite(properties.src, 'image')
  if (tagName === 'a' && typeof properties.href === 'string')
    properties.href = rewrite(properties.href, 'link')
}

/** Elements that become Markdown delimiters, which may not enclose white space at their edges. */
const edged: ReadonlySet<string> = new Set('a b strong i em s del strike'.split(' '))

/** Moves white space at the edges out of an element; removes elements without content. */
function withoutEdges(node: Element): ElementContent[] {
  const before = takeEdge(node.children, 'first')
  const after = takeEdge(node.children, 'last')
  const isEmpty = node.children.length === 0 && node.properties.id === undefined
  return [
    ...(before ? [{ type: 'text' as const, value: ' ' }] : []),
    ...(isEmpty ? [] : [node]),
    ...(after ? [{ type: 'text' as const, value: ' ' }] : []),
  ]
}

function takeEdge(children: ElementContent[], edge: 'first' | 'last'): boolean {
  let isTaken = false
  for (;;) {
    const child = edge === 'first' ? children[0] : children.at(-1)
    if (child?.type !== 'text') return isTaken
    const rest =
      edge === 'first'
        ? child.value.replace(/^[ \t\r\n\f]+/, '')
        : trimmedEnd(child.value, ' \t\r\n\f')
    if (rest === child.value) return isTaken
    isTaken = true
    child.value = rest
    if (rest !== '') return true
    if (edge === 'first') children.shift()
    else children.pop()
  }
}

/** Creates an HTML element. */
export function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children }
}
