// Checks of a deployment: CORS, validators, cache headers, JSON errors, effective queries, the right build and the
// right time.
import type { Manifest } from '../../emit/manifest.ts'
import { type ApiResponse, type Client, patientClient } from './client.ts'

/** A check and its finding. */
export interface Check {
  readonly name: string
  /** Null if it passed. */
  readonly finding: string | null
}

/** Options of the checks. */
export interface CheckOptions {
  readonly client: Client
  readonly manifest: Manifest
  /** In clear. */
  readonly key?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Maximum deviation of a host's clock, in seconds. */
const skewMaxSeconds = 60

/** Runs all checks, in an order that stays below rate limits. */
export async function checkDeployment(options: CheckOptions): Promise<readonly Check[]> {
  const { manifest } = options
  const client = patientClient(options.client)
  const checks = [...(await checkService(options)), ...(await checkErrors(client))]
  const open = Object.entries(manifest.workspaces).find(([id]) =>
    manifest.files.has(`public/v1/${id}/posts/index.json`),
  )
  if (open !== undefined) checks.push(...(await checkOpen(client, open[0], open[1].posts)))
  if (options.key !== undefined) checks.push(...(await checkKeyed(client, options.key)))
  return checks
}

async function checkService({ client, manifest, now }: CheckOptions): Promise<readonly Check[]> {
  const status = await client.send('/status')
  const build = (parsed(status) as { readonly build?: unknown } | null)?.build
  const date = status.header('date')
  const skew = date === null ? 0 : Math.abs(Date.parse(date) - now) / 1000
  return [
    check('status', status.status === 200 ? null : `/status is a ${status.status}`),
    check(
      'build',
      build === manifest.build ? null : `serves build ${build}, the folder holds ${manifest.build}`,
    ),
    check(
      'clock',
      skew <= skewMaxSeconds
        ? null
        : `is ${Math.round(skew)} s off: posts would appear too soon or too late`,
    ),
  ]
}

async function checkErrors(client: Client): Promise<readonly Check[]> {
  const missing = await client.send('/v1/no/such/path/here')
  const closed = await client.send('/v2/posts')
  const challenge = closed.header('www-authenticate')
  return [
    check('an error is JSON', errorProblem(missing, 404)),
    check('no key is 401', errorProblem(closed, 401)),
    check(
      'no key is told what is wanted',
      challenge === 'Bearer' ? null : `WWW-Authenticate is ${JSON.stringify(challenge)}`,
    ),
  ]
}

async function checkOpen(
  client: Client,
  workspace: string,
  posts: number,
): Promise<readonly Check[]> {
  const path = `/v1/${encodeURIComponent(workspace)}/posts`
  const list = await client.send(path)
  const etag = list.header('etag')
  const again = await client.send(path, { headers: { 'if-none-match': etag ?? '"none"' } })
  const preflight = await client.send(path, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
  })
  const turned = await client.send(`${path}?order=asc`)
  const wrong = await client.send(`${path}?limit=0`)
  const cache = list.header('cache-control') ?? ''
  return [
    check('v1 responds', list.status === 200 ? null : `${path} is a ${list.status}`),
    check('v1 may be read from any page', corsProblem(list)),
    check(
      'a preflight has a response',
      preflight.status === 204 ? corsProblem(preflight) : `is a ${preflight.status}`,
    ),
    check('a response has an ETag', etag === null ? 'there is none' : null),
    check('a known ETag is 304', again.status === 304 ? null : `is a ${again.status}`),
    check(
      'v1 may be kept by caches',
      /\bpublic\b/.test(cache) && /max-age=\d/.test(cache)
        ? null
        : `Cache-Control is ${JSON.stringify(cache)}`,
    ),
    check(
      'a query counts',
      posts < 2 || turned.sha256 !== list.sha256 ? null : '?order=asc gives what no query gives',
    ),
    check('a wrong query is 400', errorProblem(wrong, 400)),
  ]
}

async function checkKeyed(client: Client, key: string): Promise<readonly Check[]> {
  const response = await client.send('/v2/posts', { headers: { authorization: `Bearer ${key}` } })
  const cache = response.header('cache-control') ?? ''
  const vary = response.header('vary') ?? ''
  return [
    check('the key opens v2', response.status === 200 ? null : `/v2/posts is a ${response.status}`),
    check(
      'v2 is kept only by its client',
      /\bprivate\b/.test(cache) && /(^|,\s*)Authorization/i.test(vary)
        ? null
        : `Cache-Control is ${JSON.stringify(cache)}, Vary ${JSON.stringify(vary)}`,
    ),
  ]
}

function check(name: string, finding: string | null): Check {
  return { name, finding }
}

function corsProblem(response: ApiResponse): string | null {
  const origin = response.header('access-control-allow-origin')
  return origin === '*' ? null : `Access-Control-Allow-Origin is ${JSON.stringify(origin)}`
}

function errorProblem(response: ApiResponse, status: number): string | null {
  if (response.status !== status) return `is a ${response.status}, not a ${status}`
  const body = parsed(response) as { readonly error?: unknown } | null
  if (typeof body?.error !== 'string') return 'has a body that is no error in JSON'
  const cache = response.header('cache-control')
  return cache === 'no-store' ? null : `Cache-Control is ${JSON.stringify(cache)}`
}

function parsed({ text }: ApiResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
