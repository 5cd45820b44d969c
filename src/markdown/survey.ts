// Collects the nodes that checks need, in one walk over a syntax tree.
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
  Table,
} from 'mdast'

/** A link or image, its URL, and the node that contains the URL. */
export interface Target {
  readonly kind: 'link' | 'image'
  readonly url: string
  readonly node: Link | Image | Definition
}

/** The collected nodes, in document order. */
export interface Survey {
  /** The first node nested more than `depthMax` deep; the walk ends there. */
  readonly tooDeep: Nodes | null
  /** Raw HTML blocks. */
  readonly htmlBlocks: readonly Html[]
  /** Inline raw HTML. */
  readonly htmlTags: readonly Html[]
  readonly quotes: readonly Blockquote[]
  readonly hasHeadings: boolean
  readonly targets: readonly Target[]
  readonly tables: readonly Table[]
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
  const stack: Step[] = [{ node: root, isPhrasing: false, depth: 0 }]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (step.depth > depthMax) return found.survey(step.node)
    found.add(step.node, step.isPhrasing)
    pushChildren(stack, step)
  }
  return found.survey(null)
}

interface Step {
  readonly node: Nodes
  /** True for inline content, false among blocks. */
  readonly isPhrasing: boolean
  readonly depth: number
}

const blockParents: ReadonlySet<string> = new Set([
  'root',
  'blockquote',
  'listItem',
  'footnoteDefinition',
])

function pushChildren(stack: Step[], { node, depth }: Step): void {
  if (!('children' in node)) return
  const isPhrasing = !blockParents.has(node.type)
  for (const child of node.children.toReversed()) {
    stack.push({ node: child, isPhrasing, depth: depth + 1 })
  }
}

type Reference = LinkReference | ImageReference

/** Collects nodes; resolves references at the end, when every definition is known. */
class Findings {
  readonly #htmlBlocks: Html[] = []
  readonly #htmlTags: Html[] = []
  readonly #links: (Link | Image | Reference)[] = []
  readonly #tables: Table[] = []
  readonly #quotes: Blockquote[] = []
  #hasHeadings = false
  readonly #definitions = new Map<string, Definition>()

  add(node: Nodes, isPhrasing: boolean): void {
    switch (node.type) {
      case 'html':
        ;(isPhrasing ? this.#htmlTags : this.#htmlBlocks).push(node)
        break
      case 'blockquote':
        this.#quotes.push(node)
        break
      case 'heading':
        this.#hasHeadings = true
        break
      case 'table':
        this.#tables.push(node)
        break
      case 'definition':
        this.#define(node)
        break
      case 'link':
      case 'image':
      case 'linkReference':
      case 'imageReference':
        this.#links.push(node)
    }
  }

  survey(tooDeep: Nodes | null): Survey {
    return {
      tooDeep,
      htmlBlocks: this.#htmlBlocks,
      htmlTags: this.#htmlTags,
      quotes: this.#quotes,
      hasHeadings: this.#hasHeadings,
      targets: this.#links.flatMap((node) => this.#target(node)),
      tables: this.#tables,
    }
  }

  /** The first definition of a name wins (CommonMark 0.31.2 §4.7). */
  #define(node: Definition): void {
    const key = node.identifier.toUpperCase()
    if (!this.#definitions.has(key)) this.#definitions.set(key, node)
  }

  #target(node: Link | Image | Reference): Target[] {
    const kind = node.type.startsWith('link') ? 'link' : 'image'
    if ('url' in node) return [{ kind, url: node.url, node }]
    const definition = this.#definitions.get(node.identifier.toUpperCase())
    return definition === undefined ? [] : [{ kind, url: definition.url, node: definition }]
  }
}
