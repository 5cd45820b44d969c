// Canonical requests and the files that answer them, in both directions.
import {
  type DocumentKind,
  documentFile,
  documentKinds,
  documentTable,
  isDocumentKind,
} from './documents.ts'
import {
  type ApiRequest,
  defaultParameters,
  includesPosts,
  type Parameters,
  type Version,
  versions,
} from './request.ts'
import { type ResourceKind, resourceKinds } from './resources.ts'

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
 * public/v1/acme/posts/_asc/…                     the lists with order=asc
 * public/v1/acme/posts/_excludeContent/…          the lists with excludeContent=true, in any format
 * public/v1/acme/posts/_all.json                  limit=all; also below those three
 * public/v1/acme/posts/{slug}.json
 * public/v1/acme/posts/_neighbours/{slug}.json    one with include=neighbours
 * public/v1/acme/tags/_posts/1.json               the list with include=posts
 * public/v1/acme/tags/{slug}/_posts/2.json        one with include=posts, page 2
 * public/v1/acme/redirects.json                   a document
 * public/v1/acme/sitemap-2.xml                    a page of one
 * ```
 *
 * @returns null on the surface of the vendor's SDKs, and for a filter or a search, whose requests are not canonical.
 *   Null for a workspace or identifier that would leave its folder. Null for an unknown identifier whose file would be
 *   that of another request
 */
export function filePath(request: ApiRequest): string | null {
  const { version, workspace, resource, identifier, parameters } = request
  if (
    request.isSdk ||
    !isCanonical(parameters) ||
    leavesFolder(workspace) ||
    leavesFolder(identifier ?? 'x')
  ) {
    return null
  }
  const isOfPost = resource === 'posts' && identifier !== null
  if (parameters.include.includes('neighbours') && !isOfPost) return null
  const folder = `${versionRoots[version]}/${workspace}`
  if (isDocumentKind(resource)) return `${folder}/${documentFile(resource, parameters.page)}`
  const base = `${folder}/${resource}${variantFolders(parameters)}`
  if (identifier === null) return `${base}/${listName(parameters)}.json`
  // `_all` would be the file of a list, `index_` that of `index`.
  if (/^_|_$/.test(identifier)) return null
  const single = `${base}/${fileStem(identifier)}`
  return includesPosts(parameters) ? `${single}/${listName(parameters)}.json` : `${single}.json`
}

/**
 * The request that a file answers: the inverse of `filePath`.
 *
 * @returns null when no canonical request has this path
 */
export function requestOfFile(path: string): FileRequest | null {
  const [root, versionName, workspace, resourceName, ...rest] = path.split('/')
  const version = versions.find((name) => name === versionName)
  if (version === undefined || workspace === undefined) return null
  if (`${root}/${version}` !== versionRoots[version]) return null
  const document = rest.length === 0 ? documentRequest(version, workspace, resourceName) : null
  if (document !== null) return document
  const resource = resourceKinds.find((kind) => kind === resourceName)
  if (resource === undefined) return null
  const folders = rest.filter((folder) => Object.hasOwn(variants, folder))
  const variant: Variant = Object.assign({}, ...folders.map((folder) => variants[folder]))
  const found = readSegments(rest.slice(folders.length).join('/'), variant)
  if (found === null) return null
  // Categories, tags and authors have no variants, and a single post is the same in every order.
  if (resource !== 'posts' && (folders.length > 0 || found.parameters.limit === 'all')) return null
  const ofOthers = found.identifier === null ? ofSingles : ofLists
  if (folders.some((folder) => ofOthers.has(folder))) return null
  const request = { version, workspace, resource, ...found }
  return filePath(request) === path ? request : null
}

/** A request that has a file. */
export type FileRequest = ApiRequest & { readonly resource: ResourceKind | DocumentKind }

/**
 * The request that the file of a document answers.
 *
 * @returns null for a version without the document, and for what is no workspace's name
 */
export function documentRequest(
  version: Version,
  workspace: string,
  name = '',
): FileRequest | null {
  const [, number = '1'] = /-([2-9]|[1-9]\d{1,14})\.xml$/.exec(name) ?? []
  const page = Number(number)
  const resource = documentKinds.find((kind) => documentFile(kind, page) === name)
  if (resource === undefined || leavesFolder(workspace)) return null
  const { versions, operation } = documentTable[resource]
  if (!versions.includes(version) || (page > 1 && operation !== 'sitemap')) return null
  const parameters = { ...defaultParameters, page }
  return { version, workspace, resource, identifier: null, parameters }
}

/**
 * The name of an identifier's file, without `.json`: the identifier itself but for two cases that would
 * meet another file. `index` is a list's name, and `a.json` would be the folder next to the file of `a`.
 * No identifier ends in `_`, so the added one is unmistakable.
 */
export function fileStem(identifier: string): string {
  return /^index$|\.json$/iu.test(identifier) ? `${identifier}_` : identifier
}

/** True for what cannot be the name of a file or a folder. No slug, id or workspace is; what a request says may be. */
export function leavesFolder(name: string): boolean {
  return name === '' || /[/\\\0]|^\.|\.\./.test(name)
}

/** Only what a path can express may differ from the default. */
function isCanonical(parameters: Parameters): boolean {
  if (parameters.limit === 'all' && parameters.page !== 1) return false
  if (parameters.include.length > 1) return false
  if (parameters.include.some((name) => name !== 'posts' && name !== 'neighbours')) return false
  const names = Object.keys(defaultParameters) as (keyof Parameters)[]
  return names.every((name) => inPaths.has(name) || isDefault(parameters[name], name))
}

const inPaths: ReadonlySet<keyof Parameters> = new Set([
  ...(['limit', 'page', 'order', 'format', 'excludeContent', 'include'] as const),
])

function isDefault(value: unknown, name: keyof Parameters): boolean {
  return Array.isArray(value) ? value.length === 0 : value === defaultParameters[name]
}

type Variant = Partial<Pick<Parameters, 'format' | 'order' | 'excludeContent' | 'include'>>

/** Folders for what a request says of its posts, in the order in which they contain each other. */
const variants: Readonly<Record<string, Variant>> = {
  _markdown: { format: 'markdown' },
  _asc: { order: 'asc' },
  _excludeContent: { excludeContent: true },
  _neighbours: { include: ['neighbours'] },
}

const ofLists: ReadonlySet<string> = new Set(['_asc', '_excludeContent'])
const ofSingles: ReadonlySet<string> = new Set(['_neighbours'])

/** Posts without their content are the same in every format. */
function variantFolders({ format, order, excludeContent, include }: Parameters): string {
  const markdown = format === 'markdown' && !excludeContent ? '/_markdown' : ''
  const list = `${order === 'asc' ? '/_asc' : ''}${excludeContent ? '/_excludeContent' : ''}`
  return `${markdown}${list}${include.includes('neighbours') ? '/_neighbours' : ''}`
}

/** The name of a page, below the folder of its list. */
function listName({ limit, page, include }: Parameters): string {
  if (limit === 'all') return '_all'
  const folder = limit === defaultParameters.limit ? '' : `_limit/${limit}/`
  if (include.length > 0) return `${folder}_posts/${page}`
  return page === 1 ? `${folder}index` : `${folder}_page/${page}`
}

type NamedRequest = Pick<ApiRequest, 'identifier' | 'parameters'>

/** The rest of a path behind the resource's name and its variant; `_` begins no identifier. */
const filePattern =
  /^(?:(?<owner>[^_/][^/]*)\/)?(?:_limit\/(?<limit>[1-9]\d?|100)\/)?(?:(?<all>_all)|_posts\/(?<posts>[1-9]\d{0,15})|_page\/(?<page>[1-9]\d{0,15})|(?<name>[^_/][^/]*))\.json$/

/** Reads what is behind the resource's name; the caller checks that it reads back the same. */
function readSegments(segments: string, variant: Variant): NamedRequest | null {
  const match = filePattern.exec(segments)?.groups ?? {}
  const { owner, limit = '10', all, posts, page = '1', name } = match
  const parameters: Parameters = {
    ...defaultParameters,
    ...variant,
    limit: all === undefined ? Number(limit) : 'all',
  }
  if (posts !== undefined) {
    const identifier = owner === undefined ? null : stemIdentifier(owner)
    return { identifier, parameters: { ...parameters, include: ['posts'], page: Number(posts) } }
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
