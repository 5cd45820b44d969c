// Adds ids to headings as link targets.

import Slugger from 'github-slugger'
import type { Element, ElementContent, Nodes, Root } from 'hast'
import { elementsOf } from './elements.ts'

/**
 * Gives every heading a unique id: the one that its author wrote (`# Title {#id}`), or GitHub's slug of its text. A
 * repeated id gets the suffix `-1`, `-2`.
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
    const id = slugger.slug(textOf(heading))
    if (id !== '') heading.properties['id'] = id
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

function textOf(node: Nodes | ElementContent): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
