// Routes from canonical queries to files, for hosts that route by the query string. The configuration of every such
// host is generated from them. Requests without a route go to the function.

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
import { cacheControl, corsHeaders, type Header } from '../runtime/http.ts'
import { servedFiles } from './deployment.ts'

/** The full cache times: a file is served only while no scheduled post can change it. */
export const responseCacheControl: string = cacheControl('v1', Number.POSITIVE_INFINITY, 0)

/** The headers of every v1 file besides its type, length and validators. */
export const responseHeaders: readonly Header[] = [
  ...corsHeaders,
  ['cache-control', responseCacheControl],
  ['x-content-type-options', 'nosniff'],
]

/** How a host matches the values of a parameter without parsing. Other spellings go to the function. */
interface RecognizedParameter {
  readonly name: (typeof decidingParameters)[number]
  /** The default value; '' when there is none. */
  readonly usual: string
  /** The other values with files: a word, and a regular expression of numbers. */
  readonly word: string | null
  readonly number: string | null
}

/** The parameters that distinguish files, in the order of a route's values. */
export const recognizedParameters: readonly RecognizedParameter[] = [
  { name: 'include', usual: '', word: 'posts', number: null },
  { name: 'format', usual: 'html', word: 'markdown', number: null },
  { name: 'order', usual: 'desc', word: 'asc', number: null },
  { name: 'excludeContent', usual: 'false', word: 'true', number: null },
  { name: 'limit', usual: '10', word: 'all', number: '[1-9][0-9]?|100' },
  { name: 'page', usual: '1', word: null, number: '[2-9]|[1-9][0-9]{1,14}' },
]

/** Parameters that affect a response and have no files. A request with any of them goes to the function. */
export const unfiledParameters: readonly string[] = decidingParameters.filter(
  (name) => !recognizedParameters.some((recognized) => recognized.name === name),
)

/** A form of canonical requests and its files. */
export interface ResponseRoute {
  readonly resource: ResourceKind | DocumentKind
  /** True for a single resource, false for a list. */
  readonly isSingle: boolean
  /**
   * A value for each of `recognizedParameters`: '' for the default, `*` for a number that the file's path repeats.
   */
  readonly values: readonly string[]
  /**
   * The file's path relative to `v1/{workspace}/`, with the placeholders `{name}` (the stem of the resource's file),
   * `{limit}` and `{page}`.
   */
  readonly file: string
}

/** The routes of the files that a host serves, in a deterministic order. */
export function responseRoutes(manifest: Manifest): readonly ResponseRoute[] {
  const routes = new Map<string, ResponseRoute>()
  for (const { path } of servedFiles('v1', manifest)) {
    const request = requestOfFile(path)
    if (request === null) continue
    for (const route of routesOf(request)) routes.set(routeKey(route), route)
  }
  return [...routes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, route]) => route)
}

/** The key of a route: `posts:::::*` for a page of posts, `posts/::::::` for a single post. */
export function routeKey({ resource, isSingle, values }: ResponseRoute): string {
  return `${resource}${isSingle ? '/' : ''}:${values.join(':')}`
}

/** One route, or two for posts without content, which are equal in every format. */
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
  return parameters.page === 1 ? limited : limited.replace(/(?<!\d)\d+(?=\.\w+$)/, '{page}')
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

/** The v1 documents that are not JSON, by a regular expression of their file names. */
export const textDocuments: readonly {
  readonly file: string
  readonly contentType: string
}[] = documentKinds.flatMap((kind) => {
  const { contentType, operation } = documentTable[kind]
  const name = kind.replaceAll('.', '\\.')
  const file = operation === 'sitemap' ? name.replace(/(?=\\\.)/, '(?:-[0-9]+)?') : name
  return contentType === 'application/json' ? [] : [{ file, contentType }]
})
