// What hosts of functions do with files beside them: Vercel's routes and Netlify's published folder, as they specify it.
// Knows nothing of functions, nor of what is asked.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { matchesEtag } from '../../src/runtime/http.ts'

/** A file that a host gives by itself, and the headers that its configuration adds. */
export interface PublishedFile {
  readonly file: string
  readonly headers: Readonly<Record<string, string>>
}

/** A route of Vercel's Build Output, version 3. */
interface VercelRoute {
  readonly handle?: string
  readonly src?: string
  readonly caseSensitive?: boolean
  readonly methods?: readonly string[]
  readonly has?: readonly QueryCondition[]
  readonly missing?: readonly QueryCondition[]
  readonly headers?: Readonly<Record<string, string>>
  readonly dest?: string
  readonly continue?: boolean
  readonly check?: boolean
}

/** True for a parameter that is there and, where a value is given, matches it as a regular expression. */
interface QueryCondition {
  readonly type: string
  readonly key: string
  readonly value?: string
}

/** Where Vercel sends a request: a file of `static`, or what a route names. */
export type VercelDestination = PublishedFile | { readonly dest: string } | null

/**
 * Where Vercel sends a request. A route with `check` whose file does not exist changes the path for the routes that
 * follow, as in Vercel's own development server.
 *
 * @param target decoded by nobody, with its query
 * @throws Error for a configuration that says more than is understood here
 */
export function routeVercel(output: string, method: string, target: string): VercelDestination {
  const { version, routes, ...more } = JSON.parse(readFileSync(join(output, 'config.json'), 'utf8'))
  if (version !== 3 || Object.keys(more).length > 0) throw new Error('not understood')
  const phases = phasesOf(routes)
  const [raw = '', query = ''] = target.split(/\?(.*)/s)
  const request = { method, query: new URLSearchParams(query) }
  const folder = join(output, 'static')
  const before = walk(phases.get('') ?? [], { ...request, path: raw }, folder)
  if (before.end !== undefined) return before.end
  const { path } = before
  const file = before.file ?? fileBelow(folder, path)
  if (file !== null) return hit(file, phases, { ...request, path })
  const after = walk(phases.get('filesystem') ?? [], { ...request, path }, folder)
  return after.end ?? null
}

interface Walked {
  /** As the routes changed it. */
  readonly path: string
  /** That a route with `check` found. */
  readonly file?: string
  /** Where a route without `check` leads. */
  readonly end?: { readonly dest: string }
}

/** Goes through the routes of a phase. */
function walk(routes: readonly VercelRoute[], request: RoutedRequest, folder: string): Walked {
  let { path } = request
  for (const route of routes) {
    const captures = matchRoute(route, { ...request, path })
    if (captures === null) continue
    const dest = resolve(route.dest ?? path, captures)
    if (route.check !== true) return { path, end: { dest } }
    path = dest
    const file = fileBelow(folder, dest)
    if (file !== null) return { path, file }
  }
  return { path }
}

interface RoutedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
}

type Captures = Readonly<Record<string, string | undefined>>

function hit(file: string, phases: Phases, request: RoutedRequest): PublishedFile {
  const hits = (phases.get('hit') ?? []).filter((route) => matchRoute(route, request) !== null)
  return { file, headers: Object.assign({}, ...hits.map(({ headers }) => headers)) }
}

type Phases = ReadonlyMap<string, readonly VercelRoute[]>

const known = 'handle src caseSensitive methods has missing headers dest continue check'.split(' ')

/** Routes by the `handle` before them. Those that were found in the file system may only go on. */
function phasesOf(routes: readonly VercelRoute[]): Phases {
  const phases = new Map<string, VercelRoute[]>([['', []]])
  let phase = ''
  for (const route of routes) {
    if (Object.keys(route).some((key) => !known.includes(key))) throw new Error('not understood')
    if (route.handle !== undefined) {
      phase = route.handle
      if (!['filesystem', 'hit'].includes(phase) || phases.has(phase)) throw new Error(phase)
      phases.set(phase, [])
      continue
    }
    const goesOn = route.continue === true && route.dest === undefined
    if (goesOn !== (phase === 'hit')) throw new Error(`${route.src} is not understood`)
    phases.get(phase)?.push(route)
  }
  return phases
}

/** What a route captured, by number and by name; null where it is for other requests. Vercel adds the ends of `src`. */
function matchRoute(route: VercelRoute, { method, path, query }: RoutedRequest): Captures | null {
  const { src = '', methods, caseSensitive = false, has = [], missing = [] } = route
  if (methods?.includes(method) === false) return null
  const match = new RegExp(`^(?:${src})$`, caseSensitive ? '' : 'i').exec(path)
  if (match === null) return null
  const captures: Record<string, string | undefined> = Object.fromEntries(match.entries())
  for (const condition of has) {
    const met = meets(condition, query)
    if (met === null) return null
    Object.assign(captures, met.groups)
  }
  return missing.some((condition) => meets(condition, query) !== null) ? null : captures
}

/** Of a parameter that is there twice, the first value; an empty one is as good as none, as in `@next/routing`. */
function meets({ type, key, value = '' }: QueryCondition, query: URLSearchParams) {
  if (type !== 'query') throw new Error(`${type} is not understood`)
  const given = query.get(key) ?? ''
  return given === '' ? null : new RegExp(value).exec(given)
}

function resolve(dest: string, captures: Captures): string {
  return dest.replace(/\$([1-9a-zA-Z]+)/g, (_, name: string) => captures[name] ?? '')
}

/** The file that Netlify has for a path, with what `_headers` says of it; that file itself is not given out. */
export function publishedByNetlify(folder: string, path: string): PublishedFile | null {
  const file = path === '/_headers' ? null : fileBelow(folder, path)
  return file === null ? null : { file, headers: headersFor(folder, path) }
}

/** A path, with `*` for anything at its end, and below it headers, indented. */
function headersFor(folder: string, path: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  let isMeant = false
  for (const line of readFileSync(join(folder, '_headers'), 'utf8').split('\n')) {
    const [, name = '', value = ''] = /^\s+([\w-]+):\s*(.+)$/.exec(line) ?? []
    if (/^\//.test(line)) isMeant = path.startsWith(line.replace(/\*$/, ''))
    else if (isMeant && name !== '') headers[name] = value
  }
  return headers
}

/** As it is sent: its type by its name, and a validator of the host's own. */
export function sendPublished(
  { file, headers }: PublishedFile,
  method: string,
  ifNoneMatch: string | null = null,
): {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
} {
  const bytes = readFileSync(file)
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
  const type = types.get(extname(file)) ?? 'application/octet-stream'
  const all = { 'content-type': type, 'content-length': String(bytes.length), etag, ...headers }
  if (matchesEtag(ifNoneMatch, etag)) {
    const { 'content-length': _, ...kept } = all
    return { status: 304, headers: kept, body: null }
  }
  return { status: 200, headers: all, body: method === 'HEAD' ? null : bytes }
}

const types = new Map([
  ['.png', 'image/png'],
  ['.json', 'application/json; charset=utf-8'],
])

/** Null for a folder, for what is not there, and for what is outside. */
function fileBelow(folder: string, path: string): string | null {
  try {
    const names = path.slice(1).split('/').map(decodeURIComponent)
    if (names.some((name) => name === '..' || /[/\\\0]/.test(name))) return null
    const file = join(folder, ...names)
    return existsSync(file) && lstatSync(file).isFile() ? file : null
  } catch {
    return null
  }
}
