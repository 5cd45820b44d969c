// Data files of a site, read when Liquid first uses them.
import { posix } from 'node:path'
import { parseYaml } from 'quarry/authoring'
import type { FieldValue } from '../site.ts'
import { isMap, plainValue, type Values } from './front.ts'
import type { SourceTree } from './source-tree.ts'

/** Reads a YAML or JSON file; empty when it is unreadable. */
export function readValues(tree: SourceTree, path: string): FieldValue {
  const text = tree.has(path) ? tree.text(path) : undefined
  if (text === undefined) return {}
  if (path.endsWith('.json')) return parseJson(text)
  const { value } = parseYaml(text, { file: path, firstLine: 1 })
  return value === undefined ? {} : plainValue(value)
}

/** Reads a map from a YAML or JSON file; empty when it is no map. */
export function readMap(tree: SourceTree, path: string): Values {
  const value = readValues(tree, path)
  return isMap(value) ? value : {}
}

/** Converts a value for comparisons in Liquid: `true` and `false` become booleans. */
export function liquidValue(value: FieldValue): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  if (Array.isArray(value)) return value.map(liquidValue)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, liquidValue(item)]))
}

/** The files of a folder as `site.data`, each read on first use. */
export function liquidData(tree: SourceTree, folder: string): object {
  const data: Record<string, unknown> = Object.create(null)
  for (const path of tree.below(folder)) {
    const [, name, extension] = /^(.+)\.(ya?ml|json)$/.exec(posix.basename(path)) ?? []
    if (name === undefined || extension === undefined) continue
    const parents = posix.relative(folder, posix.dirname(path)).split('/').filter(Boolean)
    defineOnce(mapAt(data, parents), name, () => liquidValue(readValues(tree, path)))
  }
  return data
}

function mapAt(root: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return names.reduce((map, name) => {
    if (!Object.hasOwn(map, name)) map[name] = Object.create(null)
    return map[name] as Record<string, unknown>
  }, root)
}

/** Defines a property that is computed on first use. */
export function defineOnce(map: Record<string, unknown>, name: string, make: () => unknown): void {
  let made: { readonly value: unknown } | undefined
  Object.defineProperty(map, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      made ??= { value: make() }
      return made.value
    },
  })
}

function parseJson(text: string): FieldValue {
  try {
    return JSON.parse(text, (_, value) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    )
  } catch {
    return {}
  }
}
