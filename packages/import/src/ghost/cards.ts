// Replaces cards of Ghost's editor that depend on scripts (players and previews) by their content.
import type { Element, ElementContent, Root, RootContent } from 'hast'
import { classesOf, element } from '../html/clean.ts'
import { lastSegment } from '../slugs.ts'

/** Replaces cards in place. @param leave called for each image that is removed with its card */
export function replaceCards(tree: Root | Element, leave: () => void): void {
  tree.children = tree.children.flatMap((node): ElementContent[] => {
    if (node.type !== 'element') return [node as ElementContent]
    const card = classesOf(node)
      .map((name) => cards.get(name))
      .find(Boolean)
    if (card !== undefined) return card(node, leave)
    replaceCards(node, leave)
    return [node]
  }) as RootContent[] & ElementContent[]
}

type Card = (card: Element, leave: () => void) => ElementContent[]

const cards: ReadonlyMap<string, Card> = new Map<string, Card>([
  ['kg-audio-card', (card) => [linkTo(card, 'audio', textOf(find(card, 'kg-audio-title')))]],
  ['kg-bookmark-card', bookmark],
  ['kg-video-card', (card) => captioned(linkTo(card, 'video', ''), card)],
])

/** A paragraph with a link to the file of a player. */
function linkTo(card: Element, player: string, title: string): Element {
  const source = findTag(card, player)?.properties.src
  const href = typeof source === 'string' ? source : ''
  const name = lastSegment(href)
  const text: ElementContent = { type: 'text', value: title || name || player }
  return element('p', {}, href === '' ? [text] : [element('a', { href }, [text])])
}

function captioned(content: Element, card: Element): ElementContent[] {
  const caption = findTag(card, 'figcaption')
  return [caption === undefined ? content : element('figure', {}, [content, caption])]
}

/** The preview of another page: its title as a link, and its texts, without images. */
function bookmark(card: Element, leave: () => void): ElementContent[] {
  const container = find(card, 'kg-bookmark-container')
  const href = container?.properties.href
  if (container === undefined || typeof href !== 'string') return [card]
  countTags(container, 'img', leave)
  const titled = textOf(find(card, 'kg-bookmark-title')) || href
  const texts = ['kg-bookmark-description', 'kg-bookmark-author', 'kg-bookmark-publisher']
    .map((name) => textOf(find(card, name)))
    .filter((text) => text !== '')
  const caption = findTag(card, 'figcaption')
  return [
    element('p', {}, [element('a', { href }, [{ type: 'text', value: titled }])]),
    ...texts.map((value) => element('p', {}, [{ type: 'text', value }])),
    ...(caption === undefined ? [] : [element('p', {}, caption.children)]),
  ]
}

function find(node: Element, className: string): Element | undefined {
  return search(node, (candidate) => classesOf(candidate).includes(className))
}

function findTag(node: Element, tagName: string): Element | undefined {
  return search(node, (candidate) => candidate.tagName === tagName)
}

function countTags(node: Element, tagName: string, count: () => void): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    if (child.tagName === tagName) count()
    countTags(child, tagName, count)
  }
}

function search(node: Element, isFound: (node: Element) => boolean): Element | undefined {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    const found = isFound(child) ? child : search(child, isFound)
    if (found !== undefined) return found
  }
  return undefined
}

function textOf(node: ElementContent | undefined): string {
  if (node === undefined) return ''
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('').trim() : ''
}
