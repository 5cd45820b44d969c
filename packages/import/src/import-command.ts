// `quarry import`: converts the content of another tool to a workspace, and prints a report.
import { existsSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import {
  type CommonFlags,
  exitCodes,
  readSettings,
  terminalOf,
  UseError,
  workspaceProblem,
} from 'quarry/authoring'
import type { ImporterName } from './importer-names.ts'
import { loadImporter } from './importers.ts'
import { trimmedEnd } from './parts.ts'
import { ImportReport } from './report.ts'
import { describeImport } from './report-text.ts'
import { Slugs, validSlug } from './slugs.ts'
import { writeSite } from './write-site.ts'

/** The flags of `quarry import`. */
export interface ImportFlags extends CommonFlags {
  readonly workspace?: string
  readonly posts?: string
  readonly language?: string
  readonly media?: string
  readonly site?: URL
  readonly template?: ReadonlyMap<string, string>
  readonly keepUnknown?: boolean
}

/** Imports. The report goes to stdout. @throws UseError if the source does not exist, or is not such a site */
export async function runImport(
  from: ImporterName,
  source: string,
  flags: ImportFlags,
): Promise<void> {
  const settings = await readSettings(flags)
  const workspace = workspaceOf(source, flags.workspace)
  const path = resolve(source)
  if (!existsSync(path)) throw new UseError(`${source} does not exist.`)
  const report = new ImportReport()
  const context = {
    source: path,
    posts: postsBelow(path, flags.posts),
    language: flags.language,
    media: flags.media === undefined ? undefined : resolve(flags.media),
    site: flags.site && trimmedEnd(flags.site.href, '/'),
    templates: flags.template ?? new Map(),
    keepUnknown: flags.keepUnknown ?? false,
    report,
    slugs: new Slugs(report),
  }
  const importer = await loadImporter(from)
  const content = resolve(settings.content)
  await writeSite(await importer(context), context, { content, workspace })
  const folder = relative(process.cwd(), resolve(content, workspace)) || '.'
  const terminal = terminalOf(process.env, process.stdout)
  process.stdout.write(`${describeImport(report, folder, terminal)}\n`)
  process.exitCode = report.hasFailures ? exitCodes.content : exitCodes.done
}

function workspaceOf(source: string, given: string | undefined): string {
  if (given === undefined) {
    const slug = validSlug(basename(resolve(source)).replace(/\.\w{2,4}$/, ''))
    return workspaceProblem(slug) === null ? slug : `${slug}-site`
  }
  const problem = workspaceProblem(given)
  if (problem !== null) throw new UseError(`--workspace ${JSON.stringify(given)} ${problem}.`)
  return given
}

/** Returns the folder of posts, relative to the source, with `/`. */
function postsBelow(source: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined
  const below = relative(source, resolve(source, folder)).replaceAll('\\', '/')
  if (below.startsWith('..')) throw new UseError(`--posts ${folder} is not below ${source}.`)
  if (!existsSync(resolve(source, folder)))
    throw new UseError(`--posts ${folder} does not exist below ${source}.`)
  return below
}
