// Golden files: read, compared line by line, and rewritten with `UPDATE=1`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const folder = join(import.meta.dirname, 'golden')

/** Lines of differences that a failure prints. */
const shownMax = 24

/** Fails with the first lines that differ from those of a golden file; with `UPDATE=1`, rewrites the file. */
export function expectGolden(name: string, actual: string): void {
  const file = join(folder, name)
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, actual)
    return
  }
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (actual !== expected) expect.fail(differences(name, expected.split('\n'), actual.split('\n')))
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
    'UPDATE=1 rewrites the file; read its diff.',
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
