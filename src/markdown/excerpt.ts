// The mark `<!-- more -->`, with which an author ends the excerpt.
import type { Nodes, Root, RootContent } from 'mdast'

const mark = /<!--\s*more\s*-->/gi

/** The offset of the first mark outside of code; null for none. */
export function markIn(tree: Root, body: string): number | null {
  if (body.search(mark) === -1) return null
  const waiting: Nodes[] = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'html' && node.value.search(mark) !== -1) {
      mark.lastIndex = node.position?.start.offset ?? 0
      return mark.exec(body)?.index ?? null
    }
    if ('children' in node) waiting.push(...node.children.toReversed())
  }
  return null
}

/** Removes what follows an offset; definitions stay, as links before it may need them. Changes the tree. */
export function beforeMark(tree: Root, offset: number): Root {
  const kept: RootContent[] = []
  const cut = (parent: { children: Nodes[] }): void => {
    const at = parent.children.findIndex(({ position }) => (position?.end.offset ?? 0) > offset)
    if (at === -1) return
    const [across, ...after] = parent.children.splice(at)
    if (across === undefined) return
    kept.push(...definitionsIn(after))
    if ((across.position?.start.offset ?? 0) >= offset) kept.push(...definitionsIn([across]))
    else parent.children.push(across)
    if ('children' in across) cut(across as { children: Nodes[] })
    else if ('value' in across) {
      const written = across.value.search(mark)
      const length = written === -1 ? offset - (across.position?.start.offset ?? 0) : written
      across.value = across.value.slice(0, length)
    }
  }
  cut(tree)
  tree.children.push(...kept)
  return tree
}

function definitionsIn(nodes: readonly Nodes[]): readonly RootContent[] {
  return nodes.flatMap((node): readonly RootContent[] => {
    if (node.type === 'definition' || node.type === 'footnoteDefinition') return [node]
    return 'children' in node ? definitionsIn(node.children) : []
  })
}
