// The second parser: satteri, in Rust. Its trees equal those of remark-parse, except for constructs that are screened
// out.
import type { Definition, Image, Link, Nodes, Root } from 'mdast'
import { destinationSpan } from './destination-span.ts'
import { screenTree } from './tree-screen.ts'

export { differenceOf } from './tree-difference.ts'

/** Parses bodies that passed `screenSource`; null when the tree may differ from that of remark-parse. */
export type QuickParser = (body: string) => Root | null

/**
 * Loads the native module.
 *
 * @returns null when it is not installed, or does not support this machine
 */
export async function loadQuickParser(): Promise<QuickParser | null> {
  try {
    const { markdownToMdast } = await import('satteri')
    return (body) => checked(treeOf(body, markdownToMdast), body)
  } catch {
    return null
  }
}

/** @returns null for a tree that is too deep or too large */
function treeOf(body: string, parse: typeof import('satteri').markdownToMdast): Root | null {
  try {
    return parse(body, { features: { gfm: true, frontmatter: false } }) as Root
  } catch {
    return null
  }
}

/** Adds the positions of destinations to the tree; null when it may differ from that of remark-parse. */
function checked(tree: Root | null, body: string): Root | null {
  if (tree === null) return null
  return screenTree(tree, body) === null && placeDestinations(tree, body) ? tree : null
}

/** Records the source ranges of destinations. @returns false when the source alone does not determine one */
export function placeDestinations(tree: Root, body: string): boolean {
  const stack: Nodes[] = [tree]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('children' in node) stack.push(...node.children)
    if (!isWritten(node, body)) continue
    const destination = destinationSpan(node, body)
    if (destination === null) return false
    if (destination !== undefined) node.data = { ...node.data, destination }
  }
  return true
}

/** Links without brackets have no separate destination. */
function isWritten(node: Nodes, body: string): node is Link | Image | Definition {
  if (node.type === 'link') return body[node.position?.start.offset ?? 0] === '['
  return node.type === 'image' || node.type === 'definition'
}
