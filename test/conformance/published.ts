// What hosts of functions do with files beside them: Vercel's routes and Netlify's published folder, as they specify it.
// Knows nothing of functions, nor of what is asked.
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A file that a host gives by itself, and the headers that its configuration adds. */
export interface PublishedFile {
  readonly file: string
  readonly headers: Readonly<Record<string, string>>
}

/** A route of Vercel's Build Output, version 3. */
interface VercelRoute {
  readonly handle?: string
  readonly src?: string
  readonly methods?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly dest?: string
  readonly continue?: boolean
}

/**
 * Where Vercel sends a request: a file of `static`, or what a route names.
 *
 * @param path decoded by nobody, without its query
 * @throws Error for a configuration that says more than is understood here
 */
export function routeVercel(
  output: string,
  method: string,
  path: string,
): PublishedFile | { readonly dest: string } | null {
  const { version, routes, ...more } = JSON.parse(readFileSync(join(output, 'config.json'), 'utf8'))
  if (version !== 3 || Object.keys(more).length > 0) throw new Error('not understood')
  const phases = phasesOf(routes)
  const destination = (phase: string) =>
    (phases.get(phase) ?? []).find((route) => isFor(route, method, path))?.dest
  const before = destination('')
  if (before !== undefined) return { dest: before }
  const file = fileBelow(join(output, 'static'), path)
  if (file !== null && phases.has('filesystem')) {
    const hits = (phases.get('hit') ?? []).filter((route) => isFor(route, method, path))
    return { file, headers: Object.assign({}, ...hits.map(({ headers }) => headers)) }
  }
  const after = destination('filesystem')
  return after === undefined ? null : { dest: after }
}

/** Routes by the `handle` before them. Those that were found in the file system may only go on. */
function phasesOf(routes: readonly VercelRoute[]): ReadonlyMap<string, readonly VercelRoute[]> {
  const phases = new Map<string, VercelRoute[]>([['', []]])
  let phase = ''
  for (const route of routes) {
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

/** Vercel adds the ends of an expression. */
function isFor({ src = '', methods }: VercelRoute, method: string, path: string): boolean {
  return new RegExp(`^${src}$`).test(path) && methods?.includes(method) !== false
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

/** As it is sent: its type by its name, as every server of files knows it. */
export function sendPublished(
  { file, headers }: PublishedFile,
  method: string,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer | null } {
  const bytes = readFileSync(file)
  const type = extname(file) === '.png' ? 'image/png' : 'application/octet-stream'
  return {
    headers: { 'content-type': type, 'content-length': String(bytes.length), ...headers },
    body: method === 'HEAD' ? null : bytes,
  }
}

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
