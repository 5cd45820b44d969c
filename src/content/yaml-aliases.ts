// Anchors, aliases and merge keys, expanded within a budget per file.
import type { YamlEntry, YamlValue } from './raw.ts'
import type { Problem } from './source.ts'
import { quoteExcerpt } from './source.ts'
import { maxDepth, tooDeep } from './yaml-limits.ts'

/** Limits per file: the number of aliases, and the total size of their expansions in UTF-16 code units. */
const aliasesMax = 100
const expandedMax = 64 * 1024

/** The anchors of one document. */
export class Anchors {
  readonly #values = new Map<string, Anchored>()
  #aliases = 0
  #expanded = 0
  #isSpent = false

  /** Registers a value under an anchor. */
  define(anchor: string | undefined, value: YamlValue): void {
    if (anchor !== undefined) this.#values.set(anchor, { value, ...measure(value) })
  }

  /**
   * Returns the value of an alias: that of an earlier anchor, with its position.
   *
   * @returns a problem, if any; undefined beyond the budget, which the first alias reports
   */
  resolve(alias: string): YamlValue | Problem | undefined {
    const found = this.#values.get(alias)
    if (found === undefined) return unknown(alias)
    if (this.#isSpent) return undefined
    this.#aliases += 1
    this.#expanded += found.size
    const isTooDeep = found.depth > maxDepth
    this.#isSpent = isTooDeep || this.#aliases > aliasesMax || this.#expanded > expandedMax
    if (this.#isSpent) return isTooDeep ? tooDeep : tooMany
    return found.value
  }
}

interface Anchored {
  readonly value: YamlValue
  readonly size: number
  readonly depth: number
}

/** Measures a value with its aliases expanded, which the budget already covers. */
function measure(value: YamlValue): Omit<Anchored, 'value'> {
  if (value.kind === 'text') return { size: value.value.length + entrySize, depth: 0 }
  let [size, depth] = [entrySize, 0]
  const add = (inner: YamlValue) => {
    const found = measure(inner)
    size += found.size
    depth = Math.max(depth, found.depth)
  }
  if (value.kind === 'list') for (const item of value.items) add(item)
  else {
    for (const [name, entry] of value.entries) {
      size += name.length
      add(entry.value)
    }
  }
  return { size, depth: depth + 1 }
}

/** Size of a value in addition to its text. */
const entrySize = 8

/**
 * Adds the entries of merged maps to those of a map, which takes precedence. Earlier maps precede later ones.
 *
 * @returns the problem of an invalid merge value, if any
 */
export function mergeInto(entries: Map<string, YamlEntry>, merged: YamlValue): Problem | undefined {
  const maps = merged.kind === 'list' ? merged.items : [merged]
  for (const map of maps) {
    if (map.kind !== 'map') return NOT_MAP
    for (const [name, entry] of map.entries) if (!entries.has(name)) entries.set(name, entry)
  }
  return undefined
}

function unknown(alias: string): Problem {
  return {
    code: 'yaml-alias',
    message: `The alias ${quoteExcerpt(`*${alias}`)} has no anchor above it.`,
    hint: 'Put it in quotes if it is text; otherwise write the value out.',
  }
}

const tooMany: Problem = {
  code: 'yaml-alias',
  message: `The aliases of this file are more than ${aliasesMax}, or stand for more than 64 KiB.`,
  hint: 'Write the values out.',
}

const NOT_MAP: Problem = {
  code: 'yaml-merge-key',
  message: 'A merge key ("<<") needs an alias of a map, or a list of such aliases.',
  hint: 'Write "<<: *name", with "&name" at the map above.',
}
