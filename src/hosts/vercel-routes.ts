// Vercel's routes from canonical requests to response files. Vercel decides by the query string, so a canonical request
// is a file from its CDN; requests without a route go to the function.

import { documentKinds, documentTable } from '../api/documents.ts'
import { imagePathPattern } from '../api/media.ts'
import { decidingParameters, filePath, requestOfFile, versionRoots } from '../api/paths.ts'
import {
  type ApiRequest,
  defaultParameters,
  includesPosts,
  type Parameters,
} from '../api/request.ts'
import type { Manifest } from '../build/manifest.ts'
import { cacheControl, corsHeaders } from '../runtime/http.ts'
import { servedFiles } from './deployment.ts'
import { imageHeaders } from './media.ts'

/** A route of Vercel's Build Output (version 3), with the fields in use. */
interface Route {
  readonly src: string
  readonly caseSensitive?: true
  readonly methods?: readonly string[]
  readonly has?: readonly QueryCondition[]
  readonly missing?: readonly QueryCondition[]
  readonly dest: string
  readonly check?: true
}

interface QueryCondition {
  readonly type: 'query'
  readonly key: string
  readonly value?: string
}

/**
 * The parameters that distinguish files: the default value ('' for none), and a regular expression of the numbers that
 * a file's path repeats. Other spellings go to the function.
 */
const filed: readonly (readonly [
  name: (typeof decidingParameters)[number],
  usual: string,
  numbers?: string,
])[] = [
  ['include', ''],
  ['format', 'html'],
  ['order', 'desc'],
  ['excludeContent', 'false'],
  ['limit', '10', '[1-9][0-9]?|100'],
  ['page', '1', '[2-9]|[1-9][0-9]{1,14}'],
]

/** Percent-encoded ASCII characters could be separators, so the function decodes them. */
const encoded = '%[89A-Fa-f][0-9A-Fa-f]'
const character = `(?:[^/%]|${encoded})`
/** No name begins with "." or "_", or ends with "_". */
const segment = `(?![._])${character}*(?:[^/%_]|${encoded})`
/** Identifiers whose files have another stem. */
const marked = `(?:[Ii][Nn][Dd][Ee][Xx]|${character}+\\.[Jj][Ss][Oo][Nn])`

/**
 * All routes; the first match wins. Files are looked up only at the paths of canonical requests and images; requests
 * without a file go to the function. The headers apply to found files only (`hit`), never to errors.
 */
