// Vercel's routes from canonical requests to response files.
import type { Manifest } from '../emit/manifest.ts'
import {
  type ResponseRoute,
  recognizedParameters,
  responseRoutes,
  unfiledParameters,
} from './response-routes.ts'

/** A route of Vercel's Build Output (version 3), with the fields in use. */
interface VercelRoute {
  readonly src: string
  readonly caseSensitive: true
  readonly methods: readonly string[]
  readonly has?: readonly QueryCondition[]
  readonly missing: readonly QueryCondition[]
  readonly dest: string
  readonly check: true
}

/** Routes requests with a given parameter to the function. */
interface FunctionRoute extends Pick<VercelRoute, 'src' | 'has'> {
  readonly dest: '/index'
}

interface QueryCondition {
  readonly type: 'query'
  readonly key: string
  readonly value?: string
}

/** Percent-encoded ASCII characters could be separators, so the function decodes them. */
const encoded = '%[89A-Fa-f][0-9A-Fa-f]'
const character = `(?:[^/%]|${encoded})`
/** No name begins with "." or "_", or ends with "_". */
const segment = `(?![._])${character}*(?:[^/%_]|${encoded})`
/** Identifiers whose files have another stem. */
const marked = `(?:[Ii][Nn][Dd][Ee][Xx]|${character}+\\.[Jj][Ss][Oo][Nn])`

/**
 * Routes for requests whose parameters have no file, then one route per form of canonical requests. Vercel continues
 * with later routes when a file does not exist. Files with another stem must therefore come first: no other route
 * matches the path of a file.
 */
export function vercelResponseRoutes(manifest: Manifest): readonly (VercelRoute | FunctionRoute)[] {
  const routes = responseRoutes(manifest)
  const singles = routes.filter(({ isSingle }) => isSingle)
  const lists = routes.filter(({ isSingle }) => !isSingle)
  return [
    // One route per parameter: Vercel allows at most 16 conditions in a route.
    ...[...unfiledParameters, ...fieldNames(manifest)].map((key) => ({
      src: '/v1/.*',
      has: [{ type: 'query' as const, key }],
      dest: '/index' as const,
    })),
    ...singles.map((route) => vercelRoute(route, `/((?![._])${marked})`, '$2_')),
    ...singles.map((route) => vercelRoute(route, `/(?!${marked}$)(${segment})`, '$2')),
    ...lists.map((route) => vercelRoute(route, '', '')),
  ]
}

/** The parameters that filter by custom fields, across all workspaces. */
function fieldNames({ workspaces }: Manifest): readonly string[] {
  return [...new Set(Object.values(workspaces).flatMap(({ fields = [] }) => fields))].sort()
}

function vercelRoute(route: ResponseRoute, name: string, stem: string): VercelRoute {
  const { resource, values, file } = route
  const has: QueryCondition[] = []
  const missing: QueryCondition[] = []
  for (const [index, { name: key, usual, number }] of recognizedParameters.entries()) {
    const value = values[index] ?? ''
    if (value === '') missing.push({ type: 'query', key, value: `^(?!(?:${usual})?$).*$` })
    else if (value !== '*') has.push({ type: 'query', key, value: `^${value}$` })
    else has.push({ type: 'query', key, value: `^(?!${usual}$)(?<${key}>${number})$` })
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
