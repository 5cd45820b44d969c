// Golden files: read, compared line by line, and rewritten with `UPDATE=1`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const folder = join(import.meta.dirname, 'golden')

/** Lines of differences that a failure prints. */
const shownMax = 24

/** Fails with the first lines that differ from those of golden files; with `UPDATE=1`, rewrites the files. */
export function expectGolden(texts: Readonly<Record<string, string>>): void {
  const failures = Object.entries(texts).flatMap(([name, actual]) => {
    const file = join(folder, name)
    const expected = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (actual === expected) return []
    if (process.env['UPDATE'] !== '1') {
      return differences(name, expected.split('\n'), actual.split('\n'))
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, actual)
    return []
  })
  if (failures.length === 0) return
  expect.fail([...failures, 'UPDATE=1 rewrites golden files; read the diff.'].join('\n'))
}

/** Lines of either text that the other one lacks, by the unindented line above them. */
function differences(name: string, expected: readonly string[], actual: readonly string[]): string {
  const wanted = placed(expected)
  const given = placed(actual)
  const blocks = new Map<string, string[]>()
  const add = (sign: string, from: readonly Placed[], others: readonly Placed[]) => {
    const known = new Set(others.map(({ block, line }) => `${block}\n${line}`))
    for (const { block, line } of from) {
      if (known.has(`${block}\n${line}`)) continue
      blocks.set(block, [...(blocks.get(block) ?? []), `${sign} ${line.trim()}`])
    }
  }
  add('-', wanted, given)
  add('+', given, wanted)
  const lines = [...blocks].flatMap(([block, found]) => {
    const paired = found.sort((a, b) => compare(a.slice(2), b.slice(2)))
    return [block, ...paired.map((line) => `  ${line}`)]
  })
  const rest = lines.length > shownMax ? [`… and ${lines.length - shownMax} more lines`] : []
  const shown = lines.length === 0 ? ['The order of lines differs.'] : lines.slice(0, shownMax)
  return [
    `golden/${name} has lines that were not found (-), and others were found (+):`,
    ...shown,
    ...rest,
  ].join('\n')
}

interface Placed {
  readonly block: string
  readonly line: string
}

function placed(lines: readonly string[]): readonly Placed[] {
  let block = ''
  return lines.map((line) => {
    if (!line.startsWith(' ')) block = line
    return { block, line }
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
