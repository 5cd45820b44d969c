// The templates of `quarry init`, the names of a new project, and its files.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listFiles } from '../build/output.ts'
import { slugify, workspaceProblem } from '../model/identifier.ts'
import type { PackageInfo } from './settings.ts'

/** The templates, the default first. */
export const templateNames = ['blog', 'docs', 'changelog'] as const

export type TemplateName = (typeof templateNames)[number]

/** The purpose of each template, and slugs of a post and of a tag for its README. */
export const templates: Readonly<
  Record<TemplateName, Readonly<Record<'purpose' | 'post' | 'tag', string>>>
> = {
  blog: { purpose: 'posts with categories, tags and an author', post: 'hello', tag: 'writing' },
  docs: { purpose: 'guides and a reference', post: 'install', tag: 'beginning' },
  changelog: { purpose: 'releases and notices', post: '1.1.0', tag: 'added' },
}

/** Names of a new project. */
export interface ProjectNames {
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
  const workspace = workspaceFor(slugify(folderName))
  // ASCII letters, digits and hyphens: a subset of the names that npm accepts.
  const ascii = workspace.normalize('NFKD').replace(/\p{M}/gu, '')
  const npmName = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || nameless
  const packageName = npmName === taken ? `${npmName}-${nameless}` : npmName
  return { name: `${first.toUpperCase()}${rest.join('')}`, workspace, packageName }
}

/** Some names are reserved by a system for a device, or by the API for a path. */
function workspaceFor(slug: string): string {
  const names = [slug, slug === '' ? nameless : `${slug}-${nameless}`]
  return names.find((name) => workspaceProblem(name) === null) ?? nameless
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
export function projectFiles(
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
