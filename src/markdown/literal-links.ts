// Addresses that are links without any markup: looked for in trees whose text may have one. The extension goes through
// every tree four times, which takes a tenth of all rendering. Knows nothing of how the text was parsed.
import type { Nodes, Root } from 'mdast'

/** The part of a tree extension that is used (mdast-util-from-markdown); they come in nested lists. */
interface TreeExtension {
  readonly transforms?: readonly Transform[]
  readonly enter?: Readonly<Record<string, unknown>>
}

type Transform = (tree: Root) => unknown

/** The same extensions; the one for literal links leaves trees alone in which it would find nothing. */
export function sparingLiteralLinks(extensions: unknown): unknown {
  if (Array.isArray(extensions)) return extensions.map(sparingLiteralLinks)
  const extension = extensions as TreeExtension
  const { transforms, enter } = extension
  if (transforms === undefined || enter?.['literalAutolink'] === undefined) return extensions
  return { ...extension, transforms: transforms.map(spared) }
}

function spared(transform: Transform): Transform {
  return (tree) => (mayHaveLiteralLink(tree) ? transform(tree) : undefined)
}

/** Whether there is an `@`, a `://` or a `www.` in the text outside of links. */
export function mayHaveLiteralLink(tree: Root): boolean {
  // Not by recursion: a tree may be deeper than the stack.
  const waiting: Nodes[] = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'text' && /@|:\/\/|www\./i.test(node.value)) return true
    if ('children' in node && !linkTypes.has(node.type)) waiting.push(...node.children)
  }
  return false
}

const linkTypes: ReadonlySet<string> = new Set(['link', 'linkReference'])
