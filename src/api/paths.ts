// Canonical requests and the files that answer them, in both directions.
// Knows nothing of which files were written: that is a matter of the build's plan.
import {
  type ApiRequest,
  defaultParameters,
  type Format,
  type Parameters,
  type Version,
  versions,
} from './request.ts'
import { resourceKinds } from './resources.ts'

/** Everything below it may be read by anyone, below the output folder. */
export const publicFolder = 'public'

/** Where images lie that posts show, below the output folder. */
export const mediaFolder = 'public/media'

/** Where each version's files lie below the output folder: v1 for everyone, v2 for the function alone. */
export const versionRoots: Readonly<Record<Version, string>> = { v1: 'public/v1', v2: 'private/v2' }

/**
 * The file of a canonical request, below the output folder.
 *
 * ```
 * public/v1/acme/posts/index.json                 page 1
 * public/v1/acme/posts/_page/2.json
 * public/v1/acme/posts/_limit/20/_page/2.json     page sizes other than 10
 * public/v1/acme/posts/_markdown/…                the same tree for format=markdown
 * public/v1/acme/posts/{slug}.json
 * public/v1/acme/tags/_posts/1.json               the list with include=posts
 * public/v1/acme/tags/{slug}/_posts/2.json        one with include=posts, page 2
 * ```
 *
 * @returns null when a filter, a search, an order or `limit=all` makes the request no canonical one, and for
 *   a workspace or identifier that would leave its folder
 */
export function filePath(request: ApiRequest): string | null {
  const { version, workspace, resource, identifier, parameters } = request
  if (!isCanonical(parameters) || leavesFolder(workspace) || leavesFolder(identifier ?? 'x')) {
    return null
  }
  const variant = parameters.format === 'markdown' ? '/_markdown' : ''
  const base = `${versionRoots[version]}/${workspace}/${resource}${variant}`
  if (identifier === null) return `${base}/${listName(parameters)}.json`
  const single = `${base}/${fileStem(identifier)}`
  return parameters.includePosts ? `${single}/${listName(parameters)}.json` : `${single}.json`
}

/**
 * The request that a file answers: the inverse of `filePath`.
 *
 * @returns null when no canonical request has this path
 */
export function requestOfFile(path: string): ApiRequest | null {
  const [root, versionName, workspace, resourceName, ...rest] = path.split('/')
  const version = versions.find((name) => name === versionName)
  const resource = resourceKinds.find((kind) => kind === resourceName)
  if (version === undefined || resource === undefined || workspace === undefined) return null
  if (`${root}/${version}` !== versionRoots[version]) return null
  const format = resource === 'posts' && rest[0] === '_markdown' ? 'markdown' : 'html'
  const found = readSegments(rest.slice(format === 'markdown' ? 1 : 0).join('/'), format)
  if (found === null) return null
  const request = { version, workspace, resource, ...found }
  return filePath(request) === path ? request : null
}

/**
 * The name of an identifier's file, without `.json`: the identifier itself but for two cases that would
 * meet another file. `index` is a list's name, and `a.json` would be the folder beside the file of `a`.
 * No identifier ends in `_`, so the added one is unmistakable.
 */
export function fileStem(identifier: string): string {
  return /^index$|\.json$/iu.test(identifier) ? `${identifier}_` : identifier
}

/** True for what cannot be the name of a file or a folder. No slug, id or workspace is; what a request says may be. */
export function leavesFolder(name: string): boolean {
  return name === '' || /[/\\\0]|^\.|\.\./.test(name)
}

function isCanonical(parameters: Parameters): boolean {
  const { categories, excludeCategories, tags, excludeTags, featured, query } = parameters
  return (
    parameters.limit !== 'all' &&
    parameters.order === 'desc' &&
    !parameters.excludeContent &&
    featured === null &&
    query === '' &&
    categories.length + excludeCategories.length + tags.length + excludeTags.length === 0
  )
}

/** Of a page, below what it is a list of. */
function listName({ limit, page, includePosts }: Parameters): string {
  const folder = limit === defaultParameters.limit ? '' : `_limit/${limit}/`
  if (includePosts) return `${folder}_posts/${page}`
  return page === 1 ? `${folder}index` : `${folder}_page/${page}`
}

type Found = Pick<ApiRequest, 'identifier' | 'parameters'>

/** What may stand behind the resource's name; `_` begins no identifier. */
const filePattern =
  /^(?:(?<owner>[^_/][^/]*)\/)?(?:_limit\/(?<limit>[1-9]\d?|100)\/)?(?:_posts\/(?<posts>[1-9]\d{0,15})|_page\/(?<page>[1-9]\d{0,15})|(?<name>[^_/][^/]*))\.json$/

/** Reads what stands behind the resource's name; the caller checks that it reads back the same. */
function readSegments(segments: string, format: Format): Found | null {
  const { owner, limit = '10', posts, page = '1', name } = filePattern.exec(segments)?.groups ?? {}
  const parameters = { ...defaultParameters, format, limit: Number(limit) }
  if (posts !== undefined) {
    const identifier = owner === undefined ? null : stemIdentifier(owner)
    return { identifier, parameters: { ...parameters, includePosts: true, page: Number(posts) } }
  }
  if (owner !== undefined) return null
  const isList = name === undefined || name === 'index'
  return {
    identifier: isList ? null : stemIdentifier(name),
    parameters: { ...parameters, page: Number(page) },
  }
}

function stemIdentifier(stem: string): string {
  return stem.endsWith('_') ? stem.slice(0, -1) : stem
}
