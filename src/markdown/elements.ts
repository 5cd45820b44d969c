// Iterates over the elements of an HTML tree in document order.
import type { Element, Nodes } from 'hast'

/** An element and its nesting depth. */
interface PlacedElement {
  readonly element: Element
  readonly depth: number
}

/** Every element; without recursion, so that no depth overflows the stack. */
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

export function* elementsOf(root: Nodes): Generator<Element, void, undefined> {
  for (const { element } of elementsWithDepth(root)) yield element
}
