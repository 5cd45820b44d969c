// The names of a new project, all derived from the name of its folder.
import { basename } from 'node:path'
import { slugify, workspaceProblem } from '../../model/identifier.ts'

/** Names of a new project. */
export interface ProjectNames {
  /** For display: one line, never empty. */
  readonly name: string
  /** A valid identifier: the folder below `content/`, and a segment of every v1 path. */
  readonly workspace: string
  /** A valid npm name other than that of quarry's own package. */
  readonly packageName: string
}

/**
 * Derives names from a folder.
 *
 * @param folder absolute
 * @param taken name of the package that the project depends on: npm refuses to install a package into one of the same
 *   name
 */
export function namesFor(folder: string, taken: string): ProjectNames {
  const folderName = basename(folder).normalize('NFC')
  const workspace = workspaceFor(folderName)
  return { name: titleFor(folderName), workspace, packageName: packageNameFor(workspace, taken) }
}

/** Fallback for a folder whose name has no letter or digit. */
const nameless = 'site'

function titleFor(folder: string): string {
  const words = folder.replace(/[\p{C}\p{Z}_-]+/gu, ' ').trim()
  const [first = '', ...rest] = words === '' ? nameless : words
  return `${first.toUpperCase()}${rest.join('')}`
}

function workspaceFor(folder: string): string {
  const slug = slugify(folder)
  if (workspaceProblem(slug) === null) return slug
  // The name has no letter or digit, or is reserved by a system for a device, or by the API for a path.
  const marked = slug === '' ? nameless : `${slug}-${nameless}`
  return workspaceProblem(marked) === null ? marked : nameless
}

/** ASCII letters, digits and hyphens: a subset of the names that npm accepts. */
function packageNameFor(workspace: string, taken: string): string {
  const ascii = workspace.normalize('NFKD').replace(/\p{M}/gu, '')
  const name = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || nameless
  return name === taken ? `${name}-${nameless}` : name
}
