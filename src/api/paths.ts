// Canonical requests and their response files, mapped in both directions.
import {
  type DocumentKind,
  documentFile,
  documentKinds,
  documentTable,
  isDocumentKind,
  isFeedKind,
} from './documents.ts'
import { defaultParameters, type ParameterName, parameterTable } from './parameters.ts'
import {
  type ApiRequest,
  hasRows,
  includesPosts,
  type OwnKind,
  type Parameters,
  type TargetKind,
  type Version,
  versions,
} from './request.ts'
import { type Post, type ResourceKind, resourceKinds, termKinds } from './resources.ts'

/** Folder that everyone may read, below the output folder. */
export const publicFolder = 'public'

/** Folder of published images, below the output folder. */
export const mediaFolder = 'public/media'

/** Folder of the public view, below the output folder. */
export const browserFolder = 'public/site'

/** The function for browsers, as a module and as a service worker, in the public folder. */
export const browserPrograms = ['quarry-function.js', 'quarry-feeds.js', 'quarry-sw.js'] as const

/** Folder of each version's files, below the output folder: v1 is public, v2 is for the function only. */
export const versionRoots: Readonly<Record<Version, string>> = { v1: 'public/v1', v2: 'private/v2' }

/**
 * Returns the path of a canonical request's response file, below the output folder.
 *
 * ```
 * public/v1/acme/posts/index.json                 page 1
 * public/v1/acme/posts/_page/2.json
 * public/v1/acme/posts/_limit/20/_page/2.json     page sizes other than 10
 * public/v1/acme/posts/_markdown/…                the same tree for format=markdown
 * public/v1/acme/posts/_asc/…                     the lists with order=asc
 * public/v1/acme/posts/_excludeContent/…          the lists with excludeContent=true, in any format
 * public/v1/acme/posts/_all.json                  limit=all; also in the three folders above
 * public/v1/acme/posts/{slug}.json
 * public/v1/acme/tags/_posts/1.json               the list with include=posts
 * public/v1/acme/tags/{slug}/_posts/2.json        a tag with include=posts, page 2
 * public/v1/acme/collections.json                 the list of collections
 * public/v1/acme/collections/guides/…             the items of a collection, in its own order
 * public/v1/acme/singletons/{name}.json           also in _markdown
 * public/v1/acme/posts/{slug}.md                  the Markdown of a post: `textPath`
 * public/v1/acme/redirects.json                   a document
 * public/v1/acme/sitemap-2.xml                    a page of a document
 * ```
 *
 * @returns null for a request that is not canonical, and for a name that would leave its folder or have the file of
 *   another request
 */
export function filePath(request: ApiRequest): string | null {
  const { version, workspace, resource, collection = 'x', identifier, parameters } = request
  const isItem = resource === 'items'
  const segments = identifier === null ? [] : isItem ? identifier.split('/') : [identifier]
  if (request.isSdk || !isCanonical(parameters, resource)) return null
  if ([workspace, collection, ...segments].some(isUnsafeName)) return null
  const folder = `${versionRoots[version]}/${workspace}`
  if (isDocumentKind(resource)) return `${folder}/${documentFile(resource, parameters.page)}`
  if (resource === 'collections') return `${folder}/${resource}.json`
  const kind = isItem ? `collections/${collection}` : resource
  const base = `${folder}/${kind}${variantFolders(parameters)}`
  if (identifier === null) return `${base}/${listName(parameters)}.json`
  // `_all` would be the file of a list, and `index_` the file of `index`.
  if (segments.some((name) => /^_|_$/.test(name))) return null
  const single = [base, ...segments.map(fileStem)].join('/')
  return includesPosts(parameters) ? `${single}/${listName(parameters)}.json` : `${single}.json`
}

/** Returns the request of a response file, the inverse of `filePath`; null if no canonical request has this path. */
export function requestOfFile(path: string): FileRequest | null {
  const [, root, workspace = '', name = ''] = /^([^/]+\/[^/]+)\/([^/]+)\/(.+)$/.exec(path) ?? []
  const version = versions.find((each) => versionRoots[each] === root)
  if (version === undefined) return null
  const of = { version, workspace }
  const [, identifier] = /^posts\/([^/]+\.md)$/.exec(name) ?? []
  if (version === 'v1' && identifier !== undefined)
    return { ...of, resource: 'posts', identifier, parameters: defaultParameters }
  const found = name.includes('/') ? contentRequest(name) : documentRequest(version, name)
  const request = found && { ...of, ...found }
  return request !== null && filePath(request) === path ? request : null
}

