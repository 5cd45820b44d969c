// Groups parsed files by workspace. Reads data files in YAML, JSON and CSV, and files of keys.
import { findCleartextKeys } from '../api/keys.ts'
import { diagnosticAt, fileStart, type Problem } from '../diagnostics.ts'
import type { Mount } from './mounts.ts'
import type {
  CustomSource,
  ParsedFile,
  RawWorkspace,
  RawYaml,
  ReadResult,
  ScannedFile,
  YamlEntry,
  YamlText,
  YamlValue,
} from './raw.ts'
import { readError, readTextFile } from './read-file.ts'
import { diagnoseAll, normalizeText, type PlacedProblem, positionsIn } from './source.ts'
import { readYaml } from './yaml.ts'

/** Groups files. @param ids ids of workspaces, even without files @param files by path in code unit order */
export function assembleWorkspaces(
  ids: readonly string[],
  files: readonly ParsedFile[],
  mounts: readonly Mount[],
  sources: readonly CustomSource[] = [],
): readonly RawWorkspace[] {
  return ids.map((id) => {
    const mounted = (workspace: string, part: Mount['part']) =>
      mounts.flatMap((mount) =>
        mount.workspace === workspace && mount.part === part ? [mount.path] : [],
      )
    const inPart = (part: Mount['part']) => [`${id}/${part}`, ...mounted(id, part)]
    const custom = sources.map(({ path }) => path).filter((path) => path.startsWith(`${id}/`))
    const posts = inPart('posts')
    const all = [...posts, ...inPart('media'), ...inPart('authors'), ...custom]
    const folders = { posts, all, roots: mounted('', 'root') }
    const own = (name: string) => files.filter(({ workspace }) => workspace === name)
    return { id, files: [...own(id), ...own('')], folders }
  })
}

/** Parses a scanned file. Images are read when they are published. */
export function readDataFile(root: string, scanned: ScannedFile): ParsedFile {
  const { path, content, role } = scanned
  // A problem with an image is reported in the posts that show it.
  if (role.kind === 'image') return { ...scanned, diagnostics: [] }
  if (typeof content !== 'string') return { ...scanned, ...readError(path, content) }
  const text = readTextFile(root, path, content)
  if (text.value === undefined) return { ...scanned, diagnostics: text.diagnostics }
  const read = role.kind === 'keys' ? readKeysText : path.endsWith('.csv') ? readCsv : readYaml
  const { value, diagnostics } = read(path, text.value)
  return { ...scanned, ...(value === undefined ? {} : { yaml: value }), diagnostics }
}

/** Parses a table whose first row names the columns. Empty cells are absent, and empty rows are left out. */
function readCsv(file: string, text: string): ReadResult<RawYaml> {
  const source = normalizeText(text)
  const problems: PlacedProblem[] = []
  const [header = [], ...rows] = splitCells(source, problems)
  const names = header.map(({ value }) => value.trim())
  for (const [column, { at }] of header.entries()) {
    const name = names[column] ?? ''
    const isValid = names.indexOf(name) === column && /^[^;\t]+$/.test(name)
    if (!isValid) problems.push([invalidColumnName, at])
  }
  const filled = rows.filter((row) => row.some(({ value }) => value !== ''))
  const items = filled.map((row): YamlValue => {
    const { at = fileStart } = row[0] ?? {}
    if (row.length !== header.length) problems.push([wrongCellCount(row.length, header.length), at])
    const entries = row.map((cell, column): [string, YamlEntry] => {
      return [names[column] ?? '', { keyAt: cell.at, columnAt: header[column]?.at, value: cell }]
    })
    return { kind: 'map', entries: new Map(entries), at }
  })
  if (problems.length > 0) return { diagnostics: diagnoseAll(file, source, problems) }
  return { value: { file, source, value: { kind: 'list', items, at: fileStart } }, diagnostics: [] }
}

/** Splits rows into cells; an empty line is not a row. A quoted cell is text even if empty. @param problems grows */
function splitCells(source: string, problems: PlacedProblem[]): readonly (readonly YamlText[])[] {
  const rows: YamlText[][] = [[]]
  const positionOf = positionsIn(source)
  for (const { 1: quoted, 2: plain = '', 3: separator, index } of source.matchAll(cell)) {
    const at = positionOf(index)
    if (quoted === undefined && plain.startsWith('"')) {
      problems.push([unclosedQuote, at])
      break
    }
    const value = quoted?.replaceAll('""', '"') ?? plain
    rows.at(-1)?.push({ kind: 'text', value, isPlain: quoted === undefined, at })
    if (separator === '\n') rows.push([])
    if (separator === '') break
  }
  return rows.filter(([first, ...others]) => others.length > 0 || (first?.value ?? '') !== '')
}

/** Matches a quoted cell, in which two quotes mean one, or a plain cell; and the separator after it. */
const cell = /(?:"((?:[^"]|"")*)"[ \t]*|([^,\n]*))(,|\n|$)/g

const unclosedQuote: Problem = {
  code: 'csv-syntax',
  message: 'This quoted cell is never closed.',
  hint: 'Add the closing quote; inside a cell, write each quote twice.',
}

function wrongCellCount(cells: number, columns: number): Problem {
  const message = `This row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, but the header has ${columns}.`
  return { code: 'csv-syntax', message, hint: 'Separate cells with commas; quote those with one.' }
}

const invalidColumnName: Problem = {
  code: 'csv-syntax',
  message: 'This column has no name, the name of another, or a name with a semicolon or tab.',
  hint: 'Separate columns with commas, and give each a different name.',
}

/** File name in a workspace's folder. */
export const keysFileName = 'keys.yml'

/** Parses a `keys.yml`. A key in clear text, anywhere in it, is an error that leaves no value and shows no source line. */
export function readKeysText(file: string, text: string): ReadResult<RawYaml> {
  const plain = normalizeText(text)
  const positionOf = positionsIn(plain)
  const diagnostics = findCleartextKeys(plain).map((offset) =>
    diagnosticAt(file, positionOf(offset), cleartextKey),
  )
  return diagnostics.length > 0 ? { diagnostics } : readYaml(file, text)
}

const cleartextKey: Problem = {
  code: 'key-in-clear',
  message: 'This is a key in plain text; only its SHA-256 belongs in this file.',
  hint: 'Remove it, and stop using the key: "quarry keys create" creates another.',
}
