// Creates paragraphs and line breaks from line ends as WordPress does, but on the tree rather than the text.

import type { Element, ElementContent, Root, RootContent, Text } from 'hast'
import { element } from '../html/clean.ts'
import { isBlock } from '../html/raw-html.ts'
import { trimmedEnd } from '../parts.ts'

/**
 * Creates paragraphs in place, separated by blank lines.
 *
 * @param breaks true to convert single line ends to `br`, as for texts of the classic editor
 */
export function makeParagraphs(tree: Root, breaks: boolean): void {
  tree.children = inParagraphs(tree, breaks)
}

/** Elements in which blank lines separate paragraphs. */
const containers: ReadonlySet<string> = new Set(
  'article aside blockquote center dd details div figcaption footer header li main section td th'.split(
    ' ',
  ),
)

/** Elements whose text gets paragraphs only if there are several. */
const tight: ReadonlySet<string> = new Set('center dd div figcaption li td th'.split(' '))

/** Elements whose line ends are preserved. */
const verbatim: ReadonlySet<string> = new Set('pre script style textarea svg code'.split(' '))

function inParagraphs(parent: Root | Element, breaks: boolean): ElementContent[] {
  const isTight = parent.type === 'element' && tight.has(parent.tagName)
  const parts: (ElementContent[] | Element)[] = []
  let run: ElementContent[] = []
  for (const node of parent.children as (RootContent & ElementContent)[]) {
    if (!isFlow(node)) {
      run.push(node)
      continue
    }
    parts.push(...segments(run), descend(node as Element, breaks))
    run = []
  }
  parts.push(...segments(run))
  const isAlone = parts.filter((part) => Array.isArray(part)).length <= 1
  return parts.flatMap((part): ElementContent[] => {
    if (!Array.isArray(part)) return [part]
    const content = breaks ? withBreaks(part) : part
    const isComment = content.every(({ type }) => type === 'comment')
    return isComment || (isTight && isAlone) ? content : [element('p', {}, content)]
  })
}

function isFlow(node: ElementContent): boolean {
  return isBlock(node) || (node.type === 'element' && node.tagName === 'iframe')
}

function descend(node: Element, breaks: boolean): Element {
  if (verbatim.has(node.tagName) || !breaks) return node
  if (containers.has(node.tagName)) node.children = inParagraphs(node, breaks)
  else if (/^(?:p|h[1-6]|dt|summary)$/.test(node.tagName))
    node.children = withBreaks(trimmed(node.children))
  else
    node.children = node.children.map((child) =>
      child.type === 'element' ? descend(child, breaks) : child,
    )
  return node
}

/** Splits nodes at blank lines, trims the parts and omits empty ones. */
function segments(run: readonly ElementContent[]): ElementContent[][] {
  const all: ElementContent[][] = [[]]
  for (const node of run) {
    if (node.type === 'comment') {
      all.push([node], [])
      continue
    }
    const [first = '', ...others] = node.type === 'text' ? node.value.split(/\n[ \t\r]*\n\s*/) : []
    if (node.type !== 'text') all.at(-1)?.push(node)
    else {
      all.at(-1)?.push(text(first))
      for (const other of others) all.push([text(other)])
    }
  }
  return all.map(trimmed).filter((segment) => segment.some((node) => !isBlank(node)))
}

function text(value: string): Text {
  return { type: 'text', value }
}

function isBlank(node: ElementContent): boolean {
  return node.type === 'text' && node.value.trim() === ''
}

/** Trims white space at both ends. */
function trimmed(nodes: readonly ElementContent[]): ElementContent[] {
  const kept = [...nodes]
  while (kept[0] !== undefined && isBlank(kept[0])) kept.shift()
  for (let last = kept.at(-1); last !== undefined && isBlank(last); last = kept.at(-1)) kept.pop()
  const [first, last] = [kept[0], kept.at(-1)]
  if (first?.type === 'text') kept[0] = text(first.value.trimStart())
  if (last?.type === 'text') kept[kept.length - 1] = text((kept.at(-1) as Text).value.trimEnd())
  return kept
}

/** Converts line ends to `br`, except next to an existing `br`. */
function withBreaks(nodes: readonly ElementContent[]): ElementContent[] {
  const out: ElementContent[] = []
  for (const node of nodes) {
    if (node.type === 'element' && !verbatim.has(node.tagName))
      node.children = withBreaks(node.children)
    if (node.type === 'text') out.push(...brokenText(node.value, isBreak(out.at(-1))))
    else {
      const last = out.at(-1)
      // A line end before a `br` adds no second one.
      if (isBreak(node) && last !== undefined && isBreak(last) && isMade(last)) out.pop()
      out.push(node)
    }
  }
  return out
}

function brokenText(value: string, isAfterBreak: boolean): ElementContent[] {
  const lines = (isAfterBreak ? value.replace(/^[ \t]*\n/, '') : value).split('\n')
  return lines
    .map((line, index) => (index === lines.length - 1 ? line : trimmedEnd(line, ' \t\r')))
    .flatMap((line, index) =>
      index === 0 ? [text(line)] : [element('br', { dataMade: '' }, []), text(line)],
    )
    .filter((node) => node.type !== 'text' || node.value !== '')
}

function isBreak(node: ElementContent | undefined): boolean {
  return node?.type === 'element' && node.tagName === 'br'
}

/** True for generated elements; sanitising removes the marker. */
function isMade(node: ElementContent): boolean {
  return node.type === 'element' && 'dataMade' in node.properties
}

/** Converts URLs that are alone in a paragraph, which WordPress shows as players, to links. */
export function linkAddresses(node: Root | Element): void {
  const [only, ...others] = node.children.filter((child) => !isBlank(child as ElementContent))
  const href = only?.type === 'text' && others.length === 0 ? only.value.trim() : ''
  const isPlace = node.type === 'element' && /^(?:p|div|figure)$/.test(node.tagName)
  if (isPlace && /^https?:\/\/[^\s<>"]+$/.test(href))
    node.children = [element('a', { href }, [text(href)])]
  else for (const child of node.children) if (child.type === 'element') linkAddresses(child)
}
