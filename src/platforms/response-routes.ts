// The routes of hosts that decide by the query string: which canonical query has its file where, as data from which
// every such host's configuration is made. A request that no route recognizes is the function's.
import { type DocumentKind, documentKinds, documentTable } from '../api/documents.ts'
import { type FileRequest, filePath, requestOfFile, versionRoots } from '../api/paths.ts'
import {
  type ApiRequest,
  defaultParameters,
  includesPosts,
  type Parameters,
} from '../api/request.ts'
import type { ResourceKind } from '../api/resources.ts'
import { decidingParameters } from '../api/served-files.ts'
import type { Manifest } from '../emit/manifest.ts'
import { servedFiles } from './deployment.ts'

/** How a host recognizes the values of a parameter without parsing them. Other spellings are the function's. */
interface RecognizedParameter {
  readonly name: (typeof decidingParameters)[number]
  /** The value that means the same as none; '' where there is no such value. */
  readonly usual: string
  /** The other values that files have: a word, and a regular expression of numbers. */
  readonly word: string | null
  readonly number: string | null
}

/** The parameters that files differ by, in the order of a route's values. */
export const recognizedParameters: readonly RecognizedParameter[] = [
  { name: 'include', usual: '', word: 'posts', number: null },
  { name: 'format', usual: 'html', word: 'markdown', number: null },
  { name: 'order', usual: 'desc', word: 'asc', number: null },
  { name: 'excludeContent', usual: 'false', word: 'true', number: null },
  { name: 'limit', usual: '10', word: 'all', number: '[1-9][0-9]?|100' },
  { name: 'page', usual: '1', word: null, number: '[2-9]|[1-9][0-9]{1,14}' },
]

/** The parameters that decide a response and have no files. A request with any of them is the function's. */
export const unfiledParameters: readonly string[] = decidingParameters.filter(
  (name) => !recognizedParameters.some((recognized) => recognized.name === name),
)

/** A form of canonical requests, and of the files that answer them. */
export interface ResponseRoute {
  readonly resource: ResourceKind | DocumentKind
  /** True for one resource, false for a list. */
  readonly isSingle: boolean
  /**
   * A value for each of `recognizedParameters`: '' for the usual one, `*` for a number, which the path of the file
   * repeats.
   */
  readonly values: readonly string[]
  /**
   * The file's path below `v1/{workspace}/`. `{name}` represents the stem of the resource's file, `{limit}` and `{page}`
   * those numbers.
   */
  readonly file: string
}

/** The routes of the files that a host serves, in an order that depends on nothing else. */
export function responseRoutes(manifest: Manifest): readonly ResponseRoute[] {
  const routes = new Map<string, ResponseRoute>()
  for (const { path } of servedFiles('v1', manifest)) {
    const request = requestOfFile(path)
    if (request === null) continue
    for (const route of routesOf(request)) routes.set(routeKey(route), route)
  }
  return [...routes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, route]) => route)
}

/** The key by which a host finds the route of a request: `posts:::::*` for a page of posts, `posts/::::::` for one post. */
export function routeKey({ resource, isSingle, values }: ResponseRoute): string {
  return `${resource}${isSingle ? '/' : ''}:${values.join(':')}`
}

/** One route; two for posts without content, which are the same in every format. */
function routesOf(request: FileRequest): readonly ResponseRoute[] {
  const { resource, identifier, parameters } = request
  const isSingle = identifier !== null
  const route = { resource, isSingle, values: valuesOf(parameters), file: templateOf(request) }
  if (!parameters.excludeContent) return [route]
  return [route, { ...route, values: valuesOf({ ...parameters, format: 'markdown' }) }]
}

function templateOf(request: ApiRequest): string {
  const { identifier, parameters } = request
  const name = identifier === null ? null : '{name}'
  const path = filePath({ ...request, workspace: 'w', identifier: name }) ?? ''
  const file = path.slice(`${versionRoots.v1}/w/`.length)
  const limited = file.replace(/_limit\/\d+/, '_limit/{limit}')
  return parameters.page === 1 ? limited : limited.replace(/\d+(?=\.\w+$)/, '{page}')
}

function valuesOf(parameters: Parameters): readonly string[] {
  const { format, order, excludeContent, limit, page } = parameters
  return [
    includesPosts(parameters) ? 'posts' : '',
    format === defaultParameters.format ? '' : format,
    order === defaultParameters.order ? '' : order,
    excludeContent ? 'true' : '',
    limit === 'all' ? limit : limit === defaultParameters.limit ? '' : '*',
    page === defaultParameters.page ? '' : '*',
  ]
}

/** The last segments of the paths of documents, as a regular expression. */
export const documentsPattern: string = documentKinds.map(escapeDots).join('|')

/** The documents of v1 that are no JSON, by the regular expression of the names of their files. */
export const textDocuments: readonly {
  readonly name: string
  readonly file: string
  readonly contentType: string
}[] = documentKinds.flatMap((kind) => {
  const { contentType, operation } = documentTable[kind]
  const name = escapeDots(kind)
  const file = operation === 'sitemap' ? name.replace(/(?=\\\.)/, '(?:-[0-9]+)?') : name
  return contentType === 'application/json' ? [] : [{ name, file, contentType }]
})

function escapeDots(kind: string): string {
  return kind.replaceAll('.', '\\.')
}
