// Folders that a site serves from its root.
import { posix } from 'node:path'
import type { SourceTree } from './source-tree.ts'

/** The folders with these names at the given location and at the root, and the root itself. */
export function rootsOf(
  tree: SourceTree,
  names: readonly string[],
  parent = '',
): readonly string[] {
  const candidates = [parent, ''].flatMap((folder) => names.map((name) => posix.join(folder, name)))
  const found = [...new Set(candidates)].filter((folder) => tree.below(folder).length > 0)
  return [...found, ...new Set([parent, ''])]
}

/** The folder of the first matching file; `''` for the root and when none matches. */
export function parentOf(tree: SourceTree, pattern: RegExp): string {
  const [first] = tree.files
    .filter((path) => pattern.test(path))
    .sort((a, b) => a.split('/').length - b.split('/').length)
  const folder = first === undefined ? '.' : posix.dirname(first)
  return folder === '.' ? '' : folder
}