type RelativeRequest = Omit<FileRequest, 'version' | 'workspace'>

const rowsPattern = `(?:(?<kind>${[...resourceKinds, 'singletons'].join('|')})|collections/(?<collection>[^/]+))`
const variantPattern = '(?<markdown>/_markdown)?(?<asc>/_asc)?(?<bare>/_excludeContent)?'
const number = '[1-9]\\d{0,15}'
const pagePattern = `(?:index|(?<all>_all)|_posts/(?<posts>${number})|_page/(?<page>${number}))`
const listPattern = `(?:/_limit/(?<limit>[1-9]\\d?|100))?/${pagePattern}`
// regex: slashes separate the parts, and no name of a folder is a part of a slug
const contentPattern = new RegExp(
  `^${rowsPattern}${variantPattern}(?<slug>(?:/[^_/][^/]*)*?)(?:${listPattern})?\\.json$`,
)

/** @param name the path below the folder of a workspace; the caller checks that it round-trips */
function contentRequest(name: string): RelativeRequest | null {
  const parts = contentPattern.exec(name)?.groups
  if (parts === undefined) return null
  const { kind, collection = '', markdown, asc, bare, slug = '' } = parts
  const { limit = '10', all, posts, page = '1' } = parts
  const resource = [...resourceKinds, 'singletons' as const].find((each) => each === kind)
  const isTerm = termKinds.some((each) => each === resource)
  // A single resource is the same in every list. Only categories, tags and authors have posts, and no variants.
  if ((isTerm || slug !== '') && (asc ?? bare ?? all) !== undefined) return null
  if ((isTerm ? markdown : posts) !== undefined) return null
  const segments = slug.split('/').slice(1).map(stemIdentifier)
  const identifier = slug === '' ? null : segments.join('/')
  const parameters: Parameters = {
    ...defaultParameters,
    limit: all === undefined ? Number(limit) : 'all',
    page: Number(posts ?? page),
    order: asc === undefined ? 'desc' : 'asc',
    format: markdown === undefined ? 'html' : 'markdown',
    excludeContent: bare !== undefined,
    include: posts === undefined ? [] : ['posts'],
  }
  if (resource !== undefined) return { resource, identifier, parameters }
  return {
    resource: 'items',
    collection,
    identifier,
    parameters: { ...parameters, orderBy: 'own' },
  }
}

/** Returns the path of the Markdown file of a post. The JSON of the post is in another file. */
export function textPath(workspace: string, slug: string): string {
  return `${versionRoots.v1}/${workspace}/posts/${slug}.md`
}

/** A request that has a response file. */
export type FileRequest = ApiRequest & {
  readonly resource: ResourceKind | DocumentKind | OwnKind
}

/** Returns the request of a document's file. */
function documentRequest(version: Version, name: string): RelativeRequest | null {
  const list = { identifier: null, parameters: defaultParameters }
  if (name === 'collections.json') return { ...list, resource: 'collections' }
  const [, number = '1'] = /-([2-9]|[1-9]\d{1,14})\.xml$/.exec(name) ?? []
  const page = Number(number)
  const resource = documentKinds.find((kind) => documentFile(kind, page) === name)
  if (resource === undefined) return null
  if (version === 'v2' && isFeedKind(resource)) return null
  if (page > 1 && documentTable[resource].operation !== 'sitemap') return null
  return { ...list, resource, parameters: { ...defaultParameters, page } }
}

/** Returns a file name. `index` and names with `.json` get a final `_`, as lists and other files have such names. */
function fileStem(identifier: string): string {
  return /^index$|\.json$/iu.test(identifier) ? `${identifier}_` : identifier
}

/** Reports whether a text of a request cannot be the name of a file or folder. */
export function isUnsafeName(name: string): boolean {
  return name === '' || /[/\\\0]|^\.|\.\./.test(name)
}

