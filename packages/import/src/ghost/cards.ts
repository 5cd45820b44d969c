// Replaces cards of Ghost's editor that depend on scripts (players and previews) by their content.
import type { Element, ElementContent, Root, RootContent } from 'hast'
import { classesOf, element } from '../html/clean.ts'
import { lastSegment } from '../slugs.ts'

/** Replaces cards in place. @param leave called for each image that is removed with its card */
export function replaceCards(tree: Root | Element, leave: () => void): void {
  tree.children = tree.children.flatMap((node): ElementContent[] => {
    if (node.type !== 'element') return [node as ElementContent]
    const classes = classesOf(node)
    if (classes.includes('kg-audio-card')) return player(node, 'audio')
    if (classes.includes('kg-video-card')) return player(node, 'video')
    if (classes.includes('kg-bookmark-card')) return bookmark(node, leave)
    replaceCards(node, leave)
    return [node]
  }) as RootContent[] & ElementContent[]
}

/** A paragraph with a link to the file of a player, in a figure if there is a caption. */
function player(card: Element, tagName: string): ElementContent[] {
  const source = find(card, (node) => node.tagName === tagName)?.properties.src
  const href = typeof source === 'string' ? source : ''
  const value = textOf(byClass(card, 'kg-audio-title')) || lastSegment(href) || tagName
  const text: ElementContent = { type: 'text', value }
  const link = element('p', {}, href === '' ? [text] : [element('a', { href }, [text])])
  const caption = find(card, (node) => node.tagName === 'figcaption')
  return [caption === undefined ? link : element('figure', {}, [link, caption])]
}

/** The preview of another page: its title as a link, and its texts, without images. */
function bookmark(card: Element, leave: () => void): ElementContent[] {
  const container = byClass(card, 'kg-bookmark-container')
  const href = container?.properties.href
  if (container === undefined || typeof href !== 'string') return [card]
  find(container, ({ tagName }) => {
    if (tagName === 'img') leave()
    return false
  })
  const value = textOf(byClass(card, 'kg-bookmark-title')) || href
  const texts = ['description', 'author', 'publisher']
    .map((name) => textOf(byClass(card, `kg-bookmark-${name}`)))
    .filter((text) => text !== '')
  const caption = find(card, (node) => node.tagName === 'figcaption')
  return [
    element('p', {}, [element('a', { href }, [{ type: 'text', value }])]),
    ...texts.map((text) => element('p', {}, [{ type: 'text', value: text }])),
    ...(caption === undefined ? [] : [element('p', {}, caption.children)]),
  ]
}

function byClass(node: Element, name: string): Element | undefined {
  return find(node, (candidate) => classesOf(candidate).includes(name))
}

/** The first element below a node for which a test holds. */
function find(node: Element, isFound: (node: Element) => boolean): Element | undefined {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    const found = isFound(child) ? child : find(child, isFound)
    if (found !== undefined) return found
  }
  return undefined
}

function textOf(node: ElementContent | undefined): string {
  if (node === undefined) return ''
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('').trim() : ''
}
