// `quarry doctor`: checks a deployment, and requests content that it must not serve: a sample, or everything.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { urlToHttpOptions } from 'node:url'
import pMap from 'p-map'
import { documentKinds } from '../api/documents.ts'
import { readPost } from '../api/include.ts'
import { versionRoots } from '../api/paths.ts'
import { resourceKinds } from '../api/resources.ts'
import type { Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import { type Keyring, keyringOf } from '../runtime/keys.ts'
import type { ServedSite } from '../runtime/open-build.ts'
import { createResponder } from '../runtime/responder.ts'
import { openBuild, readManifest } from './open-build.ts'
import { exitCodes } from './report.ts'
import { type CommonFlags, messageOf, readApiKey, readSettings } from './settings.ts'
import { formatCount, plural, printable, terminalOf } from './terminal.ts'

type DoctorFlags = CommonFlags & Readonly<{ probe?: boolean; files?: number; keyStdin?: boolean }>

/** Runs `quarry doctor`; exits with 1 on any finding. */
export async function runDoctor(url: URL | undefined, flags: DoctorFlags): Promise<void> {
  if (url === undefined) throw new UseError('Pass the URL of the deployment.')
  const out = resolve((await readSettings(flags)).out)
  const manifest = readManifest(out)
  const secret = await readApiKey(flags)
  const site = await openBuild(out)
  const keyring = keyringOf(process.env['QUARRY_KEYS'])(site)
  const own = keyring.find(`Bearer ${secret}`, Date.now())?.workspace
  if (secret !== null && own === undefined)
    throw new UseError(
      'The key is not valid for this build. If the host has QUARRY_KEYS, set the variable here too.',
    )
  const all = [...manifest.files.keys()].filter((path) => !path.startsWith('public/'))
  const drafts = await draftsOf(site)
  const max = flags.files ?? (flags.probe ? Number.POSITIVE_INFINITY : 2)
  const [files, some] = [sample(all, max), sample(drafts, max)]
  const targets = probeTargets(files, some)
  const count = targets.length * (secret === null ? 1 : 2)
  const part = `${files.length} of ${plural(all.length, 'private file')} and ${some.length} of ${plural(drafts.length, 'draft')}`
  const isAll = files.length + some.length === all.length + drafts.length
  printLine(
    `Sending about ${formatCount(count + 8)} requests to ${url.origin}, for ${part} in every spelling.${isAll ? '' : ' --probe requests all of them.'}`,
  )
  const send = createSender(url)
  const { total, isSameBuild, ...checked } = await runChecks(send, manifest, secret)
  const leaks: string[] = []
  let { hidden } = checked
  const probeWith = async (name: string, headers: Headers, workspace: string | undefined) => {
    const isLeak = createLeakCheck(manifest, site, keyring, workspace, isSameBuild)
    const probe = async (target: string) => {
      const answer = await send(target, headers).catch(() => null)
      hidden += Number(answer === null || answer.status === 429)
      if (answer !== null && (await isLeak(answer, target, headers)))
        leaks.push(`${printable(target)} is a ${answer.status} with ${name}`)
    }
    await pMap(targets, probe, { concurrency: 16 })
  }
  await probeWith('no key', {}, undefined)
  if (secret !== null) await probeWith('the key', { authorization: `Bearer ${secret}` }, own)
  const { red } = terminalOf(process.env, process.stdout)
  for (const leak of leaks.sort()) printLine(`  ${red('leak')} ${leak}`)
  if (hidden > 0)
    printLine(
      `  ${plural(hidden, 'request')} got no response or a 429, so their content is unknown. Start the server with QUARRY_RATE_LIMIT=off, then try again.`,
    )
  printLine(`${total}. ${plural(count, 'probe')}: ${plural(leaks.length, 'leak')}.`)
  if (leaks.length > 0) process.exitCode = exitCodes.content
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns at most `max` items, evenly distributed. */
function sample<T>(all: readonly T[], max: number): readonly T[] {
  const step = Math.max(1, all.length / max)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

type Send = (target: string, headers?: Headers) => Promise<ProbeResponse>

type Headers = Readonly<Record<string, string>>

/** Returns a function that requests targets unchanged. `fetch` would normalize them. */
function createSender(base: URL): Send {
  const request = base.protocol === 'https:' ? httpsRequest : httpRequest
  const sendOnce: Send = async (target, headers) => {
    const outgoing = request({
      ...{ ...urlToHttpOptions(base), timeout: 20_000 },
      path: `${base.pathname.replace(/\/$/, '')}${target}`,
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in 20 s'))).end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const header = (name: string) => String(incoming.headers[name] ?? '')
    return probeResponse(incoming.statusCode ?? 0, await buffer(incoming), header)
  }
  // Tries again if there is no response, because the host may have just closed an idle connection.
  return (...asked) =>
    sendOnce(...asked)
      .catch(() => sendOnce(...asked))
      .catch((error) => {
        throw new UseError(`No response from ${base.href}: ${messageOf(error)}`)
      })
}

/** A condition, the response that was checked, and the finding: '' for none. */
type Check = readonly [name: string, answer: ProbeResponse, finding: string]

function hasStatus(expected: number, answer: ProbeResponse): readonly [ProbeResponse, string] {
  const { status } = answer
  return [answer, status === expected ? '' : `is a ${status}, not a ${expected}`]
}

function hasHeader(name: string, pattern: RegExp, answer: ProbeResponse): string {
  const value = answer.header(name)
  return pattern.test(value) ? '' : `${name} is "${value}"`
}

/** Checks the posts of the first workspace that is public in v1. */
async function v1Checks(send: Send, manifest: Manifest): Promise<readonly Check[]> {
  const hasList = (name: string) => manifest.files.has(`public/v1/${name}/posts/index.json`)
  const [id, counts] = Object.entries(manifest.workspaces).find(([name]) => hasList(name)) ?? []
  if (id === undefined) return []
  const path = `/v1/${encodeURIComponent(id)}/posts`
  const { cors: [origin = ''] = ['*'] } = manifest.http ?? {}
  const readers = { '*': 'any origin', '': 'no other origin' }[origin] ?? origin
  const list = await send(path, { origin })
  const other = await send(`${path}?order=asc`)
  const allowed = list.header('access-control-allow-origin')
  const known = { 'if-none-match': list.header('etag') || '"none"' }
  const isSame = (counts?.posts ?? 0) > 1 && list.sha256 === other.sha256
  return [
    ['v1 responds', ...hasStatus(200, list)],
    [`pages of ${readers} may read v1`, list, allowed === origin ? '' : `"${allowed}" may read it`],
    ['caches may store v1', list, hasHeader('cache-control', /\bpublic\b|max-age=\d/, list)],
    ['a known ETag is a 304', ...hasStatus(304, await send(path, known))],
    ['parameters have an effect', other, isSame ? '?order=asc changes nothing' : ''],
  ]
}

/** Runs checks for common faults of proxies and caches. Prints each finding, unless a rate limit hid it. */
async function runChecks(send: Send, manifest: Manifest, secret: string | null) {
  const status = await send('/status')
  const build = /"build":"(\w+)"/.exec(status.body.toString())?.[1]
  const isSameBuild = build === manifest.build
  const another = isSameBuild ? '' : `it has ${build}, not ${manifest.build}`
  const skew = Math.round(Math.abs(Date.parse(status.header('date')) - Date.now()) / 1000)
  const late = skew > 60 ? `it is off by ${skew} s: posts appear early or late` : ''
  const checks: Check[] = [
    ['the service responds', ...hasStatus(200, status)],
    ['the deployment has this build', status, another],
    ['the clock is right', status, late],
    ['an unknown path is a 404', ...hasStatus(404, await send('/v1/no/such/path/here'))],
    ['a request without a key is a 401', ...hasStatus(401, await send('/v2/posts'))],
    ...(await v1Checks(send, manifest)),
  ]
  if (secret !== null) {
    const list = await send('/v2/posts', { authorization: `Bearer ${secret}` })
    const isClosed =
      hasHeader('cache-control', /\bprivate\b/, list) ||
      hasHeader('vary', /\bauthorization\b/i, list)
    checks.push(['the key opens v2', ...hasStatus(200, list)])
    checks.push(['shared caches do not store v2', list, isClosed])
  }
  const { green, red } = terminalOf(process.env, process.stdout)
  let [findings, hidden] = [0, 0]
  for (const [name, answer, finding] of checks) {
    const isHidden = answer.status === 429
    hidden += Number(isHidden)
    findings += Number(!isHidden && finding !== '')
    if (isHidden) printLine(`  hidden ${name}`)
    else if (finding === '') printLine(`  ${green('ok')} ${name}`)
    else printLine(`  ${red('finding')} ${name}: ${printable(finding)}`)
  }
  if (findings > 0) process.exitCode = exitCodes.content
  const total = `${plural(checks.length, 'check')}: ${plural(findings, 'finding')}`
  return { total, isSameBuild, hidden }
}

/** A complete response. The SHA-256 of the body is hexadecimal, and an absent header is ''. */
type ProbeResponse = Readonly<{ status: number; body: Buffer; sha256: string }> & {
  readonly header: (name: string) => string
}

/** Returns a response from its parts. */
export function probeResponse(
  status: number,
  body: Buffer,
  header: ProbeResponse['header'],
): ProbeResponse {
  return { status, body, sha256: hash('sha256', body), header }
}

/** Detects leaks: content that is not a public file, a file of the key's workspace or a response of the build. */
export function createLeakCheck(
  { files }: Pick<Manifest, 'files'>,
  site: ServedSite,
  keyring: Keyring,
  own: string | undefined,
  isSameBuild: boolean,
): (answer: ProbeResponse, target: string, headers: Headers) => Promise<boolean> {
  const respond = createResponder(() => site, { keyring: () => keyring })
  const readable = new Set<string>()
  for (const [path, { sha256 }] of files)
    if (path.startsWith('public/') || path.startsWith(`${versionRoots.v2}/${own}/`))
      readable.add(sha256)
  return async ({ status, sha256 }, target, headers) => {
    if (status < 200 || status > 203 || readable.has(sha256)) return false
    const header = (name: string) => headers[name] ?? null
    const isAllowed = async (spelling: string) => {
      const expected = await respond({ target: spelling, method: 'GET', clientAddress: '', header })
      const body = (expected.body ?? []) as AsyncIterable<Uint8Array> | Uint8Array
      const bytes = body instanceof Uint8Array ? body : await buffer(body)
      return expected.status === 200 && (!isSameBuild || sha256 === hash('sha256', bytes))
    }
    // A host may resolve `/./` and `\\`, as browsers do.
    const { pathname, search } = new URL(`http://host.invalid${target}`)
    return !((await isAllowed(target)) || (await isAllowed(pathname + search)))
  }
}

/** A draft. `names` are its slug, id and aliases; `kind` is the path of its list: `posts`, `collections/guides`. */
type Draft = Readonly<Record<'workspace' | 'kind' | 'id' | 'slug' | 'title', string>> &
  Readonly<{ names: readonly string[] }>

/** Returns the drafts of all workspaces; none if the build has no drafts. */
export async function draftsOf({ workspaces }: ServedSite): Promise<readonly Draft[]> {
  const found: Draft[] = []
  for (const [workspace, served] of workspaces) {
    for (const [name, rows] of [['', served] as const, ...(served.collections ?? [])]) {
      const kind = name === '' ? 'posts' : `collections/${name}`
      const snapshot = await rows.openDrafts()
      for (const ordinal of snapshot.drafts) {
        const { id, slug, title } = await readPost(ordinal, snapshot)
        const aliases = snapshot.aliases.flatMap(({ from, to }) => (to === slug ? [from] : []))
        const names = [...new Set([slug, id, ...aliases])]
        found.push({ workspace, kind, id, slug, title, names })
      }
    }
  }
  return found
}

/** Deployment files that contain more than one response. */
const sharedFiles = ['manifest.json', 'deployment.json', 'wrangler.jsonc', 'root.json']

/** Returns the targets of a probe for private files and drafts; unique. */
export function probeTargets(
  paths: readonly string[],
  drafts: readonly Draft[],
): readonly string[] {
  const files = [...paths, ...sharedFiles, ...sharedFiles.map((name) => `${name}.0`)]
  return [...new Set([...files.flatMap(fileTargets), ...drafts.flatMap(draftTargets)])]
}

/** Returns targets under which a host could serve a file of the output folder by mistake. */
function fileTargets(path: string): readonly string[] {
  const segments = path.split('/').map(encodeURIComponent)
  const roots = ['', '/dist', '/public', '/static', '/assets']
  const plain = roots.map((root) => `${root}/${segments.join('/')}`)
  if (segments.length === 1) return [...spellings(`/${path}`), ...plain.slice(1)]
  // `inside` is the path if `private` is the root of the host or was copied over `public`. `route` is the request.
  const inside = `/${segments.slice(1).join('/')}`
  const route = inside.replace(/^(\/v\d)\/[^/]+/, '$1').replace(/(?:\/index)?\.json$/, '')
  return [...plain, inside, route].flatMap(spellings)
}

function draftTargets({ workspace, kind, slug, id, title, names }: Draft): readonly string[] {
  const singles = names.map(
    (name) => `${kind}/${name.split('/').map(encodeURIComponent).join('/')}`,
  )
  const queries = [
    ...Object.entries({ slugs: slug, ids: id, query: title }).map(
      ([name, value]) => `${kind}?${name}=${encodeURIComponent(value)}`,
    ),
    ...resourceKinds.map((each) => `${each}?include=posts&limit=100`),
    ...singles.flatMap((one) => [`${one}?`, `${one}?format=markdown&include=neighbours,related`]),
  ]
  const statuses = ['', '&status=draft', '&status=all', '&status=published']
  // v1, v2 and the SDK API.
  const requests = [`/v1/${encodeURIComponent(workspace)}`, '/v2', '/v1'].flatMap((root) => [
    ...queries.flatMap((query) =>
      statuses.map((status) => `${root}/${query}${status}`.replace('?&', '?')),
    ),
    ...documentKinds.map((each) => `${root}/${each}`),
    ...singles.flatMap((one) =>
      ['', '?status=all'].flatMap((end) => spellings(`${root}/${one}${end}`)),
    ),
  ])
  const files = Object.values(versionRoots).flatMap((root) =>
    names.flatMap((name) => fileTargets(`${root}/${workspace}/${kind}/${name}.json`)),
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
