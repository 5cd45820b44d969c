// `quarry doctor`: checks a deployment, and requests a sample of what it must not serve, or all of it.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { urlToHttpOptions } from 'node:url'
import pMap from 'p-map'
import { documentKinds } from '../api/documents.ts'
import { versionRoots } from '../api/paths.ts'
import { resourceKinds } from '../api/resources.ts'
import type { Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import { type Keyring, keyringOf } from '../runtime/keys.ts'
import { createResponder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { exitCodes } from './failures.ts'
import { openBuild, readManifest } from './open-build.ts'
import { type CommonFlags, messageOf, readApiKey, readSettings } from './settings.ts'
import { formatCount, harmless, plural, terminalOf } from './terminal.ts'

/** The flags of `quarry doctor`. @param probe probes everything @param files number of private files to probe */
export type DoctorFlags = CommonFlags &
  Readonly<{ probe?: URL | true; files?: number; keyStdin?: boolean }>

/** Maximum number of concurrent requests. */
const connections = 16
/** Maximum number of printed leaks. */
const leaksShown = 20

/** Checks and probes; exits with 1 on any finding. */
export async function runDoctor(argument: URL | undefined, flags: DoctorFlags): Promise<void> {
  const url = argument ?? (flags.probe instanceof URL ? flags.probe : undefined)
  if (url === undefined) throw new UseError('Pass the URL of the deployment.')
  const out = resolve((await readSettings(flags)).out)
  const manifest = readManifest(out)
  const secret = await readApiKey(flags)
  const live = await openBuild(out)
  const { send, close } = createClient(url)
  try {
    const site = live.current()
    const keyring = keyringOf(process.env['QUARRY_KEYS'])(site)
    const own = keyring.find(`Bearer ${secret}`, Date.now())?.workspace
    if (secret !== null && own === undefined)
      throw new UseError(
        'The key is not valid for this build. If the host has QUARRY_KEYS, set the variable here too.',
      )
    const askers = secret === null ? [undefined] : [undefined, own]
    const all = [...manifest.files.keys()].filter((path) => !path.startsWith('public/'))
    const drafts = await draftsOf(site)
    const max = flags.files ?? (flags.probe === undefined ? 2 : Number.POSITIVE_INFINITY)
    const [files, some] = [spread(all, max), spread(drafts, max)]
    const targets = targetsOf(files, some)
    const count = targets.length * askers.length
    const part = `${files.length} of ${plural(all.length, 'private file')} and ${some.length} of ${plural(drafts.length, 'draft')}`
    const more = files.length + some.length < all.length + drafts.length
    say(
      `Sending about ${formatCount(count + 15)} requests to ${url.origin}, for ${part} in every spelling.${more ? ' --probe requests all of them.' : ''}`,
    )
    const { checks, isSameBuild } = await check(send, url, manifest, secret)
    const leaks: string[] = []
    let limited = 0
    for (const asker of askers) {
      const isLeak = createJudge(manifest, site, { keyring, own: asker, isSameBuild })
      const headers = asker === undefined ? {} : { authorization: `Bearer ${secret}` }
      const inspect = async (target: string) => {
        const answer = await follow(send, { target, headers })
        limited += Number(answer.status === 429)
        const name = asker === undefined ? 'no key' : 'the key'
        if (await isLeak({ target, headers }, answer))
          leaks.push(`${harmless(target)} is a ${answer.status} with ${name}`)
      }
      await pMap(targets, inspect, { concurrency: connections })
    }
    report(checks, leaks.sort(), { count, limited })
  } finally {
    live.close()
    close()
  }
}

function report(
  checks: readonly Check[],
  leaks: readonly string[],
  { count, limited }: { readonly count: number; readonly limited: number },
): void {
  const { green, red } = terminalOf(process.env, process.stdout)
  for (const [name, finding] of checks)
    say(finding ? `  ${red('finding')} ${name}: ${harmless(finding)}` : `  ${green('ok')} ${name}`)
  for (const leak of leaks.slice(0, leaksShown)) say(`  ${red('leak')} ${leak}`)
  const more = leaks.length - leaksShown
  if (more > 0) say(`  … and ${plural(more, 'more leak')}`)
  const hidden = `${plural(limited, 'response')} had status 429: the rate limit hid what is there.`
  if (limited > 0) say(`  ${hidden}`)
  const findings = checks.filter(([, finding]) => finding !== '').length
  const found = `${plural(checks.length, 'check')}: ${plural(findings, 'finding')}`
  say(`${found}. ${plural(count, 'probe')}: ${plural(leaks.length, 'leak')}.`)
  if (leaks.length + findings > 0) process.exitCode = exitCodes.content
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns at most `max` items, evenly distributed. */
function spread<T>(all: readonly T[], max: number): readonly T[] {
  const step = Math.max(1, all.length / max)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** Requests targets exactly as given: `fetch` would normalize them. */
function createClient(base: URL): { readonly send: Send; close(): void } {
  const isSecure = base.protocol === 'https:'
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: connections,
  })
  const sendOnce: Send = async ({ target, method = 'GET', headers }) => {
    const outgoing = (isSecure ? httpsRequest : httpRequest)({
      ...{ ...urlToHttpOptions(base), agent, method, timeout: 20_000 },
      path: `${base.pathname.replace(/\/$/, '')}${target}`,
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in 20 s'))).end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const header = (name: string) => String(incoming.headers[name] ?? '')
    return answerOf(incoming.statusCode ?? 0, await buffer(incoming), header)
  }
  // Once more if there is no response: the host may have just closed an idle connection.
  const send: Send = (asking) => sendOnce(asking).catch(() => sendOnce(asking))
  return { send, close: () => agent.destroy() }
}

type Check = readonly [name: string, finding: string]

/** Checks CORS, validators, caching, errors, parameters, the clock and the build. A finding is '' if all is well. */
async function check(send: Send, { href }: URL, manifest: Manifest, secret: string | null) {
  const get = (target: string, headers = {}, method = 'GET') => send({ target, headers, method })
  const status = await get('/status').catch((error) => {
    throw new UseError(`No response from ${href}: ${messageOf(error)}`)
  })
  const build = parsed(status)?.['build']
  const isSameBuild = build === manifest.build
  const skew = Math.round(Math.abs(Date.parse(status.header('date')) - Date.now()) / 1000)
  const closed = await get('/v2/posts')
  const checks: Check[] = [
    ['the service responds', is(status, 200)],
    ['the deployment has this build', isSameBuild ? '' : `it has ${build}, not ${manifest.build}`],
    ['the clock is right', skew > 60 ? `it is off by ${skew} s: posts appear early or late` : ''],
    ['an unknown path is a 404', isError(await get('/v1/no/such/path/here'), 404)],
    ['a request without a key is a 401', isError(closed, 401)],
    ['the 401 asks for a key', has(closed, 'www-authenticate', /^Bearer$/)],
  ]
  const [id, counts] =
    Object.entries(manifest.workspaces).find(([name]) =>
      manifest.files.has(`public/v1/${name}/posts/index.json`),
    ) ?? []
  if (id !== undefined) {
    const path = `/v1/${encodeURIComponent(id)}/posts`
    const list = await get(path)
    const known = { 'if-none-match': list.header('etag') || '"none"' }
    const cors = { origin: 'https://example.com', 'access-control-request-method': 'GET' }
    const preflight = await get(path, cors, 'OPTIONS')
    const { sha256 } = await get(`${path}?order=asc`)
    const isSame = (counts?.posts ?? 0) > 1 && sha256 === list.sha256
    const anyOrigin = (answer: Answer) => has(answer, 'access-control-allow-origin', /^\*$/)
    checks.push(
      ['v1 responds', is(list, 200)],
      ['pages of any origin may read v1', anyOrigin(list)],
      ['preflight requests succeed', is(preflight, 204) || anyOrigin(preflight)],
      ['responses have an ETag', has(list, 'etag', /./)],
      ['a known ETag is a 304', is(await get(path, known), 304)],
      ['caches may store v1', has(list, 'cache-control', /\bpublic\b|max-age=\d/)],
      ['parameters have an effect', isSame ? '?order=asc changes nothing' : ''],
      ['a bad parameter is a 400', isError(await get(`${path}?limit=0`), 400)],
    )
  }
  if (secret !== null) {
    const keyed = await get('/v2/posts', { authorization: `Bearer ${secret}` })
    const control = has(keyed, 'cache-control', /\bprivate\b/)
    checks.push(
      ['the key opens v2', is(keyed, 200)],
      ['shared caches do not store v2', control || has(keyed, 'vary', /\bauthorization\b/i)],
    )
  }
  return { checks, isSameBuild }
}

function is({ status }: Answer, expected: number): string {
  return status === expected ? '' : `is a ${status}, not a ${expected}`
}

function has(answer: Answer, name: string, pattern: RegExp): string {
  const value = answer.header(name)
  return pattern.test(value) ? '' : `${name} is "${value}"`
}

function isError(answer: Answer, status: number): string {
  const isJson = typeof parsed(answer)?.['error'] === 'string'
  const isStored = has(answer, 'cache-control', /^no-store$/)
  return is(answer, status) || (isJson ? isStored : 'the body is not an error in JSON')
}

function parsed({ body }: Answer): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

/** A request. @default method 'GET' */
export interface Asking {
  readonly target: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A whole response: the SHA-256 of the body is hexadecimal, and an absent header is ''. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly sha256: string
  header(name: string): string
}

/** Returns an answer from its parts. */
export function answerOf(status: number, body: Buffer, header: Answer['header']): Answer {
  return { status, body, sha256: createHash('sha256').update(body).digest('hex'), header }
}

/** Sends a request. */
export type Send = (asking: Asking) => Promise<Answer>

/** Sends a request, and follows redirects: the content of their target counts. */
export async function follow(send: Send, asking: Asking): Promise<Answer> {
  let answer = await send(asking)
  for (let hops = 0; hops < 3; hops++) {
    const location = answer.header('location')
    if (answer.status < 300 || answer.status > 308 || !location.startsWith('/')) break
    // One leading slash, and no byte that HTTP forbids.
    const target = `/${location.replace(/^\/+/, '')}`.replace(/[^!-~]/gu, encodeURIComponent)
    answer = await send({ ...asking, target })
  }
  return answer
}

/**
 * Returns the judge of answers. A leak has content that is neither a public file, nor a file of the key's workspace, nor
 * what the build itself responds.
 *
 * @param own the workspace of the key
 * @param isSameBuild false if the deployment has another build, whose responses may differ
 */
export function createJudge(
  { files }: Pick<Manifest, 'files'>,
  site: ServedSite,
  {
    keyring,
    own,
    isSameBuild,
  }: Readonly<{ keyring: Keyring; own: string | undefined; isSameBuild: boolean }>,
): (asking: Asking, answer: Answer) => Promise<boolean> {
  const respond = createResponder(() => site, { keyring: () => keyring })
  const local: Send = async ({ target, method = 'GET', headers = {} }) => {
    const header = (name: string) => headers[name] ?? null
    const { status, ...reply } = await respond({ target, method, clientAddress: '', header })
    const [known, body] = [new Map(reply.headers), reply.body ?? []]
    const bytes = body instanceof Uint8Array ? Buffer.from(body) : await buffer(body as Iterable)
    return answerOf(status, bytes, (name) => known.get(name) ?? '')
  }
  const readable = new Set<string>()
  for (const [path, { sha256 }] of files)
    if (path.startsWith('public/') || path.startsWith(`${versionRoots.v2}/${own}/`))
      readable.add(sha256)
  const hasContent = ({ status }: Answer) => status >= 200 && status < 300 && status !== 204
  return async (asking, answer) => {
    if (!hasContent(answer) || readable.has(answer.sha256)) return false
    const expected = await follow(local, asking)
    return !hasContent(expected) || (isSameBuild && answer.sha256 !== expected.sha256)
  }
}

type Iterable = AsyncIterable<Uint8Array>

/** A draft: its workspace, title, and names. */
export interface BuiltDraft
  extends Readonly<Record<'workspace' | 'id' | 'slug' | 'title', string>> {
  readonly names: readonly string[]
}

/** Returns the drafts of all workspaces; none if the build has no drafts. */
export async function draftsOf({ workspaces }: ServedSite): Promise<readonly BuiltDraft[]> {
  const found: BuiltDraft[] = []
  for (const [workspace, served] of workspaces) {
    const snapshot = await served.openDrafts()
    for (const ordinal of snapshot.drafts) {
      const { id, slug, title } = await snapshot.post(ordinal)
      const aliases = snapshot.aliases().flatMap(({ from, to }) => (to === slug ? [from] : []))
      found.push({ workspace, id, slug, title, names: [...new Set([slug, id, ...aliases])] })
    }
  }
  return found
}

/** Deployment files that contain more than one response. */
const wholes = ['manifest.json', 'deployment.json', 'wrangler.jsonc', 'root.json']
const statuses = ['', '&status=draft', '&status=all', '&status=published']

/** Returns the targets of a probe for private files and drafts; unique. */
export function targetsOf(
  paths: readonly string[],
  drafts: readonly BuiltDraft[],
): readonly string[] {
  const files = [...paths, ...wholes, ...wholes.map((name) => `${name}.0`)]
  return [...new Set([...files.flatMap(fileTargets), ...drafts.flatMap(draftTargets)])]
}

/** Returns targets under which a host could serve a file of the output folder by mistake. */
function fileTargets(path: string): readonly string[] {
  const segments = path.split('/').map(encodeURIComponent)
  const roots = ['', '/dist', '/public', '/static', '/assets']
  const plain = roots.map((root) => `${root}/${segments.join('/')}`)
  if (segments.length === 1) return [...spellings(`/${path}`), ...plain.slice(1)]
  // The path if `private` is the root of the host, or was copied over `public`; and the request that has the file.
  const inside = `/${segments.slice(1).join('/')}`
  const route = inside.replace(/^(\/v\d)\/[^/]+/, '$1').replace(/(?:\/index)?\.json$/, '')
  return [...plain, inside, route].flatMap(spellings)
}

function draftTargets({ workspace, slug, id, title, names }: BuiltDraft): readonly string[] {
  const lists = [
    ...Object.entries({ slugs: slug, ids: id, query: title }).map(
      ([name, value]) => `posts?${name}=${encodeURIComponent(value)}`,
    ),
    ...resourceKinds.map((kind) => `${kind}?include=posts&limit=100`),
  ]
  // v1, v2 and the SDK API.
  const requests = [`/v1/${encodeURIComponent(workspace)}`, '/v2', '/v1'].flatMap((root) => [
    ...lists.flatMap((list) => statuses.map((status) => `${root}/${list}${status}`)),
    ...documentKinds.map((kind) => `${root}/${kind}`),
    ...names.flatMap((name) => {
      const target = `${root}/posts/${encodeURIComponent(name)}`
      const rich = `${target}?format=markdown&include=neighbours,related`
      const asked = statuses.flatMap((status) => [rich + status, `${target}?${status.slice(1)}`])
      return [...spellings(target), ...spellings(`${target}?status=all`), ...asked]
    }),
  ])
  const files = Object.values(versionRoots).flatMap((root) =>
    names.flatMap((name) => fileTargets(`${root}/${workspace}/posts/${name}.json`)),
  )
  return [...requests, ...files]
}

/** Returns a target in every spelling. */
function spellings(target: string): readonly string[] {
  const [, first = '', ...rest] = target.split('/')
  const [tail, last] = [rest.join('/'), rest.at(-1) ?? '']
  const hidden = encodeAll(first)
  const ends = '|/|.|.json|%20|%00|%00.json|;a=b|?|?page=1|#x|~|/.'.split('|')
  const slashes = ['%2f', '%252f', '//', '\\', '%5c', '/./']
  const starts = ['/', '/.', '/v1/..', '/v1/%2e%2e', '/v1/acme/posts/..;/../../..']
  const firsts = [hidden, hidden.replaceAll('%', '%25'), first.toUpperCase()]
  return [
    ...ends.map((end) => `${target}${end}`),
    ...slashes.map((slash) => `/${first}${slash}${tail}`),
    ...starts.map((start) => `${start}${target}`),
    ...firsts.map((name) => `/${name}/${tail}`),
    ...[`/v1/.%2e/${first}/x/..%2f${tail}`, `/v1/..%2f${first}/${tail}`],
    `${target.slice(0, target.length - last.length)}${encodeAll(last)}`,
  ]
}

function encodeAll(text: string): string {
  return Buffer.from(decodeURIComponent(text)).toString('hex').replace(/../g, '%$&')
}
