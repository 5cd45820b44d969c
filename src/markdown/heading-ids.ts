// Adds ids to headings as link targets.

import Slugger, { slug } from 'github-slugger'
import type { Element, ElementContent, Nodes, Root } from 'hast'
import { elementsOf } from './html.ts'

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
