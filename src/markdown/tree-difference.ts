// Finds the first difference between two syntax trees, including positions.
import type { Nodes } from 'mdast'

interface TreeDifference {
  /** `root.children.0.children.2.position.end.offset`. */
  readonly path: string
  /** The innermost enclosing node of the first tree. */
  readonly node: Nodes
}

/** @returns null for equal trees; a field with the value undefined counts as absent */
export function differenceOf(expected: Nodes, actual: Nodes): TreeDifference | null {
  const stack: Pair[] = [{ expected, actual, path: expected.type, node: expected }]
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    if (Object.is(pair.expected, pair.actual)) continue
    if (!isRecord(pair.expected) || !isRecord(pair.actual)) return pair
    stack.push(...fieldPairs(pair, pair.expected, pair.actual))
  }
  return null
}

interface Pair extends TreeDifference {
  readonly expected: unknown
  readonly actual: unknown
}

/** Reversed, as the last pair is compared first: the fields of a parent precede its children. */
function fieldPairs({ path, node }: Pair, expected: Fields, actual: Fields): readonly Pair[] {
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].reverse()
  const inner = typeof expected['type'] === 'string' ? (expected as unknown as Nodes) : node
  return [...keys.filter(isChildren), ...keys.filter((key) => !isChildren(key))].map((key) => {
    return { expected: expected[key], actual: actual[key], path: `${path}.${key}`, node: inner }
  })
}

function isChildren(key: string): boolean {
  return key === 'children'
}

type Fields = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
