// Vercel's routes from canonical requests to the files of their responses.
import type { Manifest } from '../../emit/manifest.ts'
import {
  type ResponseRoute,
  recognizedParameters,
  responseRoutes,
  unfiledParameters,
} from '../response-routes.ts'

/** A route of Vercel's Build Output, version 3, with the fields that are used here. */
interface VercelRoute {
  readonly src: string
  readonly caseSensitive: true
  readonly methods: readonly string[]
  readonly has?: readonly QueryCondition[]
  readonly missing: readonly QueryCondition[]
  readonly dest: string
  readonly check: true
}

/** A route of requests that have a parameter to the function. */
interface FunctionRoute extends Pick<VercelRoute, 'src' | 'has'> {
  readonly dest: '/index'
}

interface QueryCondition {
  readonly type: 'query'
  readonly key: string
  readonly value?: string
}

/** An ASCII character that is percent-encoded is the function's to decode: it could be a separator. */
const encoded = '%[89A-Fa-f][0-9A-Fa-f]'
const character = `(?:[^/%]|${encoded})`
/** No name of anything begins with "." or "_", and none ends with "_". */
const segment = `(?![._])${character}*(?:[^/%_]|${encoded})`
/** The identifiers whose files have another stem. */
const marked = `(?:[Ii][Nn][Dd][Ee][Xx]|${character}+\\.[Jj][Ss][Oo][Nn])`

/**
 * The requests that no file answers by their parameters, then a route for each form of canonical requests. Where its file does not exist, Vercel goes on with the routes that follow,
 * so that those of files with another stem come first: no other route matches the path of a file.
 */
export function vercelResponseRoutes(manifest: Manifest): readonly (VercelRoute | FunctionRoute)[] {
  const routes = responseRoutes(manifest)
  const singles = routes.filter(({ isSingle }) => isSingle)
  const lists = routes.filter(({ isSingle }) => !isSingle)
  return [
    // A route each: Vercel takes at most 16 conditions in one.
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

/** The parameters that filter by custom fields, of all workspaces. */
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
