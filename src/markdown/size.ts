// Bounds on the size of a body's HTML, computed before rendering.
import type { Survey, Target } from './survey.ts'
import { isKept } from './urls.ts'

/** The maximum size of the HTML of a body in bytes: 20 times the body, and at least 2 MiB. */
export function htmlBytesMax(bodyBytes: number): number {
  return Math.max(2 * 1024 * 1024, 20 * bodyBytes)
}

/**
 * A lower bound of the HTML's bytes, from constructs that expand: short rows of a wide table, which are padded with
 * cells, and URLs and titles repeated by many references.
 *
 * @returns never more than the actual size
 *
 * Cost: O(tables + targets).
 */
export function expandedBytes({ tables, targets }: Survey): number {
  let bytes = 0
  for (const { align, children } of tables) {
    bytes += (align?.length ?? 0) * children.length * '<td></td>\n'.length
  }
  const lengths = new Map<Target['node'], number>()
  for (const { node } of targets) {
    const length = lengths.get(node) ?? urlLength(node)
    lengths.set(node, length)
    bytes += length
  }
  return bytes
}

/** The part of URL and title that an image needs; a link needs more. */
function urlLength({ url, title }: Target['node']): number {
  return (isKept({ kind: 'image', url }) ? url.length : 0) + (title?.length ?? 0)
}
