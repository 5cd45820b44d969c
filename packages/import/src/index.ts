// Runs the command line: `quarry-import jekyll ../old-blog`, or `quarry import jekyll ../old-blog`.
import { existsSync, writeFileSync } from 'node:fs'
import { basename, join, parse, relative, resolve } from 'node:path'
import { Argument, Command, InvalidArgumentError } from 'commander'
import type { CommonFlags } from 'quarry/authoring'
import {
  exitCodes,
  explainFailure,
  parseAddress,
  parseText,
  readSettings,
  terminalOf,
  UseError,
  workspaceProblem,
} from 'quarry/authoring'
import { describeImport, Ledger } from './ledger.ts'
import { trimmedEnd } from './parts.ts'
import type { ImportContext, Importer, LanguageGroup } from './site.ts'
import { Slugs, validSlug } from './terms.ts'
import { writeSite } from './write-site.ts'

/**
 * Runs an import until it ends, and sets `process.exitCode`.
 *
 * @param words after the name of the command
 * @param name of the command, for its help. @default 'quarry-import'
 */
export async function runImports(words: readonly string[], name = 'quarry-import'): Promise<void> {
  try {
    await importCommand(name).parseAsync([...words], { from: 'user' })
  } catch (error) {
    const { text, exitCode } = explainFailure(error, terminalOf(process.env, process.stderr))
    if (text !== '') process.stderr.write(`${text}\n`)
    process.exitCode = exitCode
  }
}

const sites = ['jekyll', 'hugo', 'zola', 'astro', 'next', 'gatsby', 'eleventy'] as const
const others = ['docusaurus', 'vitepress', 'hexo', 'pelican', 'nikola', 'mkdocs'] as const
const exports = ['ghost', 'wordpress', 'marble'] as const

export type GeneratorName = (typeof sites | typeof others)[number]
export type ImporterName = GeneratorName | (typeof exports)[number]

export async function loadImporter(name: ImporterName): Promise<Importer> {
  if (name === 'ghost') return (await import('./ghost/ghost.ts')).importGhost
  if (name === 'wordpress') return (await import('./wordpress/wordpress.ts')).importWordpress
  if (name === 'marble') return (await import('./marble/marble.ts')).importMarble
  const { generators, staticImporter } = await import('./static/static-site.ts')
  return staticImporter(generators[name])
}

type TextFlag = 'workspace' | 'posts' | 'language' | 'media' | 'report' | `${FlagKey}Key`
type FlagKey = 'date' | 'category' | 'status'

interface ImportFlags extends CommonFlags, Readonly<Partial<Record<TextFlag, string>>> {
  readonly site?: URL
  readonly template?: ReadonlyMap<string, string>
  readonly keepUnknown?: boolean
  readonly undated?: boolean
  readonly drafts: boolean
}

function importCommand(name: string): Command {
  const command = new Command(name)
    .exitOverride()
    .showHelpAfterError(`Run npx ${name} --help for its flags.`)
    .description('import the posts of another tool into a workspace')
    .allowExcessArguments(false)
    .addArgument(new Argument('<from>', 'the tool').choices([...sites, ...others, ...exports]))
    .argument('<source>', 'folder of the site, or file of the export', parseText)
    .option('--no-drafts', 'publish posts whatever their status; not those with a password')
    .option('--undated', 'import files without a date too')
    .option('--site <url>', 'origin of the site, for relative URLs in an export', parseAddress)
    .option(
      '--template <name=text>',
      'template for an unknown Liquid filter or shortcode; repeatable',
      parseTemplate,
    )
    .option('--keep-unknown', 'publish posts with unknown markup, which stays as text')
    .action(runImport)
  for (const [flag, text] of textFlags) command.option(flag, text, parseText)
  return command
}

