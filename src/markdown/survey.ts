// Collects what the checks of a body need, in one walk over its Markdown tree.

import type {
  Blockquote,
  Definition,
  Html,
  Image,
  ImageReference,
  Link,
  LinkReference,
  Nodes,
  Root,
  Text,
} from 'mdast'
import { normalizeUri } from 'micromark-util-sanitize-uri'
import type { Target } from './links.ts'
import { placeOf } from './problem.ts'

/** The collected nodes, in document order. */
export interface Survey {
  /** The first node nested more than `depthMax` deep; the walk ends there. */
  readonly tooDeep: Nodes | null
  readonly html: readonly RawHtml[]
  readonly quotes: readonly Blockquote[]
  readonly targets: readonly Target[]
  readonly texts: readonly Text[]
}

/** Raw HTML: a block, or a tag within text. */
export interface RawHtml {
  readonly node: Html
  readonly isBlock: boolean
}

/** Maximum nesting of rendered nodes; each level of a list takes two. */
export const depthMax = 100

/**
 * Surveys a tree without recursion, so that no depth overflows the stack.
 *
 * Cost: O(nodes).
 */
export function surveyTree(root: Root): Survey {
  const found = new Findings()
  const waiting: Step[] = [{ node: root, isPhrasing: false, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    if (depth > depthMax) return found.survey(node)
    found.add(next)
    if (!('children' in node)) continue
    const isPhrasing = !blockParents.has(node.type)
    for (const child of node.children.toReversed()) {
      waiting.push({ node: child, isPhrasing, depth: depth + 1 })
    }
  }
  return found.survey(null)
}

interface Step {
  readonly node: Nodes
  /** True for inline content, false among blocks. */
  readonly isPhrasing: boolean
  readonly depth: number
}

/** Collects nodes; resolves references at the end, when every definition is known. */
class Findings {
  readonly #html: RawHtml[] = []
  readonly #quotes: Blockquote[] = []
  readonly #links: (Link | Image | LinkReference | ImageReference)[] = []
  readonly #texts: Text[] = []
  readonly #definitions = new Map<string, Definition>()

  add({ node, isPhrasing }: Step): void {
    if (node.type === 'text') this.#texts.push(node)
    else if (node.type === 'html') this.#html.push({ node, isBlock: !isPhrasing })
    else if (node.type === 'blockquote') this.#quotes.push(node)
    else if (node.type === 'definition') this.#define(node)
    else if (linkTypes.has(node.type)) this.#links.push(node as Link)
  }

  survey(tooDeep: Nodes | null): Survey {
    return {
      tooDeep,
      html: this.#html,
      quotes: this.#quotes,
      targets: this.#links.flatMap((node) => this.#target(node)),
      texts: this.#texts,
    }
  }

  /** The first definition of a name wins (CommonMark 0.31.2 §4.7). */
  #define(node: Definition): void {
    const key = node.identifier.toUpperCase()
    if (!this.#definitions.has(key)) this.#definitions.set(key, node)
  }

  #target(node: Link | Image | LinkReference | ImageReference): readonly Target[] {
    const kind = node.type.startsWith('link') ? 'link' : 'image'
    const owner = 'url' in node ? node : this.#definitions.get(node.identifier.toUpperCase())
    if (owner === undefined) return []
    const { url, data } = owner
    const place = placeOf(owner)
    return [{ kind, url, href: normalizeUri(url), node: owner, place, span: data?.destination }]
  }
}

const linkTypes: ReadonlySet<string> = new Set(['link', 'image', 'linkReference', 'imageReference'])
const blockParents: ReadonlySet<string> = new Set([
  'root',
  'blockquote',
  'listItem',
  'footnoteDefinition',
])
