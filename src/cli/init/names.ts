// The names of a new project, all of them from the name of its folder.
import { basename } from 'node:path'
import { slugify, workspaceProblem } from '../../model/identifier.ts'

/** The name of a new project. */
export interface ProjectNames {
  /** For people: one line, never empty. */
  readonly name: string
  /** A valid identifier: the folder below `content/`, and the segment of every v1 path. */
  readonly workspace: string
  /** A name that npm takes and that is not the one of quarry's own package. */
  readonly packageName: string
}

/**
 * Names for a folder.
 *
 * @param folder absolute
 * @param taken the name of the package that the project will depend on: npm refuses to install a package
 *   into one of the same name
 */
export function namesFor(folder: string, taken: string): ProjectNames {
  const given = basename(folder).normalize('NFC')
  const workspace = workspaceFor(given)
  return { name: titleFor(given), workspace, packageName: packageNameFor(workspace, taken) }
}

/** The name of a project whose folder has no letter or digit in its name. */
const nameless = 'site'

function titleFor(folder: string): string {
  const words = folder.replace(/[\p{C}\p{Z}_-]+/gu, ' ').trim()
  const [first = '', ...rest] = words === '' ? nameless : words
  return `${first.toUpperCase()}${rest.join('')}`
}

function workspaceFor(folder: string): string {
  const slug = slugify(folder)
  if (workspaceProblem(slug) === null) return slug
  // The name has neither letter nor digit, or is one that some system keeps for a device, or the API for a path.
  const marked = slug === '' ? nameless : `${slug}-${nameless}`
  return workspaceProblem(marked) === null ? marked : nameless
}

/** ASCII letters, digits and hyphens: less than npm takes, and nothing that it refuses. */
function packageNameFor(workspace: string, taken: string): string {
  const ascii = workspace.normalize('NFKD').replace(/\p{M}/gu, '')
  const name = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || nameless
  return name === taken ? `${name}-${nameless}` : name
}
