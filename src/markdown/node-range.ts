// Where the nodes of a tree are in its source.
import type { Nodes } from 'mdast'

/** Offsets of a node that has a position. */
export function rangeOf({ position }: Nodes): { readonly start: number; readonly end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** Whether the next line has blanks and nothing else. */
export function isBeforeBlanks(end: number, body: string): boolean {
  return /^[ \t]*\n[ \t]+(?:\n|$)/.test(body.slice(end, end + 200))
}
