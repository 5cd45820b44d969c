// Links within a document: resolves links to authored ids, and warns of broken ones.
import type { Root } from 'hast'
import { quote } from '../diagnostics.ts'
import { attributeValue } from './derived.ts'
import { elementsOf } from './elements.ts'
import { limitProblems, type Problem, placeOf } from './problem.ts'
import type { Target } from './survey.ts'

/** Prefix of authored ids, as on GitHub, so that they cannot collide with names of the embedding page. */
export const idPrefix = 'user-content-'

/**
 * Redirects links to authored ids, from `#x` to `#user-content-x`, unless another element has the id `x`.
 *
 * @param tree sanitised, with all its ids
 */
export function leadToAuthoredIds(tree: Root, authoredIds: ReadonlySet<string>): void {
  if (authoredIds.size === 0) return
  const elements = [...elementsOf(tree)]
  const ids = new Set(elements.map(({ properties }) => properties['id']))
  for (const { properties } of elements) {
    const { href } = properties
    if (typeof href !== 'string' || !href.startsWith('#')) continue
    const name = decode(href.slice(1))
    if (!ids.has(name) && authoredIds.has(name)) properties['href'] = `#${idPrefix}${href.slice(1)}`
  }
}

/**
 * Returns one warning per link `#x` when no element of the HTML has the id `x`.
 *
 * @param html rendered from the surveyed tree
 * @param authoredIds ids in raw HTML, as written by the author
 */
export function anchorProblems(
  targets: readonly Target[],
  html: string,
  authoredIds: ReadonlySet<string>,
): readonly Problem[] {
  const anchors = targets.filter(({ kind, url }) => kind === 'link' && isAnchor(url))
  if (anchors.length === 0) return []
  const ids = idsIn(html)
  const broken = anchors.filter(({ url }) => {
    const name = decode(url.slice(1))
    return !ids.has(name) && !authoredIds.has(name)
  })
  return limitProblems(broken.map(brokenAnchor))
}

/** `#` and `#top` lead to the top of any document (HTML, "indicated part of the document"). */
function isAnchor(url: string): boolean {
  return url.startsWith('#') && url !== '#' && url.toLowerCase() !== '#top'
}

/** A tag as serialized here: `<` and `>` are escaped in its values. */
const tagPattern = /<[a-z][^<>]*>/g

/** The ids in HTML, decoded. */
export function idsIn(html: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [tag] of html.matchAll(tagPattern)) {
    const id = attributeValue(tag, 'id')
    if (id !== null) ids.add(decode(id))
  }
  return ids
}

/** Footnote ids are percent-encoded; links to them may or may not be. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function brokenAnchor({ url, node }: Target): Problem {
  return {
    ...placeOf(node),
    code: 'broken-anchor',
    severity: 'warning',
    message: `The link ${quote(url)} leads nowhere: nothing in this document has that id.`,
    hint: 'Link to the id of a heading, which is made of its text, or write one: "# Title {#id}".',
  }
}