/** Reports whether only parameters that a path can express differ from their defaults. */
function isCanonical(parameters: Parameters, resource: TargetKind): boolean {
  // Only a collection's own order has files.
  const { order, orderBy } = parameters
  if (resource === 'items' && order === 'asc') return false
  if (orderBy !== (resource === 'items' ? 'own' : defaultParameters.orderBy)) return false
  if (parameters.limit === 'all' && parameters.page !== 1) return false
  if (parameters.include.some((name) => name !== 'posts')) return false
  return Object.entries(defaultParameters).every(([name, usual]) => {
    const value = parameters[name as keyof Parameters]
    return inPath.has(name) || value === usual || (Array.isArray(value) && value.length === 0)
  })
}

const inPath: ReadonlySet<string> = new Set([
  ...['limit', 'page', 'order', 'orderBy', 'format', 'excludeContent', 'include'],
])

/** Posts without content are the same in every format. */
function variantFolders({ format, order, excludeContent }: Parameters): string {
  const markdown = format === 'markdown' && !excludeContent ? '/_markdown' : ''
  return `${markdown}${order === 'asc' ? '/_asc' : ''}${excludeContent ? '/_excludeContent' : ''}`
}

function listName({ limit, page, include }: Parameters): string {
  if (limit === 'all') return '_all'
  const folder = limit === defaultParameters.limit ? '' : `_limit/${limit}/`
  if (include.length > 0) return `${folder}_posts/${page}`
  return page === 1 ? `${folder}index` : `${folder}_page/${page}`
}

function stemIdentifier(stem: string): string {
  return stem.endsWith('_') ? stem.slice(0, -1) : stem
}

/** Parameters that affect a response without a key; others are ignored. `strict` is included and has no file. */
export const decidingParameters: readonly ParameterName[] = (
  Object.keys(parameterTable) as ParameterName[]
).filter((name) => {
  const { on, needsKey } = parameterTable[name]
  return needsKey !== true && on.some((operation) => !/^(?:sdk|media|asset)/.test(operation))
})

/** Facts about a workspace that decide which of its files stay valid until the next build. */
export interface WorkspaceSchedule {
  /** Number of scheduled posts; only whether it is 0 matters. */
  readonly scheduled: number
  /** Number of posts that will expire; only whether it is 0 matters. @default 0 */
  readonly expiring?: number | undefined
  /** True if references create terms, so that a scheduled post may add an author. */
  readonly createsTerms: boolean
}

/**
 * Reports whether a host may serve a file without the function until the next build. The function serves every
 * response that scheduled or expiring posts could change. The choice reveals nothing about these posts.
 */
export function isServedFile(
  request: Pick<ApiRequest, 'resource' | 'identifier' | 'parameters'>,
  { scheduled, expiring = 0, createsTerms }: WorkspaceSchedule,
): boolean {
  const { resource, identifier, parameters } = request
  if (scheduled + expiring === 0) return true
  if (includesPosts(parameters)) return false
  const isSingle = identifier !== null && expiring === 0
  if (hasRows(resource)) return isSingle
  return resource === 'authors' ? isSingle || !createsTerms : resource === 'singletons'
}

/** Placeholder values of a link to a post. */
export interface PostPlace extends Pick<Post, 'id' | 'slug' | 'publishedAt'> {
  readonly workspace: string
  /** Its own URL, absolute or a path from the root of the site; null for a URL made from the template. */
  readonly url?: string | null | undefined
}

/** Returns the URL of a post, percent-encoded. @param template a valid template */
export function postLink(template: string, post: PostPlace): string {
  const [host = ''] = /^https?:\/\/[^/?#{}]+/.exec(template) ?? []
  const root = host || 'https://quarry.invalid'
  if (post.url && URL.canParse(post.url, root)) {
    const { href } = new URL(post.url, root)
    return host === '' && href.startsWith(root) ? href.slice(root.length) : href
  }
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodePart(postPlaces[name]?.(post) ?? ''),
  )
}

/** Encodes a path segment so that it is safe in HTML and in Markdown. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Placeholders of a template, by name. */
export const postPlaces: Readonly<Record<string, (post: PostPlace) => string>> = {
  slug: ({ slug }) => slug,
  id: ({ id }) => id,
  workspace: ({ workspace }) => workspace,
  year: ({ publishedAt }) => publishedAt.slice(0, 4),
  month: ({ publishedAt }) => publishedAt.slice(5, 7),
  day: ({ publishedAt }) => publishedAt.slice(8, 10),
}
