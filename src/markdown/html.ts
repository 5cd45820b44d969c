// Reads HTML: the elements of a tree, and the tags of the text that `serialized` writes.
import type { Element, Nodes } from 'hast'

/** Every element in document order, with its depth; without recursion, so that no depth overflows the stack. */
export function* elementsWithDepth(
  root: Nodes,
): Generator<{ readonly element: Element; readonly depth: number }, void, undefined> {
  const waiting: { readonly node: Nodes; readonly depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    if (node.type === 'element') yield { element: node, depth }
    if (!('children' in node)) continue
    for (const child of node.children.toReversed()) waiting.push({ node: child, depth: depth + 1 })
  }
}

/** Every element in document order. */
export function* elementsOf(root: Nodes): Generator<Element, void, undefined> {
  for (const { element } of elementsWithDepth(root)) yield element
}

/** The tags of serialized HTML with their ranges. */
export function* tagsOf(
  html: string,
): Generator<readonly [tag: string, start: number, end: number], void, undefined> {
  // Serialized values contain neither `<` nor `>`.
  for (const { 0: tag, index } of html.matchAll(/<[^<>]*>/g)) yield [tag, index, index + tag.length]
}

/** The value of an attribute, without character references; null when absent. @param tag as it is serialized */
export function attributeValue(tag: string, name: string): string | null {
  for (const [, found, value = ''] of tag.matchAll(/ ([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi)) {
    if (found === name) return attributeText(value)
  }
  return null
}

/** Replaces the character references in a serialized value. */
export function attributeText(value: string): string {
  return value.replace(/&#x([0-9A-F]+);/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )
}

/** Escapes `<` and `>` for an attribute value, in the style of `hast-util-to-html`. */
export function escapeBrackets(text: string): string {
  return text.replace(/[<>]/g, (sign) => (sign === '<' ? '&#x3C;' : '&#x3E;'))
}

/** Escapes a text for an attribute value. */
export function escapeAttribute(text: string): string {
  return escapeBrackets(text.replaceAll('&', '&#x26;').replaceAll('"', '&#x22;'))
}
