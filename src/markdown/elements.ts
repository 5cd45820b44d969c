// The elements of an HTML tree, in the order of the document.
import type { Element, Nodes } from 'hast'

/** An element, and how many nodes it is in. */
interface PlacedElement {
  readonly element: Element
  readonly depth: number
}

/** Every element; not by recursion, so that no depth overflows the stack. */
export function* elementsWithDepth(root: Nodes): Generator<PlacedElement, void, undefined> {
  const waiting: { readonly node: Nodes; readonly depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    if (node.type === 'element') yield { element: node, depth }
    if (!('children' in node)) continue
    for (let at = node.children.length - 1; at >= 0; at--) {
      waiting.push({ node: node.children[at] as Nodes, depth: depth + 1 })
    }
  }
}

/** Every element. */
export function* elementsOf(root: Nodes): Generator<Element, void, undefined> {
  for (const { element } of elementsWithDepth(root)) yield element
}
