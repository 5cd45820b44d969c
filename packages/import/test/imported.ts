// Runs an importer on a file and gives what it wrote.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { type ImporterName, loadImporter } from '../src/index.ts'
import { Ledger, type Section } from '../src/ledger.ts'
import type { ImportContext, Importer } from '../src/site.ts'
import { Slugs } from '../src/terms.ts'
import { writeSite } from '../src/write-site.ts'

/** What an import left. */
export interface Imported {
  readonly folder: string
  readonly report: Ledger
  /** Every file, sorted. */
  readonly files: readonly string[]
  read(path: string): string
  /** Front matter and body of a post. */
  post(slug: string): { readonly fields: Readonly<Record<string, unknown>>; readonly body: string }
  /** `text` of every entry of a section, with its number. */
  entries(section: Section): Readonly<Record<string, number>>
}

/** Writes a file below a folder. @returns its path */
export function put(folder: string, path: string, content: string | Uint8Array): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

/** Imports a file below a folder, which holds `content` afterwards. */
export async function imported(
  importer: Importer,
  folder: string,
  source: string,
  options: Partial<ImportContext> = {},
): Promise<Imported> {
  const report = new Ledger()
  const context = {
    source,
    keepUnknown: false,
    templates: new Map(),
    report,
    slugs: new Slugs(report),
    ...options,
  }
  const content = join(folder, 'content')
  await writeSite(await importer(context), context, { content, workspace: 'w' })
  const written = join(content, 'w')
  const read = (path: string) => readFileSync(join(written, path), 'utf8')
  return {
    folder: written,
    report,
    files: existsSync(written) ? filesBelow(written) : [],
    read,
    post: (slug) => {
      const [, front = '', body = ''] =
        /^---\n([\s\S]*?)---\n\n?([\s\S]*)$/.exec(read(`posts/${slug}.md`)) ?? []
      return { fields: parse(front) as Record<string, unknown>, body: body.trimEnd() }
    },
    entries: (section) =>
      Object.fromEntries(report.entries(section).map(({ text, count }) => [text, count])),
  }
}

/** Rows of a table in text: cells are between `|`, and `\\n` is a line end. */
export function rowsOf(table: string): readonly (readonly string[])[] {
  const lines = table.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => line.split(' |').map((cell) => cell.trim().replaceAll('\\n', '\n')))
}

/** The files of a row, `path = text ;; path = text`, by their paths; no file for an empty cell. */
export function fileOf(cell = ''): Readonly<Record<string, string>> {
  const files = cell === '' ? [] : cell.split(' ;; ').map((file) => file.split(' = '))
  return Object.fromEntries(files.map(([path = '', ...text]) => [path, text.join(' = ')]))
}

/** Imports a site of files. @param files texts by path below the source */
export async function importSite(
  name: ImporterName,
  files: Readonly<Record<string, string>>,
  options: Partial<ImportContext> = {},
): Promise<Imported> {
  const folder = emptyFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text])),
  )
  return imported(await loadImporter(name), folder, `${folder}/site`, options)
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