export function vercelRoutes(manifest: Manifest): readonly object[] {
  return [
    { src: '/.*', methods: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'], dest: '/index' },
    ...responseRoutes(manifest),
    { src: `/(?!${imagePathPattern.slice(1)}$).*`, dest: '/index' },
    { handle: 'filesystem' },
    { src: '/.*', dest: '/index' },
    { handle: 'hit' },
    { src: imagePathPattern, headers: Object.fromEntries(imageHeaders), continue: true },
    { src: '/v1/.*', headers: fileHeaders, continue: true },
    ...documentKinds.flatMap(documentHeaders),
  ]
}

/**
 * The headers of v1 files. Full cache times: a file is served only while no scheduled post can change it. No charset,
 * to match the function's type.
 */
const fileHeaders: Readonly<Record<string, string>> = {
  ...Object.fromEntries(corsHeaders),
  'cache-control': cacheControl('v1', Number.POSITIVE_INFINITY, 0),
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json',
}

/** The type of a document that is not JSON. */
function documentHeaders(kind: (typeof documentKinds)[number]): readonly object[] {
  const { contentType, operation } = documentTable[kind]
  if (contentType === 'application/json') return []
  const name = kind.replaceAll('.', '\\.')
  const file = operation === 'sitemap' ? name.replace(/(?=\\\.)/, '(?:-[0-9]+)?') : name
  return [{ src: `/v1/[^/]+/${file}`, headers: { 'content-type': contentType }, continue: true }]
}

/**
 * Routes for requests whose parameters have no file, then one route per form of canonical requests. Vercel continues
 * with later routes when a file does not exist. Files with another stem must therefore come first: no other route
 * matches the path of a file.
 */
function responseRoutes(manifest: Manifest): readonly Route[] {
  const forms = formsOf(manifest)
  const singles = forms.filter(({ isSingle }) => isSingle)
  const lists = forms.filter(({ isSingle }) => !isSingle)
  const names = Object.values(manifest.workspaces).flatMap(({ fields = [] }) => fields)
  const unfiled = decidingParameters.filter((name) => !filed.some(([known]) => known === name))
  return [
    // One route per parameter: Vercel allows at most 16 conditions in a route.
    ...[...unfiled, ...[...new Set(names)].sort()].map((key) => ({
      src: '/v1/.*',
      has: [{ type: 'query' as const, key }],
      dest: '/index',
    })),
    ...singles.map((form) => routeOf(form, `/((?![._])${marked})`, '$2_')),
    ...singles.map((form) => routeOf(form, `/(?!${marked}$)(${segment})`, '$2')),
    ...lists.map((form) => routeOf(form, '', '')),
  ]
}

/** A form of canonical requests, such as the later pages of a list. */
interface RequestForm {
  readonly resource: string
  readonly isSingle: boolean
  /** A value for each of `filed`: '' for the default, `*` for a number that the file's path repeats. */
  readonly values: readonly string[]
  /** Below `v1/{workspace}/`, with `{name}` (the stem of a single resource's file), `{limit}` and `{page}`. */
  readonly file: string
}

/** The forms of the files that the host serves, in a deterministic order. */
function formsOf(manifest: Manifest): readonly RequestForm[] {
  const forms = new Map<string, RequestForm>()
  for (const { path } of servedFiles('v1', manifest)) {
    const request = requestOfFile(path)
    if (request === null) continue
    const { resource, parameters } = request
    const isSingle = request.identifier !== null
    // Posts without content are equal in every format.
    const equals = parameters.excludeContent ? ([parameters.format, 'markdown'] as const) : []
    for (const format of equals.length === 0 ? [parameters.format] : equals) {
      const values = valuesOf({ ...parameters, format })
      const key = `${resource}${isSingle ? '/' : ''}:${values.join(':')}`
      forms.set(key, { resource, isSingle, values, file: templateOf(request) })
    }
  }
  return [...forms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, form]) => form)
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

function templateOf(request: ApiRequest): string {
  const { identifier, parameters } = request
  const name = identifier === null ? null : '{name}'
  const path = filePath({ ...request, workspace: 'w', identifier: name }) ?? ''
  const file = path.slice(`${versionRoots.v1}/w/`.length)
  const limited = file.replace(/_limit\/\d+/, '_limit/{limit}')
  return parameters.page === 1 ? limited : limited.replace(/(?<!\d)\d+(?=\.\w+$)/, '{page}')
}

function routeOf({ resource, values, file }: RequestForm, name: string, stem: string): Route {
  const has: QueryCondition[] = []
  const missing: QueryCondition[] = []
  for (const [index, [key, usual, numbers]] of filed.entries()) {
    const value = values[index] ?? ''
    if (value === '') missing.push({ type: 'query', key, value: `^(?!(?:${usual})?$).*$` })
    else if (value !== '*') has.push({ type: 'query', key, value: `^${value}$` })
    else has.push({ type: 'query', key, value: `^(?!${usual}$)(?<${key}>${numbers})$` })
  }
  const path = file.replace('{name}', stem).replace('{limit}', '$limit').replace('{page}', '$page')
  return {
    src: `^/v1/(${segment})/${resource.replaceAll('.', '\\.')}${name}$`,
    caseSensitive: true,
    methods: ['GET', 'HEAD'],
    ...(has.length === 0 ? {} : { has }),
    missing,
    dest: `/v1/$1/${path}`,
    check: true,
  }
}
