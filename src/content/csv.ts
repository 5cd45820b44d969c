// Parses CSV (RFC 4180) as a list of maps, with the place of every value.
import type { Position, Problem } from '../diagnostics.ts'
import { diagnosticAt } from '../diagnostics.ts'
import type { RawYaml, Read, YamlEntry, YamlText, YamlValue } from './raw.ts'
import { plainText } from './source.ts'

/**
 * Parses a table whose first row names the columns. Empty cells are absent, and rows of them are left out.
 *
 * @returns no value if a row has more or fewer cells than the header, or a quote is not closed
 */
export function readCsv(file: string, text: string): Read<RawYaml> {
  const source = plainText(text)
  const { rows, unclosed } = cellsOf(source)
  const [header = [], ...all] = rows
  const data = all.filter((row) => row.some(({ value }) => value !== ''))
  const lines = source.split('\n')
  const problems: (readonly [Position, Problem])[] =
    unclosed === null ? [] : [[unclosed, openQuote]]
  for (const row of data) {
    if (row.length !== header.length)
      problems.push([startOf(row), ragged(row.length, header.length)])
  }
  for (const [at, cell] of header.entries()) {
    const isFirst = header.findIndex(({ value }) => value.trim() === cell.value.trim()) === at
    if (!isFirst || cell.value.trim() === '') problems.push([cell.at, badName(cell.value)])
  }
  if (problems.length > 0) {
    const diagnostics = problems
      .slice(0, 100)
      .map(([at, problem]) => diagnosticAt(file, at, problem, lines[at.line - 1]))
    return { diagnostics }
  }
  const items = data.map((row): YamlValue => {
    const entries = row.map((cell, at): [string, YamlEntry] => {
      return [header[at]?.value.trim() ?? '', { keyAt: cell.at, value: cell }]
    })
    return { kind: 'map', entries: new Map(entries), at: startOf(row) }
  })
  const value = { kind: 'list', items, at: { line: 1, column: 1 } } as const
  return { value: { file, source, value }, diagnostics: [] }
}

function startOf(row: readonly YamlText[]): Position {
  return row[0]?.at ?? { line: 1, column: 1 }
}

/** Rows of cells; an empty line is no row. A quoted cell is text, also if it is empty. */
function cellsOf(source: string): {
  readonly rows: readonly (readonly YamlText[])[]
  readonly unclosed: Position | null
} {
  const rows: YamlText[][] = [[]]
  let [line, lineStart] = [1, 0]
  let end = 0
  for (const match of source.matchAll(cell)) {
    const { 0: whole, 1: quoted, 2: plain = '', 3: separator, index } = match
    const at = { line, column: index - lineStart + 1 }
    if (quoted === undefined && plain.startsWith('"')) return { rows, unclosed: at }
    const value = quoted?.replaceAll('""', '"') ?? plain
    rows.at(-1)?.push({ kind: 'text', value, isPlain: quoted === undefined, at })
    end = index + whole.length
    const breaks = whole.split('\n').length - 1
    if (breaks > 0) {
      line += breaks
      lineStart = source.lastIndexOf('\n', end - 1) + 1
    }
    if (separator === '\n') rows.push([])
    if (separator === '') break
  }
  const isRow = ([first, ...others]: readonly YamlText[]) =>
    first !== undefined && (others.length > 0 || first.value !== '')
  return { rows: rows.filter(isRow), unclosed: null }
}

/** A quoted cell, in which two quotes are one, or a plain one; and what follows it. */
const cell = /(?:"((?:[^"]|"")*)"[ \t]*|([^,\n]*))(,|\n|$)/g

const openQuote: Problem = {
  code: 'csv-syntax',
  message: 'This quoted cell is never closed.',
  hint: 'Close it with a quote; write a quote in it twice.',
}

function ragged(cells: number, columns: number): Problem {
  const message = `This row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, but the header has ${columns}.`
  return { code: 'csv-syntax', message, hint: 'Put cells with a comma in quotes.' }
}

function badName(name: string): Problem {
  const what =
    name.trim() === ''
      ? 'A column has no name'
      : `The column ${JSON.stringify(name)} is there twice`
  return { code: 'csv-syntax', message: `${what}.`, hint: 'Give each column its own name.' }
}
