// Project templates, and their files with placeholders filled in.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '../../emit/output-folder.ts'
import type { ProjectNames } from './names.ts'

/** The templates, the default first. */
export const templateNames = ['blog', 'docs', 'changelog'] as const

export type TemplateName = (typeof templateNames)[number]

/** Purpose of each template, and slugs for its README. */
export const templates: Readonly<Record<TemplateName, Template>> = {
  blog: { purpose: 'posts with categories, tags and an author', post: 'hello', tag: 'writing' },
  docs: { purpose: 'guides and a reference', post: 'install', tag: 'beginning' },
  changelog: { purpose: 'releases and notices', post: '1.1.0', tag: 'added' },
}

/** The dependency of a new project on quarry. */
export interface Dependency {
  /** Its value in `package.json`. */
  readonly spec: string
  /** File of the project that contains quarry; null if it comes from a registry. */
  readonly tarball: string | null
}

interface Template {
  readonly purpose: string
  /** Slugs of a post and of a tag. */
  readonly post: string
  readonly tag: string
}

/**
 * Returns the files of a new project, including those that all templates share.
 *
 * In the package, a leading `_` of a name represents `.`, because npm would leave `.gitignore` out, and obey it.
 * Placeholders such as `__WORKSPACE__` are replaced in names and text.
 *
 * @param folder of the running package
 * @returns texts by path, with `/`
 */
export function projectFiles(
  folder: string,
  template: TemplateName,
  project: { readonly names: ProjectNames; readonly dependency: Dependency; readonly self: string },
): ReadonlyMap<string, string> {
  const { names, dependency, self } = project
  const values = valuesOf(template, names, dependency)
  const files = new Map<string, string>()
  for (const part of ['shared', template]) {
    const from = join(folder, 'examples/templates', part)
    for (const path of listFiles(from)) {
      const name = fill(path.replace(/(^|\/)_(?!_)/g, '$1.'), values)
      files.set(name, fill(readFileSync(join(from, path), 'utf8'), values))
    }
  }
  const manifest: object = JSON.parse(files.get('package.json') ?? '{}')
  const whole = { name: names.packageName, ...manifest, dependencies: { [self]: dependency.spec } }
  return files.set('package.json', `${JSON.stringify(whole, null, 2)}\n`)
}

function valuesOf(
  template: TemplateName,
  { name, workspace }: ProjectNames,
  { tarball }: Dependency,
): Readonly<Record<string, string>> {
  const { post, tag } = templates[template]
  return {
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
}

/** In one pass, so that a value is never read as a placeholder. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/__([A-Z_]+?)__/g, (whole, name: string) => values[name] ?? whole)
}
