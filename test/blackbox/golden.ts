// Golden files: read, compared line by line, and rewritten with `UPDATE=1`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const folder = join(import.meta.dirname, 'golden')

/** Differences that a failure prints. */
const shownMax = 12

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

/**
 * Lines of either text that the other one lacks, under the unindented line above them.
 *
 * Golden lines rarely repeat within their block, so a multiset of "block, line" is as good as an edit script.
 */
function differences(name: string, expected: readonly string[], actual: readonly string[]): string {
  const wanted = placed(expected)
  const given = placed(actual)
  const lost = [...wanted].filter((line) => !given.has(line)).map((line) => `- ${line}`)
  const found = [...given].filter((line) => !wanted.has(line)).map((line) => `+ ${line}`)
  const all = [...lost, ...found].sort((a, b) => compare(a.slice(2), b.slice(2)))
  const rest = all.length > shownMax ? [`… and ${all.length - shownMax} more lines`] : []
  const shown = all.length === 0 ? ['the order of the lines'] : [...all.slice(0, shownMax), ...rest]
  return `${name}: ${lost.length} lines expected (-), ${found.length} found (+) instead:\n${shown.join('\n')}\nUPDATE=1 rewrites the file; read its diff.`
}

function placed(lines: readonly string[]): ReadonlySet<string> {
  let block = ''
  return new Set(
    lines.map((line) => {
      if (!line.startsWith(' ')) block = line
      return line === block ? line : `${block}\n    ${line.trim()}`
    }),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
