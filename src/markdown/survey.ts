// One walk over a syntax tree that picks out what the checks look at.
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

/** A link or image, its URL, and the node in which that URL is written. */
export interface Target {
  readonly kind: 'link' | 'image'
  readonly url: string
  readonly node: Link | Image | Definition
}

/** The findings of one walk, in the order of the document. */
export interface Survey {
  /** The first node that is nested more than `depthMax` deep; the walk ends there. */
  readonly tooDeep: Nodes | null
  /** Raw HTML that stands as a block of its own. */
  readonly htmlBlocks: readonly Html[]
  /** Raw HTML inside a line. */
  readonly htmlTags: readonly Html[]
  readonly quotes: readonly Blockquote[]
  readonly hasHeadings: boolean
  readonly targets: readonly Target[]
  readonly tables: readonly Table[]
}

/** The deepest nesting of nodes that is rendered; a list takes two for each level. */
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
  /** Inside a line rather than among blocks. */
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

/** Collects nodes; references are resolved at the end, when every definition is known. */
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
