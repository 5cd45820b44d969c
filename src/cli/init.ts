// `quarry init`: creates a project out of a template, whole or not at all, and prints the next steps.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { promisify } from 'node:util'
import { holdsClearKey } from '../api/keys.ts'
import { listFiles } from '../build/output.ts'
import { UseError } from '../diagnostics.ts'
import { slugify, workspaceProblem } from '../model/identifier.ts'
import { didYouMean } from '../model/problems.ts'
import { StoppedError } from './failures.ts'
import { type PackageInfo, packageInfo } from './settings.ts'
import { terminalOf } from './terminal.ts'

/** `yes` skips all prompts. */
type InitFlags = Readonly<{ template?: TemplateName; yes?: boolean }>

/**
 * Creates a project in a folder. The result goes to stdout, prompts go to stderr.
 *
 * @param folder as given; without it, the working folder if that is empty, or else, on a terminal, a folder from a
 *   prompt
 */
export async function runInit(folder: string | undefined, flags: InitFlags): Promise<void> {
  const { target, template } = await readWishes(folder, flags)
  if (holdsClearKey(target)) throw new UseError('The name of the folder looks like an API key.')
  requireFree(target)
  const self = packageInfo()
  const names = namesFor(target, self.name)
  const stop = new AbortController()
  const abort = () => stop.abort()
  process.once('SIGINT', abort).once('SIGTERM', abort)
  let tarball: string | null = null
  try {
    await placeWhole(target, async (fresh) => {
      tarball = isFromRegistry(self) ? null : await pack(self, fresh, stop.signal)
      for (const [path, text] of projectFiles(self, template, names, tarball)) {
        const file = join(fresh, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text, { flag: 'wx' })
      }
    })
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
  const { green, bold, cyan } = terminalOf(process.env, process.stdout)
  const below = relative(process.cwd(), target)
  const isPlain = /^[\p{L}\p{N}/._-]+$/u.test(below)
  const enter = `cd ${isPlain ? below : `'${below.replaceAll("'", "'\\''")}'`}`
  const steps = [...(below === '' ? [] : [enter]), 'npm install', 'npm run dev']
  const lines = [
    `${green('Created')} ${bold(below || 'the project in this folder')} from the template ${template}, with the workspace "${names.workspace}".`,
    ...(tarball === null
      ? []
      : [
          `quarry is not on npm yet, so the project contains it as ${tarball}. Commit that file too.`,
        ]),
    'Next:',
    ...steps.map((step) => `  ${cyan(step)}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Returns the folder of the project, absolute, and the template. @throws StoppedError for Ctrl+C or Ctrl+D at a prompt */
async function readWishes(
  folder: string | undefined,
  flags: InitFlags,
): Promise<Readonly<{ target: string; template: TemplateName }>> {
  const { stdin: input, stderr: output } = process
  const canPrompt = input.isTTY === true && output.isTTY === true && !process.env['CI']
  const isPlaced = folder !== undefined || isFree(process.cwd())
  const [target, template] = [resolve(folder ?? '.'), flags.template]
  if (flags.yes === true || !canPrompt || (template !== undefined && isPlaced))
    return { target, template: template ?? 'blog' }
  const terminal = createInterface({ input, output })
  const left = new AbortController()
  for (const event of ['close', 'SIGINT']) terminal.once(event, () => left.abort())
  const prompt: Prompt = async (text, fallback) => {
    const response = await terminal.question(`${text} (${fallback}) `, { signal: left.signal })
    return response.trim() || fallback
  }
  try {
    const place = isPlaced ? target : resolve(await prompt('Folder', 'my-site'))
    // Reports existing files before the prompt for a template.
    requireFree(place)
    return { target: place, template: template ?? (await promptForTemplate(prompt)) }
  } catch (error) {
    if (!left.signal.aborted) throw error
    output.write('\n')
    throw new StoppedError(stopped)
  } finally {
    terminal.close()
  }
}

/** Prompts for a line. An empty line selects the fallback, which is shown in brackets. */
type Prompt = (text: string, fallback: string) => Promise<string>

/** Prompts for a template until the input names one. */
async function promptForTemplate(prompt: Prompt): Promise<TemplateName> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  for (const name of templateNames) say(`  ${name.padEnd(11)}${templates[name].purpose}`)
  for (;;) {
    const response = (await prompt('Template', 'blog')).toLowerCase()
    // The first letter is enough; no two names share it.
    const found = templateNames.find((name) => name === response || name.charAt(0) === response)
    if (found !== undefined) return found
    const hint = didYouMean(response, templateNames) ?? `Choose ${templateNames.join(', ')}.`
    say(`There is no such template. ${hint}`)
  }
}

const stopped = 'Stopped. Nothing was created.'

/** Rejects a folder that contains anything except `.git`. @param target absolute @throws UseError with the fix */
function requireFree(target: string): void {
  if (isFree(target)) return
  const otherFolder = 'Name a new folder: npx quarry init my-site'
  if (!statSync(target).isDirectory()) throw new UseError(`${target} is a file. ${otherFolder}`)
  const found = entriesOf(target)
  if (found.includes('package.json'))
    throw new UseError(
      `${target} already contains a project, and npx quarry init never changes files. Create a project next to it with npx quarry init my-site; then copy its content folder, its quarry.config.ts, and the scripts and the dependency of its package.json.`,
    )
  const more = found.length > 3 ? ` and ${found.length - 3} more` : ''
  const listed = `${found.slice(0, 3).join(', ')}${more}`
  throw new UseError(`${target} is not empty: it contains ${listed}. ${otherFolder}`)
}

/** Reports whether a project can be created in a folder. */
function isFree(target: string): boolean {
  return !existsSync(target) || (statSync(target).isDirectory() && entriesOf(target).length === 0)
}

function entriesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== '.git')
}

/**
 * Creates a project next to its target, then moves it there: a new folder at once, the entries of an existing one, which
 * may be in use, one by one. On failure, everything created is removed.
 *
 * @param target absolute; free
 * @param fill writes the project into the given folder
 */
async function placeWhole(target: string, fill: (fresh: string) => Promise<void>): Promise<void> {
  const isThere = existsSync(target)
  const parent = isThere ? target : dirname(target)
  const created = isThere ? undefined : mkdirSync(parent, { recursive: true })
  const fresh = join(parent, `.quarry-init-${randomUUID().slice(0, 8)}`)
  const made = [fresh]
  try {
    mkdirSync(fresh)
    await fill(fresh)
    if (!isThere) return renameSync(fresh, target)
    for (const name of readdirSync(fresh)) {
      const place = join(target, name)
      // Another program may have created it in the meantime.
      if (existsSync(place)) throw new UseError(`${place} has just appeared. Nothing was created.`)
      renameSync(join(fresh, name), place)
      made.push(place)
    }
    rmSync(fresh, { recursive: true })
  } catch (error) {
    for (const path of [...made, ...(created === undefined ? [] : [created])])
      rmSync(path, { recursive: true, force: true })
    throw error
  }
}

/**
 * Reports whether npm recorded that the running package came from a registry. Elsewhere, its name may belong to another
 * package.
 */
function isFromRegistry({ name, folder }: PackageInfo): boolean {
  const modules = dirname(folder)
  const record = join(modules, '.package-lock.json')
  if (basename(modules) !== 'node_modules' || !existsSync(record)) return false
  const { packages } = JSON.parse(readFileSync(record, 'utf8'))
  const { resolved, integrity } = packages?.[`node_modules/${name}`] ?? {}
  if (integrity === undefined) return false
  // npm may be configured to omit registry URLs from its records, but never file URLs.
  return resolved === undefined || resolved.includes(`/${name}/-/`)
}

/** Packs the running package into the project, so that every clone can install it. @returns the name of the tarball */
async function pack(self: PackageInfo, folder: string, signal: AbortSignal): Promise<string> {
  const words = ['pack', self.folder, '--ignore-scripts', '--json', '--pack-destination', folder]
  // On Windows npm is a script, which only a shell can run.
  const shell = process.platform === 'win32'
  const args = shell ? words.map((word) => `"${word}"`) : words
  try {
    const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, shell, signal })
    return JSON.parse(stdout)[0].filename
  } catch (error) {
    if (signal.aborted) throw new StoppedError(stopped)
    const [reason] = error instanceof Error ? error.message.split('\n') : [String(error)]
    throw new UseError(
      `npm could not pack quarry for the new project: ${reason} Check that npm works, and try again.`,
    )
  }
}

/** The templates, the default first. */
export const templateNames = ['blog', 'docs', 'changelog'] as const

type TemplateName = (typeof templateNames)[number]

/** The purpose of each template, and slugs of a post and of a tag for its README. */
export const templates: Readonly<
  Record<TemplateName, Readonly<Record<'purpose' | 'post' | 'tag', string>>>
> = {
  blog: { purpose: 'posts with categories, tags and an author', post: 'hello', tag: 'writing' },
  docs: { purpose: 'guides and a reference', post: 'install', tag: 'beginning' },
  changelog: { purpose: 'releases and notices', post: '1.1.0', tag: 'added' },
}

/** Names of a new project. */
interface ProjectNames {
  /** For display: one line, never empty. */
  readonly name: string
  /** A valid identifier: the folder below `content/`, and a segment of every v1 path. */
  readonly workspace: string
  /** A valid npm name other than that of quarry's own package. */
  readonly packageName: string
}

/** Fallback for a folder whose name has no letter or digit. */
const nameless = 'site'

/**
 * Derives names from the name of a folder.
 *
 * @param folder absolute
 * @param taken name of the package that the project depends on: npm refuses to install a package into one of the same
 *   name
 */
export function namesFor(folder: string, taken: string): ProjectNames {
  const folderName = basename(folder).normalize('NFC')
  const words = folderName.replace(/[\p{C}\p{Z}_-]+/gu, ' ').trim()
  const [first = '', ...rest] = words || nameless
  const slug = slugify(folderName)
  // Some names are reserved by a system for a device, or by the API for a path.
  const free = [slug, `${slug}-${nameless}`].find((name) => workspaceProblem(name) === null)
  const workspace = slug === '' ? nameless : (free ?? nameless)
  // ASCII letters, digits and hyphens: a subset of the names that npm accepts.
  const ascii = workspace.normalize('NFKD').replace(/\p{M}/gu, '')
  const npmName = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || nameless
  const packageName = npmName === taken ? `${npmName}-${nameless}` : npmName
  return { name: `${first.toUpperCase()}${rest.join('')}`, workspace, packageName }
}

/**
 * Returns the files of a new project, including those that all templates share.
 *
 * In the package, a leading `_` of a name represents `.`, because npm would leave `.gitignore` out, and obey it.
 * Placeholders such as `__WORKSPACE__` are replaced in names and text.
 *
 * @param self the running package
 * @param tarball file of the project that contains quarry; null if it comes from a registry
 * @returns texts by path, with `/`
 */
function projectFiles(
  self: PackageInfo,
  template: TemplateName,
  { name, workspace, packageName }: ProjectNames,
  tarball: string | null,
): ReadonlyMap<string, string> {
  const { post, tag } = templates[template]
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    // A JSON string is valid YAML.
    NAME_JSON: JSON.stringify(name),
    WORKSPACE: workspace,
    WORKSPACE_URL: encodeURIComponent(workspace),
    POST: post,
    TAG: tag,
    TARBALL_ROW:
      tarball === null ? '' : `| \`${tarball}\` | quarry itself, which is not on npm yet |\n`,
  }
  // In one pass, so that a value is never read as a placeholder.
  const fill = (text: string) =>
    text.replace(/__([A-Z_]+?)__/g, (whole, key: string) => values[key] ?? whole)
  const files = new Map<string, string>()
  for (const part of ['shared', template]) {
    const from = join(self.folder, 'examples/templates', part)
    for (const path of listFiles(from))
      files.set(
        fill(path.replace(/(^|\/)_(?!_)/g, '$1.')),
        fill(readFileSync(join(from, path), 'utf8')),
      )
  }
  const manifest: object = JSON.parse(files.get('package.json') ?? '{}')
  const dependencies = { [self.name]: tarball === null ? `^${self.version}` : `file:${tarball}` }
  const whole = { name: packageName, ...manifest, dependencies }
  return files.set('package.json', `${JSON.stringify(whole, null, 2)}\n`)
}
