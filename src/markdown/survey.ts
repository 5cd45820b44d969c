// Collects what the checks of a body need, in one walk over its Markdown tree.
import type { Blockquote, Definition, Html, Link, LinkReference, Nodes, Root, Text } from 'mdast'
import { normalizeUri } from 'micromark-util-sanitize-uri'
import { stepsOf } from './html.ts'
import type { Target } from './links.ts'
import { placeOf } from './problem.ts'

/** The collected nodes, in document order. */
export interface Survey {
  /** The first node nested more than `depthMax` deep. */
  readonly tooDeep: Nodes | null
  readonly html: readonly RawHtml[]
  readonly quotes: readonly Blockquote[]
  readonly targets: readonly Target[]
  readonly texts: readonly Text[]
  readonly code: readonly Nodes[]
  readonly definitions: readonly Nodes[]
}

/** Raw HTML: a block, or a tag within text. */
export interface RawHtml {
  readonly node: Html
  readonly isBlock: boolean
}

/** Maximum nesting of rendered nodes; each level of a list takes two. */
export const depthMax = 100

/** Surveys a tree. Cost: O(nodes). */
export function surveyTree(root: Root): Survey {
  const steps = [...stepsOf<Nodes>(root)]
  const nodes = steps.map(({ node }) => node)
  const html = steps.flatMap(({ node, parent }) =>
    node.type === 'html' ? [{ node, isBlock: blockParents.test(`${parent?.type}`) }] : [],
  )
  // The first definition of a name wins (CommonMark 0.31.2 §4.7).
  const owners = new Map<string, Definition>()
  for (const node of nodes) {
    if (node.type !== 'definition') continue
    const name = node.identifier.toUpperCase()
    if (!owners.has(name)) owners.set(name, node)
  }
  return {
    tooDeep: steps.find(({ depth }) => depth > depthMax)?.node ?? null,
    html,
    quotes: nodes.filter((node) => node.type === 'blockquote'),
    targets: nodes.flatMap((node) => targetsOf(node, owners)),
    texts: nodes.filter((node) => node.type === 'text'),
    code: nodes.filter((node) => node.type === 'code' || node.type === 'inlineCode'),
    definitions: nodes.filter(({ type }) => type === 'definition' || type === 'footnoteDefinition'),
  }
}

/** @param owners definitions by their names in upper case @returns the target of a link or an image, if its URL is known */
function targetsOf(node: Nodes, owners: ReadonlyMap<string, Definition>): readonly Target[] {
  const [, kind, isReference] = /^(link|image)(Reference)?$/.exec(node.type) ?? []
  if (kind !== 'link' && kind !== 'image') return []
  const { identifier } = node as LinkReference
  const owner = isReference ? owners.get(identifier.toUpperCase()) : (node as Link)
  if (owner === undefined) return []
  const { url, data } = owner
  return [{ kind, url, href: normalizeUri(url), place: placeOf(owner), span: data?.destination }]
}

const blockParents = /^(?:root|blockquote|listItem|footnoteDefinition)$/
