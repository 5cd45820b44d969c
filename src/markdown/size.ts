// Bounds of the size of a body's HTML, computed before it is rendered.
import type { Survey, Target } from './survey.ts'
import { isKept } from './urls.ts'

/** The most bytes of HTML that a body of so many bytes may have: 20 times as many, and 2 MiB for any. */
export function htmlBytesMax(bodyBytes: number): number {
  return Math.max(2 * 1024 * 1024, 20 * bodyBytes)
}

/**
 * Bytes that the HTML will have from what grows beyond its source: short rows of a wide table, which are
 * filled up with cells, and URLs and titles that many references repeat.
 *
 * @returns never more than the HTML has
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

/** The part of the two that an image needs; a link needs more. */
function urlLength({ url, title }: Target['node']): number {
  return (isKept({ kind: 'image', url }) ? url.length : 0) + (title?.length ?? 0)
}
