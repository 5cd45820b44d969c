// Canonical requests and their response files, mapped in both directions.
import { type DocumentKind, documentFile, documentKinds, isDocumentKind } from './documents.ts'
import {
  defaultParameters,
  type ParameterName,
  parameterTable,
  parseParameters,
} from './parameters.ts'
import {
  type ApiRequest,
  hasRows,
  includesPosts,
  type OwnKind,
  type Parameters,
  type Version,
  versions,
} from './request.ts'
import type { Post, ResourceKind } from './resources.ts'
import { matchRoute, type Pairs } from './routes.ts'

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
  if (request.isSdk || !isCanonical(request)) return null
  if ([workspace, collection, ...segments].some(isUnsafeName)) return null
  const folder = `${versionRoots[version]}/${workspace}`
  if (isDocumentKind(resource) || resource === 'collections')
    return `${folder}/${documentFile(resource, parameters.page)}`
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
  const [access, root, workspace = '', ...names] = path.split('/')
  const version = versions.find((each) => versionRoots[each] === `${access}/${root}`)
  if (version === undefined) return null
  const { segments, pairs } = names.length === 1 ? documentParts(names) : contentParts(names)
  const base = version === 'v1' ? ['v1', workspace] : ['v2']
  try {
    const target = matchRoute(['', ...[...base, ...segments].map(encodeURIComponent)].join('/'))
    if (target === null) return null
    const parameters = parseParameters(target, pairs)
    const request = { ...target, workspace, parameters } as FileRequest
    const [, slug = ''] = /^(.+)\.md$/.exec(target.identifier ?? '') ?? []
    return [filePath(request), textPath(workspace, slug)].includes(path) ? request : null
  } catch {
    // The path is not UTF-8, or a parameter has no such value.
    return null
  }
}

/** A URL below a workspace: its segments, not encoded, and its parameters. */
interface UrlParts {
  readonly segments: readonly string[]
  readonly pairs: Pairs
}

/** Parameters by folder. The name below `_limit`, `_page` and `_posts` is the value. */
const parameterFolders: ReadonlyMap<string, readonly [name: string, value?: string]> = new Map([
  ['_markdown', ['format', 'markdown']],
  ['_asc', ['order', 'asc']],
  ['_excludeContent', ['excludeContent', 'true']],
  ['_all', ['limit', 'all']],
  ['_limit', ['limit']],
  ['_page', ['page']],
  ['_posts', ['page']],
])

function contentParts(names: readonly string[]): UrlParts {
  const all = names
    .join('/')
    .replace(/(?:\/index)?\.json$/, '')
    .split('/')
  const segments = all.splice(0, all[0] === 'collections' ? 2 : 1)
  const pairs: [string, string][] = all.includes('_posts') ? [['include', 'posts']] : []
  for (let at = 0; at < all.length; at++) {
    const name = all[at] ?? ''
    const parameter = parameterFolders.get(name)
    if (parameter === undefined) segments.push(name.replace(/_$/, ''))
    else pairs.push([parameter[0], parameter[1] ?? all[++at] ?? ''])
  }
  return { segments, pairs }
}

function documentParts([name = '']: readonly string[]): UrlParts {
  const [, stem = '', page = '1', ending = ''] = /^(.+?)(?:-(\d+))?(\.\w+)$/.exec(name) ?? []
  const kinds = [...documentKinds, 'collections'] as const
  const kind = kinds.find((each) => documentFile(each, 1) === stem + ending)
  return { segments: [kind ?? ''], pairs: [['page', page]] }
}

/** Returns the path of the Markdown file of a post. The JSON of the post is in another file. */
export function textPath(workspace: string, slug: string): string {
  return `${versionRoots.v1}/${workspace}/posts/${slug}.md`
}

/** A request that has a response file. */
export type FileRequest = ApiRequest & {
  readonly resource: ResourceKind | DocumentKind | OwnKind
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
function isCanonical({ resource, identifier, parameters }: ApiRequest): boolean {
  const { order, orderBy } = parameters
  const isItemList = resource === 'items' && identifier === null
  // Only a collection's own order has files.
  if (isItemList && order === 'asc') return false
  if (orderBy !== (isItemList ? 'own' : defaultParameters.orderBy)) return false
  if (parameters.limit === 'all' && parameters.page !== 1) return false
  if (parameters.include.some((name) => name !== 'posts')) return false
  return notInPath.every((name) => {
    const value = parameters[name]
    return value === defaultParameters[name] || (Array.isArray(value) && value.length === 0)
  })
}

const inPath = ['limit', 'page', 'order', 'orderBy', 'format', 'excludeContent', 'include']
const notInPath = (Object.keys(defaultParameters) as readonly (keyof Parameters)[]).filter(
  (name) => !inPath.includes(name),
)

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
