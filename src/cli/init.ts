// `quarry init`: creates a project from a template, or nothing on failure, and prints the next steps.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { hasCleartextKey } from '../api/keys.ts'
import { listFiles } from '../build/output.ts'
import { UseError } from '../diagnostics.ts'
import { slugify, workspaceProblem } from '../model/identifier.ts'
import { messageOf, type PackageInfo, packageInfo } from './settings.ts'
import { terminalOf } from './terminal.ts'

/** Flags of `quarry init`. */
type InitFlags = Readonly<{ template?: TemplateName; deploy?: DeployName }>

/** Creates a project in a folder, by default the working folder, and prints the next steps. */
export async function runInit(folder: string | undefined, flags: InitFlags): Promise<void> {
  const { template = 'blog' } = flags
  const target = resolve(folder ?? '.')
  if (hasCleartextKey(target)) throw new UseError('The folder name looks like an API key.')
  requireEmpty(target)
  const self = packageInfo()
  const names = projectNames(target, self.name)
  const packed = mkdtempSync(join(tmpdir(), 'quarry-init-'))
  let tarball: string | null = null
  try {
    tarball = isFromRegistry(self) ? null : pack(self, packed)
    const files = projectFiles(self, { ...flags, template }, names, tarball)
    if (tarball !== null) files.set(tarball, readFileSync(join(packed, tarball)))
    writeProject(target, files)
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
  const { green, bold, cyan } = terminalOf(process.env, process.stdout)
  const below = relative(process.cwd(), target)
  const isPlain = /^[\p{L}\p{N}/._-]+$/u.test(below)
  const enter = `cd ${isPlain ? below : `'${below.replaceAll("'", "'\\''")}'`}`
  const steps = [...(below === '' ? [] : [enter]), 'npm install', 'npm run dev']
  const lines = [
    `${green('Created')} ${bold(below || 'the project in this folder')} from the template ${template}, with the workspace "${names.workspace}".`,
  ]
  if (tarball !== null)
    lines.push(
      `quarry is not on npm yet, so the project contains it as ${tarball}. Commit that file too.`,
    )
  lines.push('Next:', ...steps.map((step) => `  ${cyan(step)}`))
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Rejects a folder that contains anything except `.git`. @param target absolute @throws UseError with the fix */
function requireEmpty(target: string): void {
  if (!existsSync(target)) return
  const otherFolder = 'Name a new folder: npx quarry init my-site'
  if (!statSync(target).isDirectory()) throw new UseError(`${target} is a file. ${otherFolder}`)
  const found = readdirSync(target).filter((name) => name !== '.git')
  if (found.length === 0) return
  if (found.includes('package.json'))
    throw new UseError(
      `${target} already contains a project, and npx quarry init never changes files. Create a project next to it with npx quarry init my-site; then copy its content folder, its quarry.config.ts, and the scripts and the dependency of its package.json.`,
    )
  const more = found.length > 3 ? ` and ${found.length - 3} more` : ''
  const listed = `${found.slice(0, 3).join(', ')}${more}`
  throw new UseError(`${target} is not empty: it contains ${listed}. ${otherFolder}`)
}

/** Writes the files of a project. On failure, everything created is removed. @param target absolute; free */
function writeProject(target: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  const made = [mkdirSync(target, { recursive: true })]
  try {
    for (const [path, data] of files) {
      const file = join(target, path)
      made.push(mkdirSync(dirname(file), { recursive: true }))
      writeFileSync(file, data, { flag: 'wx' })
      made.push(file)
    }
  } catch (error) {
    for (const path of made) if (path !== undefined) rmSync(path, { recursive: true, force: true })
    throw error
  }
}

/** Reports whether npm recorded that the package came from a registry, where another package may have its name. */
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

/** Packs the running package, so that every clone of the project can install it. @returns the name of the tarball */
function pack(self: PackageInfo, folder: string): string {
  const words = ['pack', self.folder, '--ignore-scripts', '--json', '--pack-destination', folder]
  // On Windows npm is a script, which only a shell can run.
  const shell = process.platform === 'win32'
  const args = shell ? words.map((word) => `"${word}"`) : words
  const options = { cwd: folder, shell, encoding: 'utf8', stdio: 'pipe' } as const
  try {
    return JSON.parse(execFileSync('npm', args, options))[0].filename
  } catch (error) {
    const [reason] = messageOf(error).split('\n')
    throw new UseError(
      `npm could not pack quarry for the new project: ${reason} Check that npm works, and try again.`,
    )
  }
}

/** Slugs of a post and of a tag of each template for its README; the default is first. */
export const templates = {
  blog: { post: 'hello', tag: 'writing' },
  docs: { post: 'install', tag: 'beginning' },
  changelog: { post: '1.1.0', tag: 'added' },
} as const

type TemplateName = keyof typeof templates

export const templateNames = Object.keys(templates) as readonly TemplateName[]

/** The workflows that deploy a project. */
export const deployNames = ['github-pages', 'cloudflare', 'netlify', 'vercel'] as const

type DeployName = (typeof deployNames)[number]

interface ProjectNames {
  /** For display: one line, never empty. */
  readonly name: string
  /** A valid identifier: the folder below `content/`, and a segment of every v1 path. */
  readonly workspace: string
  /** A valid npm name other than that of quarry's own package. */
  readonly packageName: string
}

/** Fallback for a folder whose name has no letter or digit. */
const fallbackName = 'site'

/** Derives names from an absolute folder. @param taken name of quarry's own package, which is not available */
export function projectNames(folder: string, taken: string): ProjectNames {
  const folderName = basename(folder).normalize('NFC')
  const words = folderName.replace(/[\p{C}\p{Z}_-]+/gu, ' ').trim()
  const [first = '', ...rest] = words || fallbackName
  const slug = slugify(folderName)
  // Some names are reserved: by systems for devices, and by the API for paths.
  const free = [slug, `${slug}-${fallbackName}`].find((name) => workspaceProblem(name) === null)
  const workspace = slug === '' ? fallbackName : (free ?? fallbackName)
  // Uses only ASCII letters, digits and hyphens, which npm accepts.
  const ascii = workspace.normalize('NFKD').replace(/\p{M}/gu, '')
  const npmName = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || fallbackName
  const packageName = npmName === taken ? `${npmName}-${fallbackName}` : npmName
  return { name: `${first.toUpperCase()}${rest.join('')}`, workspace, packageName }
}

/**
 * Returns the files by path. In the package, a leading `_` of a name represents `.`, because npm would omit
 * `.gitignore` and follow its rules. Placeholders such as `__WORKSPACE__` are replaced in names and text.
 */
function projectFiles(
  self: PackageInfo,
  { template, deploy }: InitFlags & { readonly template: TemplateName },
  { name, workspace, packageName }: ProjectNames,
  tarball: string | null,
): Map<string, string | Uint8Array> {
  const { post, tag } = templates[template]
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    // A JSON string is valid YAML.
    NAME_JSON: JSON.stringify(name),
    WORKSPACE: workspace,
    WORKSPACE_URL: encodeURIComponent(workspace),
    POST: post,
    TAG: tag,
    PACKAGE: packageName,
    DEPLOY_ROW:
      deploy === undefined
        ? ''
        : '| `.github/workflows/deploy.yml` | builds and deploys every push to main; its comments name the secrets |\n',
    TARBALL_ROW:
      tarball === null ? '' : `| \`${tarball}\` | quarry itself, which is not on npm yet |\n`,
  }
  // Replaces in one pass, so that a value is never read as a placeholder.
  const fill = (text: string) =>
    text.replace(/__([A-Z_]+?)__/g, (whole, key: string) => values[key] ?? whole)
  const files = new Map<string, string | Uint8Array>()
  for (const part of ['shared', template, ...(deploy ? [`deploy/${deploy}`] : [])]) {
    const from = join(self.folder, 'examples/templates', part)
    for (const path of listFiles(from)) {
      const bytes = readFileSync(join(from, path))
      const data = path.endsWith('.png') ? bytes : fill(bytes.toString())
      files.set(fill(path.replace(/(^|\/)_(?!_)/g, '$1.')), data)
    }
  }
  const config = String(files.get('quarry.config.ts'))
  files.set('quarry.config.ts', config.replace("  out: 'dist',\n", `$&${platformSettings(deploy)}`))
  const manifest: object = JSON.parse(String(files.get('package.json')))
  const dependencies = { [self.name]: tarball === null ? `^${self.version}` : `file:${tarball}` }
  const whole = { name: packageName, ...manifest, dependencies }
  return files.set('package.json', `${JSON.stringify(whole, null, 2)}\n`)
}

/** Returns the lines of the configuration for a deployment. */
function platformSettings(deploy: DeployName | undefined): string {
  if (deploy === undefined) return ''
  if (deploy !== 'github-pages') return `  platform: '${deploy}',\n`
  return "  platform: 'static',\n  // Filters and search run in the browser: node_modules/quarry/docs/static-queries.md\n  browser: true,\n"
}
