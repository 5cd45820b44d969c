// The first difference of two syntax trees, positions included.
import type { Nodes } from 'mdast'

interface TreeDifference {
  /** `root.children.0.children.2.position.end.offset`. */
  readonly path: string
  /** The innermost node of the first tree around it. */
  readonly node: Nodes
}

/** @returns null for trees that are the same; a field that is undefined is none */
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

/** The last one is compared first: children come after what their parent says of itself. */
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
