// Source ranges of tree nodes.
import type { Nodes } from 'mdast'

/** The offsets of a node with a position. */
export function rangeOf({ position }: Nodes): { readonly start: number; readonly end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** True when the next line is not empty and contains only white space. */
export function isBeforeBlanks(end: number, body: string): boolean {
  return /^[ \t]*\n[ \t]+(?:\n|$)/.test(body.slice(end, end + 200))
}
