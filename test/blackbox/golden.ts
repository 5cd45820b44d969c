// Golden files: read, compared line by line, and rewritten with `UPDATE=1`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeBelow } from '../support/empty-folder.ts'

const folder = join(import.meta.dirname, 'golden')

/** Lines of either side that a failure prints. */
const shownMax = 12

/** A golden file; empty where there is none. */
export function readGolden(name: string): string {
  return existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''
}

/** Fails with the first lines that differ from those of golden files; with `UPDATE=1`, rewrites the files. */
export function expectGolden(texts: Readonly<Record<string, string>>): void {
  const failures = Object.entries(texts).flatMap(([name, actual]) => {
    const expected = readGolden(name)
    if (actual === expected) return []
    if (process.env['UPDATE'] !== '1') return differences(name, expected, actual)
    writeBelow(folder, name, actual)
    return []
  })
  if (failures.length > 0)
    expect.fail([...failures, 'UPDATE=1 rewrites golden files; read the diff.'].join('\n'))
}

/** Lines of either text that the other one lacks. */
function differences(name: string, expected: string, actual: string): readonly string[] {
  const lacking = (sign: string, from: string, other: string) => {
    const known = new Set(other.split('\n'))
    const lines = from.split('\n').filter((line) => !known.has(line))
    const more = lines.length > shownMax ? [`${sign} … and ${lines.length - shownMax} more`] : []
    return [...lines.slice(0, shownMax).map((line) => `${sign} ${line}`), ...more]
  }
  const lines = [...lacking('-', expected, actual), ...lacking('+', actual, expected)]
  const shown = lines.length === 0 ? ['The order of lines differs, or their number.'] : lines
  return [`golden/${name} has lines that were not found (-), and others were found (+):`, ...shown]
}