const textFlags: readonly (readonly [flag: string, description: string])[] = [
  ['--workspace <id>', 'workspace folder in the content folder (default: name of the source)'],
  ['--posts <folder>', 'folder of the posts, below the source'],
  ['--language <code>', 'language of the posts, or all: a workspace for each'],
  ['--date-key <key>', 'front-matter key of the date'],
  ['--category-key <key>', 'front-matter key of the category'],
  ['--status-key <key>', 'front-matter key of the status: draft, private'],
  ['--media <folder>', 'folder of the images of an export, which are copied'],
  ['--report <file>', 'write the whole report; as JSON if the name ends in .json'],
  ['--content <folder>', 'content folder (default: content)'],
  ['--config <file>', 'configuration file (default: quarry.config.ts)'],
]

function parseTemplate(text: string, templates: ReadonlyMap<string, string> = new Map()) {
  const [, name, template] = /^([\w/-]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || template === undefined)
    throw new InvalidArgumentError(
      "It must be a name and a template, such as 'shout={{ value }}!'.",
    )
  return new Map([...templates, [name, template]])
}

/** Imports. The report goes to stdout. @throws UseError if the source does not exist, or is not such a site */
async function runImport(from: ImporterName, source: string, flags: ImportFlags): Promise<void> {
  const settings = await readSettings(flags)
  const workspace = workspaceOf(source, flags.workspace)
  const path = resolve(source)
  if (!existsSync(path)) throw new UseError(`${source} does not exist.`)
  const group: LanguageGroup | undefined =
    flags.language === 'all' ? { workspace, keys: new Map(), takenKeys: new Set() } : undefined
  const context = {
    source: path,
    posts: postsBelow(path, flags.posts),
    group,
    media: flags.media === undefined ? undefined : resolve(flags.media),
    site: flags.site && trimmedEnd(flags.site.href, '/'),
    templates: flags.template ?? new Map(),
    keepUnknown: flags.keepUnknown ?? false,
    isUndated: flags.undated ?? false,
    ignoresDrafts: !flags.drafts,
    keys: { date: flags.dateKey, category: flags.categoryKey, status: flags.statusKey },
  }
  const importer = await loadImporter(from)
  const content = resolve(settings.content)
  const terminal = terminalOf(process.env, process.stdout)
  process.exitCode = exitCodes.done
  const run = async (language: string | undefined, suffix: string): Promise<Ledger> => {
    const report = new Ledger()
    const all: ImportContext = { ...context, language, report, slugs: new Slugs(report) }
    const target = { content, workspace: workspace + suffix }
    await writeSite(await importer(all), all, target)
    const folder = relative(process.cwd(), resolve(content, target.workspace)) || '.'
    process.stdout.write(`${describeImport(report, { folder, terminal })}\n`)
    const { dir, name, ext } = parse(flags.report ?? '')
    if (flags.report !== undefined) writeReport(join(dir, name + suffix + ext), report, folder)
    const isBalanced = report.fileBalance.isBalanced && report.keyBalance.isBalanced
    if (report.hasFailures || !isBalanced) process.exitCode = exitCodes.content
    return report
  }
  const first = await run(group === undefined ? flags.language : undefined, '')
  for (const language of group === undefined ? [] : first.languages.slice(1).filter(Boolean))
    await run(language, `-${language.toLowerCase()}`)
}

function writeReport(file: string, report: Ledger, folder: string): void {
  const plain = terminalOf({ NO_COLOR: '1' }, process.stdout)
  const text = file.endsWith('.json')
    ? JSON.stringify(report, null, 2)
    : describeImport(report, { folder, terminal: plain, isWhole: true })
  writeFileSync(file, `${text}\n`)
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

function postsBelow(source: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined
  const below = relative(source, resolve(source, folder)).replaceAll('\\', '/')
  if (below.startsWith('..')) throw new UseError(`--posts ${folder} is not below ${source}.`)
  if (!existsSync(resolve(source, folder)))
    throw new UseError(`--posts ${folder} does not exist below ${source}.`)
  return below
}
