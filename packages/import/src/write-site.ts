// Writes an imported site into a content folder, one document at a time.
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import { RealFolders, withLock, writeNewFile } from 'quarry/authoring'
import { stringify } from 'yaml'
import type { FileOutcome, Ledger } from './ledger.ts'
import type { ImportContext, ImportedDocument, ImportedSettings, ImportedSite } from './site.ts'
import type { Values } from './static/front.ts'
import { lastSegment } from './terms.ts'

/**
 * Writes every document, its images, and `workspace.yml`. An existing file is never replaced. With equal bytes it
 * counts as done, so an interrupted import can be resumed.
 *
 * @throws LockError when another import of the workspace is running; OutputError when a folder is a link
 */
export async function writeSite(
  site: ImportedSite,
  { report, slugs }: Pick<ImportContext, 'report' | 'slugs'>,
  { content, workspace }: { readonly content: string; readonly workspace: string },
): Promise<void> {
  mkdirSync(content, { recursive: true })
  await withLock(join(content, `.quarry-import-${workspace}`), async () => {
    const place = placeIn(join(content, workspace), report)
    const writer = { report, slugs, place, images: new Set<string>() }
    for await (const document of site.documents) await writeDocument(document, writer)
    writeSettings(site.settings(), writer)
    report.close()
  })
}

interface Writer extends Pick<ImportContext, 'report' | 'slugs'> {
  readonly place: ReturnType<typeof placeIn>
  readonly images: Set<string>
}

async function writeDocument(document: ImportedDocument, writer: Writer): Promise<void> {
  const { kind, slug, from, images = [] } = document
  for (const { path, bytes } of images.filter(({ path }) => !writer.images.has(path))) {
    writer.images.add(path)
    const content = await bytes()
    if (content !== null) writer.place('images', path, content)
  }
  const fields = { slug, ...document.fields, aliases: aliasesOf(document, writer) }
  const front = stringify(stated(fields), { lineWidth: 0, aliasDuplicateObjects: false })
  const body = document.body === '' ? '' : `\n${document.body.replace(/^\n+|\n$/g, '')}\n`
  writer.place(kind, `${kind}/${slug}.md`, `---\n${front}---\n${body}`)
  if (kind === 'posts')
    writer.report.settle(from, document.fields['status'] === 'draft' ? 'drafts' : 'posts')
}

function aliasesOf({ slug, redirects = [], from }: ImportedDocument, { slugs, report }: Writer) {
  const byName = new Map(redirects.map((redirect) => [lastSegment(redirect), redirect]))
  // A redirect from the same name is unnecessary.
  byName.delete(slug)
  return [...byName].flatMap(([name, redirect]) => {
    const alias = slugs.claimId(name)
    if (alias === undefined)
      report.add('left', 'redirect that cannot become an alias', `${from} (${redirect})`)
    return alias ?? []
  })
}

/** Returns the fields that have a value: neither null nor an empty list or map. */
function stated(fields: Values): object {
  const entries = Object.entries<unknown>(JSON.parse(JSON.stringify(fields)))
  const isStated = (value: unknown) =>
    typeof value !== 'object' || Object.keys(value ?? {}).length > 0
  return Object.fromEntries(entries.filter(([, value]) => isStated(value)))
}

function writeSettings(settings: ImportedSettings, { place, report }: Writer): void {
  const { name, locale, translationOf, defaultCategory, postLink, fields = new Map() } = settings
  const said = stated({
    ...{ name, locale, translationOf },
    defaults: { category: defaultCategory },
    // Links to posts that failed to import are broken.
    links: {
      post: postLink,
      broken: report.hasFailures || settings.hasBrokenLinks ? 'warning' : undefined,
    },
    fields: Object.fromEntries([...fields].sort(([a], [b]) => (a < b ? -1 : 1))),
  })
  if (Object.keys(said).length === 0) return
  const text = stringify(said, { lineWidth: 0 })
  if (place('settings', 'workspace.yml', text) !== 'kept') return
  const needed = `workspace.yml was there; it needs: ${text.trim().replaceAll('\n', ' ⏎ ')}`
  report.add('left', needed, 'workspace.yml')
}

/**
 * Prepares a folder, created when missing, and returns a function that writes a file into it and counts it by kind. The
 * next import removes the temporary files of an interrupted import. The caller holds the lock of the folder.
 *
 * @throws OutputError when a folder on the path is a link or a file
 */
function placeIn(folder: string, report: Ledger) {
  mkdirSync(folder, { recursive: true })
  const root = realpathSync(folder)
  const folders = new RealFolders(root)
  const temporary = join(root, '.quarry-import')
  rmSync(temporary, { recursive: true, force: true })
  return (kind: string, path: string, content: string | Uint8Array): FileOutcome => {
    const bytes = Buffer.from(content)
    const target = join(root, path)
    const stats = lstatSync(target, { throwIfNoEntry: false })
    // A symbolic link counts as different content.
    const isSame = stats?.isFile() === true && readFileSync(target).equals(bytes)
    const outcome = stats === undefined ? 'written' : isSame ? 'present' : 'kept'
    if (outcome === 'written') {
      folders.make(dirname(path))
      writeNewFile(temporary, bytes)
      // The lock excludes other imports, and the file was not there.
      renameSync(temporary, target)
    }
    report.countFile(kind, outcome)
    if (outcome === 'kept' && kind !== 'settings')
      report.add('left', 'not replaced: the file exists with different content', path)
    return outcome
  }
}
